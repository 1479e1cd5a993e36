"""Processes of the program's own code, and how each is set up: threads, garbage, environment."""
