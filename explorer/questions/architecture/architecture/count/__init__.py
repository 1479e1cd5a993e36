"""How many parameters there are, where they are, and what they cost."""
