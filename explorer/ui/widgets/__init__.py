"""What views share."""
