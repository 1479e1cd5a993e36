"""What the views of whole fillings and of the user's own words are made of."""
