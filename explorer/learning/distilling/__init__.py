"""Distilling: a student learns from a teacher, from the exact answers of a world, or from words."""
