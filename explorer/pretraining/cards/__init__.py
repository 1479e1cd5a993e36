"""The README of a miniature: what it was trained on, and how well it predicts."""
