"""Checkpoints from the hub."""
