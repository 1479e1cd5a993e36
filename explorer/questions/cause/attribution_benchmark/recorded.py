"""What it came to for every bundled model that fills masks: reckoned once, for it takes long."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from explorer.paths import own_resources

FILE = "attribution_benchmark.json"


@dataclass(frozen=True)
class Recorded:
    """One model's.

    Attributes:
        model: Its name.
        places: At how many places methods were tested.
        chance: How often a word drawn at random is right.
        right: By method: at how many places it is.
        captured: By method: what the picked words are worth, as a share of the best ones.
    """

    model: str
    places: int
    chance: float
    right: Mapping[str, int]
    captured: Mapping[str, float]

    def share(self, way: str) -> float:
        """Of a method."""
        return self.right[way] / self.places


def shipped_in() -> Path:
    """The file of all models."""
    return own_resources() / "world" / FILE


@cache
def every_model() -> tuple[Recorded, ...]:
    """All of them, in alphabetical order (`explorer.pretraining.attribution_benchmark`)."""
    kept = json.loads(shipped_in().read_text("utf-8"))
    return tuple(Recorded(**one) for one in kept)
