"""A page of blocks: what it is made from, pins, explanations, what is left out of pictures."""
