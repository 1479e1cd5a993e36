"""Texts that run from the right, among others that run from the left."""

import unicodedata

ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_FROM_RIGHT = frozenset({"R", "AL"})
_STRONG = _FROM_RIGHT | {"L"}


def isolated(text: str) -> str:
    """A word that stands in a sentence: what runs from the right draws no neighbour with it.

    Without it, the number in "שלום 0.31, tea 0.20" would be read as standing before the word.
    """
    if text.isascii() or not any(unicodedata.bidirectional(one) in _FROM_RIGHT for one in text):
        return text
    return f"{ISOLATE}{text}{END}"


def runs_from_right(text: str) -> bool:
    """Whether a text as a whole runs from the right: its first letter decides, as for Qt."""
    for one in text:
        direction = unicodedata.bidirectional(one)
        if direction in _STRONG:
            return direction in _FROM_RIGHT
    return False
