"""All heads of all layers in one picture."""
