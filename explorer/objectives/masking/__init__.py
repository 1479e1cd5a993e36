"""Predicting what was hidden in a text."""
