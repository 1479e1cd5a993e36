"""One text, and below its characters rows of pieces that stand for them."""
