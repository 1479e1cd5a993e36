"""Labels of words, read off the derivation that wrote them."""
