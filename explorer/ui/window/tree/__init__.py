"""The tree of pages at the left of the window, with the search above it."""
