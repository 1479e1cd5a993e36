"""The small world in Korean."""
