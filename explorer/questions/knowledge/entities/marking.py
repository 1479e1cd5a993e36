"""The marks that tell a fine-tuned model which entities it is asked about.

In the authors' code the entity whose type is asked stands between two "。", the head of a relation
between two "#" and its tail between two "$"; the paper's words for them are [ENT], [HD] and [TL].
"""

from collections.abc import Sequence
from dataclasses import replace

from explorer.api.question import Mention

ENTITY, HEAD, TAIL = "。", "#", "$"


def marked(
    text: str, marks: Sequence[tuple[Mention, str]], mentions: Sequence[Mention]
) -> tuple[str, tuple[Mention, ...]]:
    """A text with marks around some mentions, and where all mentions stand in it then.

    Args:
        text: Which they are of.
        marks: Mentions, apart from each other, and the mark on both sides of each.
        mentions: Of the text.
    """
    inserted = sorted(
        (place, words)
        for one, mark in marks
        for place, words in ((one.start, f"{mark} "), (one.end, f" {mark}"))
    )
    found = text
    for place, words in reversed(inserted):
        found = found[:place] + words + found[place:]
    moved = tuple(
        replace(
            one,
            start=one.start + sum(len(words) for at, words in inserted if at <= one.start),
            end=one.end + sum(len(words) for at, words in inserted if at < one.end),
        )
        for one in mentions
    )
    return found, moved
