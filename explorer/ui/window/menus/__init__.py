"""The menu bar, what its actions do, and how each is found by its words."""
