"""PLM Explorer: look inside pretrained language models."""

__version__ = "0.1.0"
