"""The verdicts over all sentences of a file, on cards: both distributions, ROC, confusion."""

from collections.abc import Iterator

from explorer.numerics.evaluation.clustered_rates import Interval
from explorer.questions.detection.many_draws.measures import confusion_card, histogram_card
from explorer.questions.detection.pooling import PooledVerdicts
from explorer.questions.detection.replaced_tokens.options import THRESHOLD
from explorer.questions.detection.roc import roc_card
from explorer.questions.detection.wording import percent
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import note


def pooled(verdicts: PooledVerdicts, shown: Shown) -> Iterator[Block]:
    """Cards in as many columns as the width holds; how sure they are, by sentences."""
    threshold = shown.value(THRESHOLD)
    counts = verdicts.counts_at(threshold)
    intervals = {
        outcome: _said(interval) for outcome, interval in verdicts.intervals_at(threshold).items()
    }
    area = None if verdicts.interval is None else _said_of_area(verdicts.interval)
    yield Columns(
        (
            histogram_card(verdicts.probability, verdicts.truth, threshold, shown.alone),
            roc_card(verdicts.curve, counts, threshold, verdicts.area, area),
            confusion_card(counts, threshold, intervals),
        ),
        filled=True,
    )
    yield note(
        _(
            "Intervals of 95 %: what other sentences of the kind would have given. Tokens of a "
            "sentence count together."
        )
    )


def _said(interval: Interval) -> str:
    low, high = interval
    return f"{100 * low:.0f}–{percent(high)}"


def _said_of_area(interval: Interval) -> str:
    low, high = interval
    return f"{low:.3f}–{high:.3f}"
