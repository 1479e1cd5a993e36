"""How parts of rows by columns look: pairs of tokens, layers by heads, layers by places."""
