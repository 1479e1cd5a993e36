"""What it came to for every bundled model that fills masks: reckoned once, for it takes long."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
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
        mass: By method: of all positive scores, the share of the words that matter most.
        rank: By method: the mean correlation of scores and what words are worth.
        hits: By method: 1 at each place where it is right, else 0.
        agrees: 1 at each place where model and world agree, else 0.
        weights: Fingerprint of the model's weights.
        methods: By method: the first characters of its sources' SHA-256 when it was tested.
        version: Of the program.
    """

    model: str
    places: int
    chance: float
    right: Mapping[str, int]
    captured: Mapping[str, float]
    mass: Mapping[str, float] = field(default_factory=dict)
    rank: Mapping[str, float] = field(default_factory=dict)
    hits: Mapping[str, str] = field(default_factory=dict)
    agrees: str = ""
    weights: str = ""
    methods: Mapping[str, str] = field(default_factory=dict)
    version: str = ""

    def share(self, way: str) -> float:
        """Of a method; not a number where the model lacks what it needs."""
        return self.right[way] / self.places if way in self.right else math.nan


def shipped_in() -> Path:
    """The file of all models."""
    return own_resources() / "world" / FILE


@cache
def every_model() -> tuple[Recorded, ...]:
    """All of them, in alphabetical order (`explorer.pretraining.attribution_benchmark`)."""
    kept = json.loads(shipped_in().read_text("utf-8"))
    return tuple(Recorded(**one) for one in kept)
