"""Objectives that ask for the same answer where the input was changed to mislead."""
