"""The process that runs models, and the window's end of it."""
