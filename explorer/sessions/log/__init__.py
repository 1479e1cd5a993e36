"""Writing runs."""
