"""What a question declares: its roles, needs, options, conditions, and the operation of all."""
