"""What a thin bundle is made of."""
