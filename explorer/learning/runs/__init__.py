"""Runs of training as folders, and the process that trains them while nobody has to watch."""
