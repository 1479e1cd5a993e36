"""What is measured over verdicts, on cards: both distributions, the ROC, the confusion matrix."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Amount, Amounts, Cards, Manner, OneCard, Part, Roc, Said
from explorer.numerics.evaluation.clustered_rates import Interval
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD, Counts, Outcome
from explorer.numerics.evaluation.roc import RocPoint, area_under
from explorer.questions.detection.pooling import PooledVerdicts
from explorer.questions.detection.wording import percent
from explorer.text import N_, Phrase

BINS = 20


@dataclass(frozen=True)
class Histogram(Part):
    """How a discriminator's probabilities lie, of originals and of replaced tokens.

    Attributes:
        probability: Of having been replaced, by token.
        truth: Whether it was.
        threshold: From where a token counts as replaced.
    """

    DRAWN_BY: ClassVar[str] = f"{__package__}.histogram"

    probability: NDArray[np.float32]
    truth: NDArray[np.bool_]
    threshold: float

    @property
    def edges(self) -> NDArray[np.floating[Any]]:
        """Between the bins."""
        return np.linspace(0.0, 1.0, BINS + 1)

    def shares(self, *, replaced: bool) -> NDArray[np.floating[Any]]:
        """Of the tokens of which the same is true, those of each bin."""
        counts, _edges = np.histogram(self.probability[self.truth == replaced], self.edges)
        return counts / max(1, int(counts.sum()))


@dataclass(frozen=True)
class Verdicts(Part):
    """The four outcomes as a matrix.

    Attributes:
        counts: At the threshold.
        intervals: Of an outcome's share of the tokens of which the same is true.
    """

    DRAWN_BY: ClassVar[str] = f"{__package__}.confusion"

    counts: Counts
    intervals: Mapping[Outcome, Interval] = field(default_factory=dict)


def histogram_card(
    probability: NDArray[np.float32], truth: NDArray[np.bool_], threshold: float
) -> OneCard:
    """How the discriminator's probabilities lie: originals above the line, replaced below."""
    title = N_("Probabilities of originals and replaced tokens")
    return OneCard(title, (Histogram(probability, truth, threshold),))


def roc_card(
    curve: Sequence[RocPoint],
    counts: Counts,
    threshold: float,
    area: float | None = None,
    interval: Interval | None = None,
) -> OneCard:
    """Hits against false alarms over all thresholds, and where the threshold is now.

    Args:
        curve: From the strictest threshold to the loosest.
        counts: At the threshold of now.
        threshold: Of now.
        area: Under the whole curve, where only some points of it are given.
        interval: Of the area; None where it is not known.
    """
    area = area_under(curve) if area is None else area
    if area is None:
        nothing = N_("Nothing was replaced, so there is nothing to find and no curve.")
        return OneCard(N_("ROC"), (Said(nothing),))
    at, rates = f"{threshold:.2f}", (counts.false_alarm_rate, counts.recall)
    said = Phrase(
        N_("At {threshold}\n{hits} hits (true positives)\n{alarms} false alarms (false positives)"),
        threshold=at,
        hits=percent(counts.recall),
        alarms=percent(counts.false_alarm_rate),
    )
    found = Roc(
        tuple(curve),
        area,
        N_("false alarms (false positive rate)"),
        N_("hits (true positive rate)"),
        N_("Hits against false alarms over all thresholds."),
        None if None in rates else RocPoint(threshold, *(rate or 0.0 for rate in rates)),
        said,
    )
    between = interval and "–".join(f"{end:.3f}" for end in interval)
    numbers = (
        Amount(
            "roc_area",
            Phrase(N_("area ({interval})"), interval=between) if between else N_("area under it"),
            area,
            digits=3,
            words=N_("Chance has 0.5, the dashed line."),
        ),
        _share(
            "recall",
            Phrase(N_("hits at {threshold}"), threshold=at),
            counts.recall,
            N_("The true positive rate: of the replaced tokens, the share called so."),
        ),
        _share(
            "false_alarm_rate",
            N_("false alarms"),
            counts.false_alarm_rate,
            N_("The false positive rate: of the originals, the share called replaced."),
        ),
    )
    return OneCard(N_("ROC"), (found, Amounts(numbers, in_summary=False)))


def confusion_card(
    counts: Counts, threshold: float, intervals: Mapping[Outcome, Interval] | None = None
) -> OneCard:
    """The four outcomes as a matrix, and precision, recall and accuracy."""
    numbers = (
        _share(
            "precision",
            N_("precision"),
            counts.precision,
            N_("Of the tokens called replaced, the share that was."),
        ),
        _share(
            "recall",
            N_("recall"),
            counts.recall,
            N_("Of the replaced tokens, the share that is called so."),
        ),
        _share(
            "accuracy", N_("accuracy"), counts.accuracy, N_("The share that is judged rightly.")
        ),
    )
    title = Phrase(N_("Confusion matrix at {threshold}"), threshold=f"{threshold:.2f}")
    return OneCard(title, (Verdicts(counts, intervals or {}), Amounts(numbers, in_summary=False)))


def _share(name: str, title: str, share: float | None, words: str) -> Amount:
    """A dash stands for a share that is not defined."""
    return Amount(name, title, percent(share), words=words)


def pooled(verdicts: PooledVerdicts, threshold: float = DEFAULT_THRESHOLD) -> tuple[Cards, Said]:
    """Over all sentences of a file; how sure they are, by sentences."""
    counts = verdicts.counts_at(threshold)
    cards = (
        histogram_card(verdicts.probability, verdicts.truth, threshold),
        roc_card(verdicts.curve, counts, threshold, verdicts.area, verdicts.interval),
        confusion_card(counts, threshold, verdicts.intervals_at(threshold)),
    )
    how = N_(
        "Intervals of 95 %: what other sentences of the kind would have given. Tokens of a "
        "sentence count together."
    )
    return Cards(cards, filled=True), Said(how, Manner.EXPLANATION)
