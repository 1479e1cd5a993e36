"""Models with fresh weights, as transformers has them, in the sizes that a plan says."""
