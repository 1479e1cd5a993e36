"""Runs as files."""
