"""Ratios against what a user would pick instead, every row from one run on one machine."""
