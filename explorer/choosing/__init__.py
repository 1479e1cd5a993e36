"""Choosing a model: what is known of each, as one table, wherever it is shown."""
