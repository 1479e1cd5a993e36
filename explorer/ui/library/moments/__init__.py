"""Moments of a model's training: the slider of steps, the loss above it, its film."""
