"""Measures of bias, and how they do where the answer is known."""
