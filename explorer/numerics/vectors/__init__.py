"""Vectors of words and of hidden states: how near, how alike, and seen in two dimensions."""
