"""Parts of rows by columns: pairs of tokens, layers by heads, layers by places."""
