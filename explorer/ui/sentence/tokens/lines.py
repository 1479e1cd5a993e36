"""Tokens in lines of a width, each as wide as what stands below it asks for."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from explorer.ui.sentence.pieces import InText, run_from_right

GAP = 6.0
"""Between words."""


Placed = TypeVar("Placed", bound=InText)


def lines_of(
    pieces: Sequence[Placed], wides: Sequence[float], width: float
) -> list[list[tuple[Placed, float, float]]]:
    """Lines of pieces with their left edges and widths; words stay whole where they can.

    Neither a sign nor a special token behind the text begins a line.

    A text that begins at the right has its first piece there.
    """
    words: list[list[int]] = []
    for i, piece in enumerate(pieces):
        if piece.joined and words and not pieces[i - 1].special:
            words[-1].append(i)
        else:
            words.append([i])
    lines: list[list[tuple[Placed, float, float]]] = [[]]
    x, part = 0.0, 0
    for number, word in enumerate(words):
        new_text = pieces[word[0]].part != part
        part = pieces[word[0]].part
        wide = sum(wides[i] for i in word)
        with_next = wide + sum(
            GAP + sum(wides[i] for i in following) for following in _clinging(pieces, words, number)
        )
        wanted = with_next if with_next <= width + 0.5 else wide
        if lines[-1] and (new_text or x + wanted > width + 0.5):
            lines.append([])
            x = 0.0
        for i in word:
            wide = min(wides[i], width)
            if lines[-1] and x + wide > width + 0.5:
                lines.append([])
                x = 0.0
            lines[-1].append((pieces[i], x, wide))
            x += wide
        x += GAP
    turned = {part for part in (0, 1) if run_from_right(pieces, part)}
    return [
        [
            (piece, width - x - wide, wide) if piece.part in turned else (piece, x, wide)
            for piece, x, wide in line
        ]
        for line in lines
        if line
    ]


def _clinging(
    pieces: Sequence[InText], words: Sequence[Sequence[int]], number: int
) -> Iterator[Sequence[int]]:
    """The words behind one that are signs or special tokens of the same text."""
    part = pieces[words[number][0]].part
    for word in words[number + 1 :]:
        first = pieces[word[0]]
        is_sign = not any(character.isalnum() for character in first.text)
        if first.part != part or not (first.special or (is_sign and first.text)):
            return
        yield word
