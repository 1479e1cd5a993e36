"""The document on screen, its history, and how gestures and files change it."""
