"""Rows of an answer: what their columns are called, and two answers row by row."""
