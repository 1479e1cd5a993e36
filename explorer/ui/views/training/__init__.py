"""What the view of the training mask is made of."""
