"""Two models compared word by word over both whole vocabularies."""
