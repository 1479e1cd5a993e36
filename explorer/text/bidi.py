"""Texts that run from the right, among others that run from the left."""

import re
import unicodedata
from collections.abc import Sequence

ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_RIGHTWARD, _LEFTWARD = "\N{LEFT-TO-RIGHT ISOLATE}", "\N{RIGHT-TO-LEFT ISOLATE}"
MARKS = "\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}"
"""Without a width; a text that begins with one runs from the left, or from the right."""
_BEGINS = frozenset({ISOLATE, _RIGHTWARD, _LEFTWARD})
_FROM_RIGHT = frozenset({"R", "AL"})
_STRONG = _FROM_RIGHT | {"L"}
_SCRIPTS = re.compile(
    "[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
"""Blocks of Unicode outside of which nothing runs from the right, so that few letters are asked."""


def isolated(text: str) -> str:
    """A word that stands in a sentence: what runs from the right draws no neighbour with it.

    Without it, the number in "שלום 0.31, tea 0.20" would be read as standing before the word.
    """
    return f"{ISOLATE}{text}{END}" if _any_from_right(text) else text


def runs_from_right(text: str) -> bool:
    """Whether a text as a whole runs from the right: its first letter decides, as for Qt.

    What is isolated in it has a direction of its own and decides nothing.
    """
    depth = 0
    for one in text:
        direction = unicodedata.bidirectional(one)
        if one in _BEGINS:
            depth += 1
        elif one == END:
            depth = max(0, depth - 1)
        elif depth == 0 and direction in _STRONG:
            return direction in _FROM_RIGHT
    return False


def in_direction(lines: Sequence[str], turned: bool | None = None) -> list[str]:
    """Lines that a paragraph was wrapped into, so that each runs as it does in the paragraph.

    Drawn alone, a line would begin where its own first letter says, and would not know that it
    stands inside of what was isolated in the line before.

    Args:
        lines: In order; or other parts that are drawn one by one.
        turned: The paragraph runs from the right; None where its first letter decides.
    """
    whole = "\n".join(lines)
    if not turned and not _any_from_right(whole):
        return list(lines)
    told, line, begun = [], "", list[str]()
    for at, letter in enumerate(whole):
        if letter == "\n":
            told.append(line + END * len(begun))
            line = "".join(begun)
            continue
        if letter == ISOLATE:
            begun.append(_LEFTWARD if runs_from_right(_inside(whole, at)) else _RIGHTWARD)
        elif letter == END and begun:
            begun.pop()
        line += letter
    told.append(line)
    turned = runs_from_right(whole) if turned is None else turned
    mark = MARKS[turned]
    return [one if runs_from_right(one) == turned else mark + one for one in told]


def _any_from_right(text: str) -> bool:
    return not text.isascii() and any(
        unicodedata.bidirectional(one) in _FROM_RIGHT for one in _SCRIPTS.findall(text)
    )


def _inside(text: str, at: int) -> str:
    """What is isolated by the sign at a place."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] in _BEGINS) - (text[end] == END)
        if depth == 0:
            return text[at + 1 : end]
    return text[at + 1 :]
