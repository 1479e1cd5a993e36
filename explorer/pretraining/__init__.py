"""Corpus and objectives that train the bundled miniatures."""
