"""The arithmetic of detecting replaced tokens: outcomes, curves and losses, without a model."""
