"""How results look: one file an operation."""
