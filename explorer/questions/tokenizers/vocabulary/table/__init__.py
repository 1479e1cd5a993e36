"""The pieces of a vocabulary as a table of which only what is seen is read."""
