"""A line of text: how wide it is, how it is drawn and where it wraps, on screen and on paper."""
