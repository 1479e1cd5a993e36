"""An architecture with some of its numbers changed."""
