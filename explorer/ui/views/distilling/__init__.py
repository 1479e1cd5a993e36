"""What the views of a teacher and its student are drawn with."""
