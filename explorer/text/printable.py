"""Words of files and models as a line may show them: nothing in them moves a cursor or a word."""

import re

KEPT = frozenset("\n\t")
SHORT_TEXT = 28
"""Characters of a text that fit into a menu entry."""

_MOVES = {
    *range(0x20),
    *range(0x7F, 0xA0),
    *(0x2028, 0x2029),
    *range(0x202A, 0x202F),
    *(0x2066, 0x2067),
    *range(0xD800, 0xE000),
}
"""Escapes, other control characters, line ends that are none to a terminal, bidi overrides, and
halves of characters. The two isolates that `bidi` puts around a word are left alone."""
_HALVES = re.compile("[\ud800-\udfff]")
_ESCAPES = {number: f"\\u{number:04x}" for number in _MOVES}
_OF_LINES = {number: escape for number, escape in _ESCAPES.items() if chr(number) not in KEPT}


def printable(text: str) -> str:
    r"""A text with its control characters written out ("\u001b"), but for new lines and tabs.

    JSON that this is done to says the same as before.
    """
    return text if text.isascii() and text.isprintable() else text.translate(_OF_LINES)


def on_a_line(text: str) -> str:
    """The same where no new line may be either."""
    return text if text.isprintable() else text.translate(_ESCAPES)


def brief(text: str, longest: int = 120) -> str:
    """The same, and cut where it is longer than a sentence can bear."""
    return on_a_line(text if len(text) <= longest else f"{text[:longest]}…")


def shortened(text: str, limit: int = SHORT_TEXT) -> str:
    """A text on one line, cut with an ellipsis where it is too long."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def first_line(error: BaseException) -> str:
    """What an exception says first."""
    text = str(error).strip()
    return on_a_line(text.splitlines()[0][:200]) if text else type(error).__name__


def without_surrogates(text: str) -> str:
    """A text with U+FFFD for halves of characters, which no tokenizer takes."""
    return _HALVES.sub("\ufffd", text)
