"""Verdicts over the sentences of a file: kept with every row, pooled into one ROC."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Cell
from explorer.numerics.evaluation.clustered_rates import Interval, area_interval, rate_interval
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD, Counts, Outcome
from explorer.numerics.evaluation.roc import RocPoint, pooled_curve

REPLACED, ORIGINAL = "probability_if_replaced", "probability_if_original"
"""Columns: the probabilities of replaced tokens, and of originals, apart by spaces."""
COLUMNS = (REPLACED, ORIGINAL)
DIGITS = 5


@dataclass(frozen=True)
class PooledVerdicts:
    """The verdicts of all rows.

    Attributes:
        probability: That a token was replaced, token after token.
        truth: Whether it was.
        sentence: Number of the row of each, from 0 on.
        sentences: Rows that have verdicts.
        curve: The ROC; empty where all tokens were replaced, or none was.
        area: Under it, or None.
        interval: Of the area, 95 %, by sentences; None where there are too few.
    """

    probability: NDArray[np.float32]
    truth: NDArray[np.bool_]
    sentence: NDArray[np.int32]
    sentences: int
    curve: tuple[RocPoint, ...]
    area: float | None
    interval: Interval | None

    def counts_at(self, threshold: float) -> Counts:
        """The outcomes at a threshold."""
        said = self.probability > threshold
        return Counts(
            int((said & self.truth).sum()),
            int((~said & self.truth).sum()),
            int((said & ~self.truth).sum()),
            int((~said & ~self.truth).sum()),
        )

    def intervals_at(self, threshold: float) -> Mapping[Outcome, Interval]:
        """Of each outcome's share of the tokens of which the same is true, 95 %."""
        said = self.probability > threshold
        found: dict[Outcome, Interval] = {}
        for outcome, called, replaced in (
            (Outcome.HIT, True, True),
            (Outcome.MISS, False, True),
            (Outcome.FALSE_ALARM, True, False),
            (Outcome.CORRECT_REJECTION, False, False),
        ):
            inside = self.truth == replaced
            among = np.bincount(self.sentence[inside], minlength=self.sentences)
            hit = inside & (said == called)
            hits = np.bincount(self.sentence[hit], minlength=self.sentences)
            interval = rate_interval(hits, among)
            if interval is not None:
                found[outcome] = interval
        return found


def verdict_cells(probability: Sequence[float], truth: Sequence[bool]) -> Mapping[str, Cell]:
    """What a row keeps of its sentence's verdicts."""
    pairs = list(zip(probability, truth, strict=True))
    return {
        name: " ".join(f"{chance:.{DIGITS}f}" for chance, is_so in pairs if is_so is replaced)
        for name, replaced in ((REPLACED, True), (ORIGINAL, False))
    }


def gather(rows: Iterable[Sequence[Cell]]) -> PooledVerdicts | None:
    """All verdicts of the rows; None where there is none."""
    chances: list[NDArray[np.float32]] = []
    truths: list[NDArray[np.bool_]] = []
    owners: list[NDArray[np.int32]] = []
    count = 0
    for row in rows:
        for cell, replaced in zip(row, (True, False), strict=True):
            found = np.array(str(cell or "").split(), dtype=np.float32)
            chances.append(found)
            truths.append(np.full(len(found), replaced))
            owners.append(np.full(len(found), count, dtype=np.int32))
        count += 1
    probability = np.concatenate(chances) if chances else np.zeros(0, np.float32)
    if not len(probability):
        return None
    truth, sentence = np.concatenate(truths), np.concatenate(owners)
    curve, area = pooled_curve(probability, truth)
    found_area = area_interval(probability, truth, sentence)
    return PooledVerdicts(
        probability,
        truth,
        sentence,
        count,
        curve,
        area,
        None if found_area is None else found_area[1],
    )


def told(pooled: PooledVerdicts, threshold: float = DEFAULT_THRESHOLD) -> Mapping[str, Cell]:
    """The measures of all sentences, each with the ends of its 95 % interval."""
    counts, intervals = pooled.counts_at(threshold), pooled.intervals_at(threshold)
    recall, alarms = intervals.get(Outcome.HIT), intervals.get(Outcome.FALSE_ALARM)
    return {
        "sentences": pooled.sentences,
        "tokens": counts.tokens,
        "threshold": threshold,
        "hits": counts.hits,
        "misses": counts.misses,
        "false_alarms": counts.false_alarms,
        "correct_rejections": counts.correct_rejections,
        "precision": counts.precision,
        "recall": counts.recall,
        **_ends("recall", recall),
        "false_alarm_rate": counts.false_alarm_rate,
        **_ends("false_alarm_rate", alarms),
        "roc_area": pooled.area,
        **_ends("roc_area", pooled.interval),
    }


def _ends(name: str, interval: Interval | None) -> Mapping[str, Cell]:
    low, high = interval if interval is not None else (None, None)
    return {f"{name}_from": low, f"{name}_to": high}
