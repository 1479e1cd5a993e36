"""Weights drawn: positions, heads and their circuits, spectra, norms by depth."""
