"""Questions about what a model is made of."""
