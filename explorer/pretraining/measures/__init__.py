"""How good a miniature has become, beside the best that there can be."""
