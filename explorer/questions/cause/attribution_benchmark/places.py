"""The places that methods are tested at, with what each word is exactly worth there."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.paths import own_resources

if TYPE_CHECKING:
    from explorer.world.exact.unseen import Unseen

FILE = "unseen.json"


@dataclass(frozen=True)
class KnownPlace:
    """A place in a text of the small world that was kept from training.

    Attributes:
        text: As a person writes it.
        words: First character and one past the last of each word and mark.
        asked: Number of the word that is hidden and explained.
        losses: By how much its exact log-probability falls where each word is unseen, in nats.
        log_probability: That one, with all other words seen; None in answers of before this was
            told.
    """

    text: str
    words: tuple[tuple[int, int], ...]
    asked: int
    losses: tuple[float, ...]
    log_probability: float | None = None

    @staticmethod
    def of(place: "Unseen") -> "KnownPlace":
        """A place with its text spelled."""
        # Every engine knows this question, and few are asked it.
        from explorer.world.corpus import sentence_words, spell

        text = " ".join(spell(one) for one in sentence_words(place.words))
        spans = []
        at = 0
        for word in place.words:
            at += text[at : at + 1] == " "
            spans.append((at, at + len(word)))
            at += len(word)
        return KnownPlace(text, tuple(spans), place.asked, place.losses, place.log_probability)

    @property
    def right(self) -> tuple[int, ...]:
        """The words that matter most: one, or several of the same worth."""
        most = max(self.losses)
        return tuple(n for n, one in enumerate(self.losses) if one == most)

    @property
    def chance(self) -> float:
        """How often a word drawn at random is right."""
        return len(self.right) / (len(self.words) - 1)

    def word(self, number: int) -> str:
        """A word as it is written."""
        start, end = self.words[number]
        return self.text[start:end]


def shipped_in() -> Path:
    """The file of all places."""
    return own_resources() / "world" / FILE


@cache
def every_place() -> "tuple[Unseen, ...]":
    """All of them: reckoned once, for it takes minutes (`explorer.pretraining.unseen`)."""
    from explorer.world.exact.unseen import Unseen

    kept = json.loads(shipped_in().read_text("utf-8"))
    return tuple(
        Unseen(
            tuple(one["words"].split()), one["asked"], one["log_probability"], tuple(one["losses"])
        )
        for one in kept
    )
