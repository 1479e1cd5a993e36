"""From text to what a model sees, and back."""
