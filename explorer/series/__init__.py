"""Moments of a model: the steps of its training that somebody kept."""
