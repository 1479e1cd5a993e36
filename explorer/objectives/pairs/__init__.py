"""Telling which of two texts follows the other."""
