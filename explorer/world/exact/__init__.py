"""What is exactly probable in the small world: of texts, of blanks, of pairs, in pieces."""
