"""Methods that follow the number back to the vectors."""
