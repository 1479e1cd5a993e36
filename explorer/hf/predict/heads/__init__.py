"""Ports of heads that were put on an encoder: for training objectives, and for tasks."""
