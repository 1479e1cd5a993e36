"""Presenter mode: what is asked about, one block of a page, one sentence, for a large room."""
