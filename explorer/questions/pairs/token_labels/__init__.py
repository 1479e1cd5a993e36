"""A label for every token of a text."""
