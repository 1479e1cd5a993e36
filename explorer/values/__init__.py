"""The numbers inside a model for a text, as arrays and as files that other programs read."""

STATES, LOGITS, ATTENTION, QUERIES, KEYS = "states", "logits", "attention", "queries", "keys"
KINDS = (STATES, LOGITS, ATTENTION, QUERIES, KEYS)
"""Which there are; said here, where no help of a command waits for numpy."""
