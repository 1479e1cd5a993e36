"""A toolkit over transformers that handlers and plugins call."""
