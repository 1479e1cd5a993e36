"""Learning from another model."""
