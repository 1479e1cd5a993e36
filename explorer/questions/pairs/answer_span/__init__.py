"""Where in a passage the answer to a question stands."""
