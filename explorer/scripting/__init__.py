"""`import explorer`: questions asked from Python, as the window and the command line ask them."""
