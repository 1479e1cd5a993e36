"""What each layer makes of a text."""
