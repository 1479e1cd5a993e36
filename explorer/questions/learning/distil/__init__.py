"""Distil a model: a student learns from a teacher, and is laid beside the exact answers."""
