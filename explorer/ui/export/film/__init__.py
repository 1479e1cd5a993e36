"""A page at the steps of a model's training, as a film in a file."""
