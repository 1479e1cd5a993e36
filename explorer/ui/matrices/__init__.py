"""Matrices of numbers as colours: heat maps, grids of heads, attention as lines."""
