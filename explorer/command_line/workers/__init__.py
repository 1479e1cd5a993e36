"""Processes that do for the window what commands do."""
