"""What the view of a file of sentences is made of."""
