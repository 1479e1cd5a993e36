"""Telling replaced tokens from original ones."""
