"""How many columns of a terminal a text takes, and lines of so many."""

import unicodedata

LINE = 100
"""Columns of a line of words."""


def columns_of(text: str) -> int:
    """How many columns of a terminal a text takes: a Korean syllable takes two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def cut(text: str, columns: int) -> str:
    """The beginning of a text that fits."""
    while columns_of(text) > columns:
        text = text[: min(len(text) - 1, columns)]
    return text


def wrapped(text: str, columns: int) -> list[str]:
    """A text in lines that fit, broken between words; a word that is longer stands alone."""
    lines: list[str] = []
    for word in text.split():
        if lines and columns_of(lines[-1]) + 1 + columns_of(word) <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
