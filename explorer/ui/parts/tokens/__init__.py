"""How parts of a text and its tokens look: labels, scores, losses, pieces, spans."""
