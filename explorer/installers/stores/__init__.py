"""What shops and package collections want to know of the program, from pyproject.toml's facts."""
