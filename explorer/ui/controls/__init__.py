"""What options are set with."""
