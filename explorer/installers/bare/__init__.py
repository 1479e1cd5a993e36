"""A bare Debian, and what is tried of a bundle in it."""
