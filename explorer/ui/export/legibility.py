"""Whether the letters of a picture can be read: none on others, none cut to nothing."""

import re

from explorer.text import N_, Phrase
from explorer.ui.blocks.figure import Figure
from explorer.ui.export.reading import read

MOST_SHARED = 3.0
"""Pixels that two words may share side by side: letters end before their boxes do."""
SAME_LINE = 0.5
"""Of a line's height, how much two words share that stand in one line."""
CUT_TO_NOTHING = re.compile(r"\W*\w?…\W*\w?\W*|[−+-]?[\d.,]+…[\d.,]*")
"""What is left of a word of which one letter is, or of a number: nobody can tell which it was.

What begins with "…" is a piece that goes on with a word.
"""


def illegible(figure: Figure) -> Phrase | None:
    """The first words of a picture that can't be read, and why; None where all can.

    Args:
        figure: The picture; what is written in it is looked at, and nothing drawn.
    """
    written = [(one.box, one.text) for one in read(figure)]
    for place, text in written:
        goes_on = text.startswith("…") and len(text) > 1
        if "…" in text and not goes_on and CUT_TO_NOTHING.fullmatch(text):
            return Phrase(N_("“{text}” is all that is left of a word."), text=text)
        if place.left() < -MOST_SHARED or place.right() > figure.width + MOST_SHARED:
            return Phrase(N_("“{text}” ends outside the picture."), text=text)
    written.sort(key=lambda one: one[0].top())
    for number, (place, text) in enumerate(written):
        for other, further in written[number + 1 :]:
            if other.top() >= place.bottom():
                break
            shared = place.intersected(other)
            low = min(place.height(), other.height()) * SAME_LINE
            if shared.width() > MOST_SHARED and shared.height() > low:
                lies = N_("“{text}” and “{other}” lie on each other.")
                return Phrase(lies, text=text, other=further)
    return None
