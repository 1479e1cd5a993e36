"""Questions about a teacher and its student."""
