"""Calibration over a text or a file: what every row keeps, and what all of them say."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Amount,
    Amounts,
    Calibration,
    Cell,
    Manner,
    Rows,
    Said,
    Table,
    column,
)
from explorer.numerics.evaluation.calibration import BINS, Reliability, error_interval, reliability
from explorer.numerics.evaluation.clustered_rates import Interval
from explorer.questions.masking.calibration.word_classes import TITLES as CLASSES
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.intervals import between
from explorer.text.formatting.numbers import decimal, percent

COLUMNS = ("first_word_confidences", "first_words_right", "word_classes")
"""A number or class a token, apart by spaces; spaces of a class are underscores."""
FEWEST = 30
"""Tokens of a class below which its numbers say little."""
IN_TENTHS = partial(percent, places=1)

TITLES = {
    "tokens": N_("tokens"),
    "texts": N_("texts"),
    "accuracy": N_("accuracy"),
    "confidence": N_("mean confidence"),
    "calibration_error": N_("calibration error"),
    "calibration_error_low": N_("calibration error, lower end"),
    "calibration_error_high": N_("calibration error, upper end"),
    "calibration_error_by_chance": N_("calibration error by chance"),
}
"""What columns are called on screen; in files they keep their names."""


@dataclass(frozen=True)
class JudgedWords:
    """Some tokens, and how far their first words are right as often as the model says.

    Attributes:
        found: The reliability curve and its summary.
        error_between: The 95 % interval of the expected calibration error, by texts drawn anew;
            None of a single text.
    """

    found: Reliability
    error_between: Interval | None


@dataclass(frozen=True)
class PooledCalibration:
    """What all tokens say together.

    Attributes:
        texts: How many.
        whole: Of all tokens.
        by_class: Of the tokens of each class that there is, in the order of `CLASSES`.
    """

    texts: int
    whole: JudgedWords
    by_class: Mapping[str, JudgedWords]


def place_cells(places: Iterable[tuple[float, bool, str]]) -> Mapping[str, Cell]:
    """What a row keeps of its tokens: confidence, whether that was right, and the class of each."""
    rows = [
        (f"{confidence:.7g}", str(int(is_right)), kind.replace(" ", "_"))
        for confidence, is_right, kind in places
    ]
    columns = zip(*rows, strict=True) if rows else [()] * len(COLUMNS)
    return {name: " ".join(one) for name, one in zip(COLUMNS, columns, strict=True)}


def gather(rows: Iterable[Sequence[Cell]]) -> PooledCalibration | None:
    """All tokens of the rows; None where there is none."""
    texts = [[str(cell).split() for cell in row] for row in rows if row[0]]
    if not texts:
        return None
    confidence = np.array([float(one) for text in texts for one in text[0]])
    right = np.array([float(one) for text in texts for one in text[1]])
    kinds = np.array([one.replace("_", " ") for text in texts for one in text[2]], dtype=object)
    text_of = np.repeat(np.arange(len(texts)), [len(text[0]) for text in texts])
    by_class = {
        kind: _judged(confidence[kinds == kind], right[kinds == kind], text_of[kinds == kind])
        for kind in CLASSES
        if (kinds == kind).any()
    }
    return PooledCalibration(len(texts), _judged(confidence, right, text_of), by_class)


def _judged(
    confidence: NDArray[np.float64], right: NDArray[np.float64], text_of: NDArray[np.int64]
) -> JudgedWords:
    return JudgedWords(reliability(confidence, right), error_interval(confidence, right, text_of))


def told(pooled: PooledCalibration) -> Mapping[str, Cell]:
    """The numbers of all tokens."""
    found, between = pooled.whole.found, pooled.whole.error_between
    return {
        "texts": pooled.texts,
        "tokens": found.count,
        "accuracy": found.accuracy,
        "confidence": found.confidence,
        "calibration_error": found.error,
        "calibration_error_low": None if between is None else between[0],
        "calibration_error_high": None if between is None else between[1],
        "calibration_error_by_chance": found.by_chance,
    }


def table(pooled: PooledCalibration) -> Table:
    """The reliability curves of all tokens and of each class, a row a bin."""
    every = {"all": pooled.whole, **pooled.by_class}
    return Table(
        ("words", "from", "to", "tokens", "confidence", "accuracy"),
        tuple(
            (name, one.low, one.high, one.count, one.confidence, one.accuracy)
            for name, judged in every.items()
            for one in judged.found.curve
        ),
    )


@dataclass(frozen=True)
class WordClassRow:
    """A class of words, and how far its confidence is deserved."""

    words: str = column(N_("class of word"), key=True)
    tokens: int = column(N_("tokens"), compared=False, dispensable=True)
    confidence: float = column(N_("mean confidence"), written=IN_TENTHS, dispensable=True)
    accuracy: float = column(N_("accuracy"), written=IN_TENTHS)
    error: float = column(N_("calibration error"), digits=3)
    interval: str | None = column(N_("interval"), ink=lambda _said: "muted", dispensable=True)


def parts(pooled: PooledCalibration) -> Iterator[Amounts | Said | Calibration | Rows]:
    """The numbers, the curve, and the same by class of word."""
    found, between = pooled.whole.found, pooled.whole.error_between
    chance = Phrase(
        NN_(
            "By chance alone, a calibrated model would have about {error} at {count} token.",
            "By chance alone, a calibrated model would have about {error} at {count} tokens.",
        ),
        error=f"{found.by_chance or 0.0:.3f}",
        count=found.count,
    )
    yield Amounts(
        (
            Amount(
                "calibration_error",
                N_("calibration error"),
                found.error or 0.0,
                digits=3,
                words=chance if between is None else Phrase.joined((_between(between), chance)),
            ),
            Amount("confidence", N_("mean confidence"), found.confidence, written=IN_TENTHS),
            Amount("accuracy", N_("accuracy"), found.accuracy, written=IN_TENTHS),
            Amount("tokens", N_("tokens"), found.count),
        ),
        in_summary=False,
    )
    if between is not None:
        yield Said(_between(between), Manner.NOTE, near=True)
    yield Said(chance, Manner.NOTE, near=True)
    yield Calibration(
        found,
        N_("confidence: the model's probability of its first word"),
        N_("accuracy"),
        NN_("{count} token", "{count} tokens"),
        N_("On the diagonal, words are right as often as the model says. Bars: shares of tokens."),
    )
    yield Rows(
        WordClassRow,
        tuple(_row(kind, one) for kind, one in pooled.by_class.items()),
        "error",
        words=lambda row: Phrase(
            N_("So few tokens say little.")
            if row.tokens < FEWEST
            else N_("The calibration error of this class alone, in {bins} bins."),
            bins=BINS,
        ),
        in_files=False,
        title=N_("By class of word"),
        drops_empty=True,
    )


def _between(interval: Interval) -> Phrase:
    low, high = interval
    return Phrase(
        N_("95 % interval of the error, by texts drawn anew: {low} to {high}."),
        low=decimal(low, 3),
        high=decimal(high, 3),
    )


def _row(kind: str, one: JudgedWords) -> WordClassRow:
    ends = one.error_between
    return WordClassRow(
        Phrase(CLASSES[kind]),
        one.found.count,
        one.found.confidence,
        one.found.accuracy,
        one.found.error or 0.0,
        None if ends is None else between(*ends, partial(decimal, places=3)),
    )
