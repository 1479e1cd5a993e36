"""The process that runs models, and how the window talks to it."""
