"""Where a statement is from, as data name it: what nobody has looked up yet is marked there."""

UNCHECKED = "(not checked)"
"""Stands behind a source, or one of several with "; " between them, that nobody has looked up."""


def checked(source: str) -> str:
    """The part of a source that somebody has looked up, for people who learn from it; "" for none.

    What is marked is a note to whoever writes the data.
    """
    parts = source.split("; ")
    return "; ".join(one for one in parts if UNCHECKED not in one)


def unmarked(source: str) -> str:
    """A source without what is noted behind it, for a place that says itself who looked it up."""
    return "; ".join(one.removesuffix(UNCHECKED).rstrip() for one in source.split("; "))
