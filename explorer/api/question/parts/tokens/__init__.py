"""Parts of a text and its tokens: labels, scores, losses, pieces, spans."""
