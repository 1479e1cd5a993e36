"""What was published of a model, beside what was counted."""
