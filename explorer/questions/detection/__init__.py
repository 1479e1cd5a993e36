"""Questions about replaced tokens."""
