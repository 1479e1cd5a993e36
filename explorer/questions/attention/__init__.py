"""Questions about who attends to whom."""
