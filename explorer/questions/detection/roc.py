"""The ROC of a detector as a card: the curve, the area under it, and where the threshold is."""

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.numerics.evaluation.outcomes import Counts
from explorer.numerics.evaluation.roc import RocPoint, area_under
from explorer.questions.detection.wording import percent
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import heading, note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Chart, Line, Points, shares_chart

SIDE = 180.0


def roc_card(
    curve: Sequence[RocPoint],
    counts: Counts,
    threshold: float,
    area: float | None = None,
    interval: str | None = None,
) -> Card:
    """Hits against false alarms over all thresholds, and where the threshold is now.

    Args:
        curve: From the strictest threshold to the loosest.
        counts: At the threshold of now.
        threshold: Of now.
        area: Under the whole curve, where only some points of it are given.
        interval: Of the area, as it is written; None where it is not known.
    """
    return Card(tuple(_blocks(curve, counts, threshold, area, interval)), _("ROC"))


def _blocks(
    curve: Sequence[RocPoint],
    counts: Counts,
    threshold: float,
    area: float | None,
    interval: str | None,
) -> Iterator[Block]:
    yield heading(_("ROC"))
    area = area_under(curve) if area is None else area
    if area is None:
        yield note(_("Nothing was replaced, so there is nothing to find and no curve."))
        return
    yield ChartBlock((roc_chart(curve, counts, threshold, area),))
    at = f"{threshold:.2f}"
    yield Numbers(
        (
            Number(
                f"{area:.3f}",
                _("area ({interval})", interval=interval) if interval else _("area under it"),
                _("Chance has 0.5, the dashed line."),
            ),
            Number(
                percent(counts.recall),
                _("hits at {threshold}", threshold=at),
                _("The true positive rate: of the replaced tokens, the share called so."),
            ),
            Number(
                percent(counts.false_alarm_rate),
                _("false alarms"),
                _("The false positive rate: of the originals, the share called replaced."),
            ),
        ),
    )


def roc_chart(curve: Sequence[RocPoint], counts: Counts, threshold: float, area: float) -> Chart:
    """Rates from 0 to 1, the diagonal of chance, the curve, and a point at the threshold."""
    alarms = np.array([point.false_alarm_rate for point in curve])
    hits = np.array([point.hit_rate for point in curve])
    series: list[Line | Points] = [Line("", alarms, hits, "bar", filled=True, marked=False)]
    if counts.recall is not None and counts.false_alarm_rate is not None:
        said = _(
            "At {threshold}\n{hits} hits (true positives)\n{alarms} false alarms (false positives)",
            threshold=f"{threshold:.2f}",
            hits=percent(counts.recall),
            alarms=percent(counts.false_alarm_rate),
        )
        now = Points(
            np.array([counts.false_alarm_rate]),
            np.array([counts.recall]),
            ("",),
            (said,),
            ("text",),
        )
        series.append(now)
    return shares_chart(
        _("Hits against false alarms over all thresholds."),
        tuple(series),
        _("false alarms (false positive rate)"),
        _("hits (true positive rate)"),
        height=SIDE,
        spoken=_("area under the curve {area}", area=f"{area:.3f}"),
    )
