"""The words of the small world: their forms, how they are spelt, and lists of them."""
