"""Whether the letters of a picture can be read: whole, apart, inside, large and dark enough."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from PySide6.QtGui import QColor

from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.figure import Figure
from explorer.ui.export.paper import PaperPicture
from explorer.ui.export.reading import PictureText, read
from explorer.ui.theme.letters import letters_by_script, script_of, without_font

MOST_SHARED = 3.0
"""Pixels that two words may share side by side: letters end before their boxes do."""
SAME_LINE = 0.5
"""Of a line's height, how much two words share that stand in one line."""
CUT_TO_NOTHING = re.compile(r"\W*\w?…\W*\w?\W*|[−+-]?[\d.,]+…[\d.,]*")
"""What is left of a word of which one letter is, or of a number: nobody can tell which it was.

What begins with "…" is a piece that goes on with a word.
"""
CUT = re.compile(r"\w…")
"""The end of a word that goes on."""
LEAST_CONTRAST = 4.5
"""Of letters against what is below them (WCAG 2.2, 1.4.3)."""
OF_SIGNS = 3.0
"""Of a sign against it (WCAG 2.2, 1.4.11)."""
POINT = 25.4 / 72
"""Millimetres."""


def illegible(figure: Figure) -> Phrase | None:
    """The first words of a picture that can't be read, and why; None where all can.

    Args:
        figure: The picture; what is written in it is looked at, and nothing drawn.
    """
    written = read(figure)
    return next(chain(_lost(written, figure), _on_each_other(written)), None)


def faults_in_print(made: PaperPicture, least: float, whole: Collection[str]) -> Iterator[Phrase]:
    """All that can't be read in a picture as it will be printed.

    Args:
        made: The picture.
        least: Points of its smallest type.
        whole: The words of the same page on the screen: one that is cut there may be cut here.
    """
    written = read(made.figure, grounds=True)
    yield from _lost(written, made.figure)
    yield from _on_each_other(written)
    for one in written:
        points = one.pixels * made.millimetres / POINT
        if points < least - 0.05:
            small = N_("“{text}” is in type of {points} points.")
            yield Phrase(small, text=one.text, points=decimal(points, 1))
        for word in one.text.split():
            # A line may be cut between two words, and a word at its beginning.
            is_cut = CUT.search(word) or (one.is_cut and "…" in word)
            if is_cut and word not in whole:
                yield Phrase(N_("“{text}” is cut."), text=word)
        for ground in one.grounds:
            contrast = contrast_of(one.colour, ground)
            least_of_it = LEAST_CONTRAST if any(map(str.isalnum, one.text)) else OF_SIGNS
            if contrast < least_of_it - 0.05:
                pale = N_("“{text}” stands out from {ground} by {contrast} to 1 alone.")
                said = decimal(contrast, 1)
                yield Phrase(pale, text=one.text, ground=ground.name(), contrast=said)
    for letter in without_font(letters_by_script(one.text for one in written).values()):
        yield Phrase(N_("No font has letters of the script {script}."), script=script_of(letter))


def contrast_of(letters: QColor, ground: QColor) -> float:
    """How much brighter one of two colours is, from 1 to 21 (WCAG 2.2)."""
    share, below = letters.alphaF(), _channels(ground)
    seen = [
        share * one + (1 - share) * other
        for one, other in zip(_channels(letters), below, strict=True)
    ]
    dark, bright = sorted((_luminance(seen), _luminance(below)))
    return (bright + 0.05) / (dark + 0.05)


def _channels(colour: QColor) -> list[float]:
    return [colour.redF(), colour.greenF(), colour.blueF()]


def _luminance(channels: Sequence[float]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(share * one for share, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _lost(written: Sequence[PictureText], figure: Figure) -> Iterator[Phrase]:
    """What is cut to nothing or ends outside."""
    for one in written:
        text, place = one.text, one.box
        goes_on = text.startswith("…") and len(text) > 1
        if "…" in text and not goes_on and CUT_TO_NOTHING.fullmatch(text):
            yield Phrase(N_("“{text}” is all that is left of a word."), text=text)
        across = place.left() < -MOST_SHARED or place.right() > figure.width + MOST_SHARED
        if across or place.top() < -MOST_SHARED or place.bottom() > figure.height + MOST_SHARED:
            yield Phrase(N_("“{text}” ends outside the picture."), text=text)


def _on_each_other(written: Sequence[PictureText]) -> Iterator[Phrase]:
    """Words that lie on others."""
    sorted_down = sorted(written, key=lambda one: one.box.top())
    for number, one in enumerate(sorted_down):
        for further in sorted_down[number + 1 :]:
            place, other = one.box, further.box
            if other.top() >= place.bottom():
                break
            shared = place.intersected(other)
            low = min(place.height(), other.height()) * SAME_LINE
            if shared.width() > MOST_SHARED and shared.height() > low:
                lies = N_("“{text}” and “{other}” lie on each other.")
                yield Phrase(lies, text=one.text, other=further.text)
