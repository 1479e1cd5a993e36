"""Zero, one or a few examples before a question."""
