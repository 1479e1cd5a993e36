"""Two texts, and what one says of the other."""
