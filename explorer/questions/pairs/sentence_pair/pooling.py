"""Judgements of many pairs: how many are right, what is taken for what, and how surely."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Amount,
    Amounts,
    Calibration,
    Cards,
    Cell,
    Colours,
    Grid,
    OneCard,
    Table,
    column,
)
from explorer.api.question.parts.matrices.grid import Side
from explorer.numerics.evaluation.calibration import Reliability, reliability
from explorer.questions.pairs.sentence_pair.wording import named
from explorer.text import N_, NN_, Phrase, said, verbatim
from explorer.text.formatting.numbers import percent, whole

COLUMNS = ("right_label", "said_label", "said_probability")


@dataclass(frozen=True)
class Confidence:
    """How surely classes are said, and whether that is deserved.

    Attributes:
        found: Of the probabilities of the classes that were said, of one at least.
        right: The mean one of those that are right; None where none is.
        wrong: Of those that are wrong.
    """

    found: Reliability
    right: float | None
    wrong: float | None


@dataclass(frozen=True)
class ConfusionMatrix:
    """Which classes were said of which.

    Attributes:
        labels: Right ones and said ones, in the order of their letters.
        counts: By the right label and the said one.
        confidence: How surely; None in results of before, which did not keep that.
    """

    labels: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]
    confidence: Confidence | None = None

    @property
    def total(self) -> int:
        """Pairs whose right class is known."""
        return sum(self.counts.values())

    @property
    def right(self) -> int:
        """Those that were judged so."""
        return sum(count for (wanted, said), count in self.counts.items() if wanted == said)


def gather(rows: Iterable[Sequence[Cell]]) -> ConfusionMatrix | None:
    """All rows' classes; None where no right one is known."""
    known = [row for row in rows if row[0] not in ("", None)]
    if not known:
        return None
    pairs = [(str(wanted), str(said)) for wanted, said, _chance in known]
    labels = sorted({label for pair in pairs for label in pair})
    sure = [(row[2], row[0] == row[1]) for row in known if isinstance(row[2], float)]
    return ConfusionMatrix(tuple(labels), Counter(pairs), _confidence(sure) if sure else None)


def _confidence(judged: Sequence[tuple[float, bool]]) -> Confidence:
    """Of the probability of what was said, and whether it is right."""
    chances = np.array([chance for chance, _is_right in judged], dtype=np.float64)
    hits = np.array([is_right for _chance, is_right in judged], dtype=bool)
    found = reliability(chances, hits.astype(np.float64))
    return Confidence(found, _mean(chances[hits]), _mean(chances[~hits]))


def _mean(values: NDArray[np.float64]) -> float | None:
    return float(values.mean()) if len(values) else None


TITLES = {
    "pairs": N_("pairs"),
    "accuracy": N_("accuracy"),
    "confidence": N_("confidence"),
    "confidence_where_right": N_("confidence where right"),
    "confidence_where_wrong": N_("confidence where wrong"),
    "calibration_error": N_("calibration error"),
    "calibration_error_by_chance": N_("calibration error by chance"),
    "right_label": N_("right class"),
    "said_label": N_("said class"),
    "said_probability": N_("probability of the said class"),
}
"""What these are called on screen; in files they keep their names."""


def told(pooled: ConfusionMatrix) -> Mapping[str, Cell]:
    """The numbers."""
    numbers: dict[str, Cell] = {
        "pairs": pooled.total,
        "right": pooled.right,
        "accuracy": pooled.right / pooled.total,
    }
    sure = pooled.confidence
    if sure is not None:
        numbers |= {
            "confidence": sure.found.confidence,
            "confidence_where_right": sure.right,
            "confidence_where_wrong": sure.wrong,
            "calibration_error": sure.found.error,
            "calibration_error_by_chance": sure.found.by_chance,
        }
    return numbers


@dataclass(frozen=True)
class ConfusionRow:
    """How often a class was said where another one, or the same, is right."""

    right: str = column(N_("right"), key=True)
    said: str = column(N_("said"), key=True)
    count: int = column(N_("number"))


def confusion(pooled: ConfusionMatrix) -> Table:
    """One row a right class and a said one."""
    rows = (
        ConfusionRow(wanted, said, pooled.counts.get((wanted, said), 0))
        for wanted in pooled.labels
        for said in pooled.labels
    )
    return Table.of(ConfusionRow, rows)


def pooled(found: ConfusionMatrix) -> Sequence[Amounts | Grid | Cards | Calibration]:
    """The share that is right and the confusion; beside them, whether confidence is deserved."""
    right = Amounts(
        (
            Amount(
                "accuracy",
                N_("judged rightly"),
                found.right / found.total,
                words=N_("Of the pairs whose class is in the file."),
                written=_in_tenths,
            ),
            Amount("pairs", N_("pairs"), found.total),
        )
    )
    sure = found.confidence
    if sure is None:
        return (right, _confusion(found))
    surely = OneCard(N_("How surely"), (_how_surely(sure), _calibration(sure.found)))
    return (Cards((OneCard("", (right, _confusion(found))), surely), framed=False),)


def _in_tenths(share: float) -> str:
    return percent(share, 1)


def _confusion(found: ConfusionMatrix) -> Grid:
    """The right class in the rows, the one that was said in the columns."""
    values = np.array(
        [[found.counts.get((wanted, said), 0) for said in found.labels] for wanted in found.labels],
        dtype=np.float32,
    )
    names = named(found.labels) or tuple(map(verbatim, found.labels))

    def told_of(row: int, column: int) -> str:
        return f"{said(names[row])} → {said(names[column])}: {whole(int(values[row, column]))}"

    title = N_("Which classes are taken for which")
    return Grid(
        "confusion",
        values,
        Side(N_("right"), names),
        Side(N_("said"), names),
        title,
        told_of,
        lambda value: whole(int(value)),
        Colours(float(values.max(initial=0.0)) or 1.0),
        title=title,
    )


def _how_surely(sure: Confidence) -> Amounts:
    """How probable the classes that were said are."""
    found = sure.found
    error = Phrase(
        N_(
            "The expected calibration error (ECE, Guo et al. 2017). By chance alone, a calibrated "
            "model would have about {error} here."
        ),
        error=f"{found.by_chance or 0.0:.3f}",
    )
    about = N_("The probability of the class that was said.")
    return Amounts(
        (
            Amount("confidence", N_("mean confidence"), found.confidence, digits=3, words=about),
            Amount("confidence_where_right", N_("where it is right"), sure.right, digits=3),
            Amount("confidence_where_wrong", N_("where it is wrong"), sure.wrong, digits=3),
            Amount(
                "calibration_error",
                N_("calibration error"),
                found.error or 0.0,
                digits=3,
                words=error,
            ),
        )
    )


def _calibration(found: Reliability) -> Calibration:
    """The same against how often they are right."""
    return Calibration(
        found,
        N_("confidence"),
        N_("share that is right"),
        NN_("{count} pair", "{count} pairs"),
        N_(
            "On the diagonal, classes are right as often as they are probable. Bars: the share of "
            "the pairs."
        ),
    )
