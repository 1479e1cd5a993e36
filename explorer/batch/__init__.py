"""Work on many sentences: reading them from a file, and keeping what came of each."""
