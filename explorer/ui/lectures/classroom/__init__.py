"""A class: one's own answers as a file, and many people's files as a table."""
