"""Words of a text swapped for others, and masks that stay on their words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api.question import UserMistake
from explorer.document import Document
from explorer.text import N_

ARROWS = re.compile(r"\s*(?:->|=>|→|>|=)\s*")
WRITTEN = " > "


@dataclass(frozen=True)
class Swap:
    """A word and what stands in its place, wherever it stands."""

    old: str
    new: str

    def written(self) -> str:
        """As an option holds it."""
        return f"{self.old}{WRITTEN}{self.new}"


def swaps_of(written: Sequence[str]) -> tuple[Swap, ...]:
    """Swaps as they are typed: "plant > build", or with another arrow.

    Raises:
        UserMistake: Something typed is none.
    """
    found = []
    for one in written:
        parts = ARROWS.split(one.strip())
        if len(parts) != 2 or not all(parts):
            raise UserMistake(
                N_("“{words}” is no swap."),
                N_("Type the word, an arrow and the other word: plant > build."),
                words=one,
            )
        found.append(Swap(*parts))
    return tuple(found)


def swapped(document: Document, swaps: Sequence[Swap]) -> Document:
    """A text with every word swapped that is not masked; masks stay on their words.

    Raises:
        UserMistake: A word does not stand in the text, or is masked wherever it stands.
    """
    for swap in swaps:
        places = [
            match
            for match in re.finditer(rf"(?<!\w){re.escape(swap.old)}(?!\w)", document.text)
            if not document.is_masked(match.start(), match.end())
        ]
        if not places:
            raise UserMistake(
                N_("“{word}” is not in the text, or is masked there."),
                N_("Swap a word that the model sees."),
                word=swap.old,
            )
        for match in reversed(places):
            document = document.with_words(match.start(), match.end(), swap.new)
    return document
