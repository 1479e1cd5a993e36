"""Tasks about the small world, drawn with their right answers."""
