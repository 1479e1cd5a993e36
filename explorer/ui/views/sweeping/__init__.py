"""What the view of every token in turn is made of."""
