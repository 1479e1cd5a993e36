"""The log of every run: an SQLite database that is the user's."""
