"""A model against the truth over a file: what every row keeps, and what all of them say."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Cell, Table
from explorer.numerics.evaluation.calibration import Reliability, reliability

COLUMNS = (
    "first_word_probability",
    "first_word_exact",
    "first_word_stands_there",
    "place_divergence",
    "place_entropy",
)
"""A number a place, apart by spaces; empty for a sentence without exact answers."""
HIDDEN = "-"
"""In the place of what stands there, where only a mask does."""


class PlaceNumbers(NamedTuple):
    """What counts of a place.

    Attributes:
        confidence: The model's probability of its first word.
        exact: The exact one of that word.
        stands_there: Whether the text has that word; None where that is hidden.
        divergence: KL(exact || model), in nats.
        entropy: Of the exact distribution, in nats.
    """

    confidence: float
    exact: float
    stands_there: bool | None
    divergence: float
    entropy: float


@dataclass(frozen=True)
class PooledAnswers:
    """What the exact answers about all sentences say.

    Attributes:
        sentences: Those of the world.
        outside: Those that are not, and are left out.
        places: Places of all of them.
        divergence: Mean KL(exact || model) of a place, in nats.
        floor: Mean entropy of a place, in nats.
        by_text: The first word against whether it stands there, where that is seen.
        by_truth: The first word against its exact probability, at every place.
    """

    sentences: int
    outside: int
    places: int
    divergence: float
    floor: float
    by_text: Reliability
    by_truth: Reliability

    @property
    def expected_loss(self) -> float:
        """The model's, over all texts that the places could have had; in nats a place."""
        return self.floor + self.divergence


def place_cells(places: Iterable[PlaceNumbers]) -> Mapping[str, Cell]:
    """What a row keeps of its places."""
    rows = [
        (
            f"{place.confidence:.7g}",
            f"{place.exact:.7g}",
            HIDDEN if place.stands_there is None else str(int(place.stands_there)),
            f"{place.divergence:.7g}",
            f"{place.entropy:.7g}",
        )
        for place in places
    ]
    kept = zip(*rows, strict=True) if rows else [()] * len(COLUMNS)
    return {name: " ".join(column) for name, column in zip(COLUMNS, kept, strict=True)}


def gather(rows: Iterable[Sequence[Cell]]) -> PooledAnswers | None:
    """All places of the rows; None where no row tells of any, not even that it has none."""
    columns: tuple[list[str], ...] = tuple([] for _ in COLUMNS)
    sentences = outside = 0
    for row in rows:
        if row[0] is None:
            continue
        if not row[0]:
            outside += 1
            continue
        sentences += 1
        for kept, cell in zip(columns, row, strict=True):
            kept.extend(str(cell).split())
    if not sentences and not outside:
        return None
    stands = np.array(columns[2], dtype=object)
    confidence, exact, divergence, entropy = (
        np.array(columns[n], dtype=np.float64) for n in (0, 1, 3, 4)
    )
    seen = stands != HIDDEN
    hits = (stands[seen] == "1").astype(np.float64)
    return PooledAnswers(
        sentences,
        outside,
        len(confidence),
        _mean(divergence),
        _mean(entropy),
        reliability(confidence[seen], hits),
        reliability(confidence, exact, drawn=False),
    )


def told(pooled: PooledAnswers) -> Mapping[str, Cell]:
    """The numbers of all sentences."""
    text, truth = pooled.by_text, pooled.by_truth
    known = bool(pooled.places)
    return {
        "sentences": pooled.sentences,
        "sentences_outside": pooled.outside,
        "places": pooled.places,
        "divergence": pooled.divergence if known else None,
        "floor": pooled.floor if known else None,
        "expected_loss": pooled.expected_loss if known else None,
        "confidence": truth.confidence if known else None,
        "exact_accuracy": truth.accuracy if known else None,
        "exact_calibration_error": truth.error,
        "places_of_text": text.count,
        "confidence_of_text": text.confidence if text.count else None,
        "accuracy": text.accuracy if text.count else None,
        "calibration_error": text.error,
        "calibration_error_by_chance": text.by_chance,
    }


def table(pooled: PooledAnswers) -> Table:
    """Both reliability curves, a row a bin."""
    both = (("exact probability", pooled.by_truth), ("text", pooled.by_text))
    return Table(
        ("against", "from", "to", "places", "confidence", "accuracy"),
        tuple(
            (against, one.low, one.high, one.count, one.confidence, one.accuracy)
            for against, found in both
            for one in found.curve
        ),
    )


def _mean(values: NDArray[np.float64]) -> float:
    return math.fsum(values.tolist()) / len(values) if len(values) else 0.0
