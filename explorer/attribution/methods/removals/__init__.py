"""Methods that take words away."""
