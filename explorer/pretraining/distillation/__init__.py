"""Recipes that start from another miniature, or learn from one."""
