"""Colours, fonts, icons and the style, in a dark and a light scheme."""
