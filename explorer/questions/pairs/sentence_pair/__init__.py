"""What a head says of two texts: next or not, in order or not, or a class."""
