"""The numbers inside a model for a text, as arrays and as files that other programs read."""
