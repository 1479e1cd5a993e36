"""Chosen runs in one file, to be opened on another machine."""
