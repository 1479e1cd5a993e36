"""Plugins: found, read, kept apart, checked."""
