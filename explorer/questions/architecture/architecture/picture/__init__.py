"""The architecture drawn: what is on the board, and how it is painted."""
