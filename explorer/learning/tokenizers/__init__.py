"""Training tokenizers as the families have them."""
