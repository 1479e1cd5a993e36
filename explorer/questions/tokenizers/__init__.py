"""Questions about how a text is cut."""
