"""The page of a file of pairs: how many are judged rightly, what is taken for what, how surely."""

from collections.abc import Iterator

import numpy as np

from explorer.numerics.evaluation.calibration import Bin
from explorer.questions.pairs.sentence_pair.pooling import Confidence, Confusion
from explorer.questions.pairs.sentence_pair.wording import classes_said
from explorer.text import _, ngettext
from explorer.text.formatting.numbers import decimal, percent, whole
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import heading
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.reliability import reliability_chart
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale

COUNTS = CellSize(narrowest=40, widest=176, share=0.25, lowest=24, highest=44)


def pooled(found: Confusion, _shown: Shown) -> Iterator[Block]:
    """The share that is right and the confusion; beside them, whether confidence is deserved."""
    share = percent(found.right / found.total, 1)
    numbers = [
        Number(share, _("judged rightly"), _("Of the pairs whose class the file tells.")),
        Number(whole(found.total), _("pairs")),
    ]
    sure = found.confidence
    if sure is None:
        yield Numbers(numbers)
        yield _confusion(found)
        return
    title = _("How surely")
    yield Columns(
        (
            Card((Numbers(numbers), _confusion(found)), _("Which classes are taken for which")),
            Card((heading(title), *_confidence(sure)), title),
        ),
        framed=False,
    )


def _confusion(found: Confusion) -> MatrixBlock:
    """The right class in the rows, the one that was said in the columns."""
    values = np.array(
        [[found.counts.get((wanted, said), 0) for said in found.labels] for wanted in found.labels],
        dtype=np.float32,
    )
    names = classes_said(found.labels)
    content = HeatContent(
        values,
        names,
        names,
        Scale.from_zero(values),
        row_title=_("right"),
        column_title=_("said"),
        written=lambda value: whole(int(value)),
        seams=True,
    )
    return MatrixBlock(Matrix(content, title=_("Which classes are taken for which")), COUNTS)


def _confidence(sure: Confidence) -> Iterator[Block]:
    """How probable the classes that were said are, against how often they are right."""
    found = sure.found
    yield Numbers(
        [
            Number(
                decimal(found.confidence, 3),
                _("mean confidence"),
                _("The probability of the class that was said."),
            ),
            *_where(sure.right, _("where it is right")),
            *_where(sure.wrong, _("where it is wrong")),
            Number(
                decimal(found.error or 0.0, 3),
                _("calibration error"),
                _(
                    "The expected calibration error (ECE, Guo et al. 2017). By chance alone, a "
                    "calibrated model would have about {error} here.",
                    error=decimal(found.by_chance or 0.0, 3),
                ),
            ),
        ]
    )
    about = _(
        "On the diagonal, classes are right as often as they are probable. Bars: the share of the "
        "pairs."
    )
    titles = (_("confidence"), _("share that is right"))
    yield ChartBlock((reliability_chart(found, about, titles, _bin_said),))


def _where(confidence: float | None, name: str) -> Iterator[Number]:
    if confidence is not None:
        yield Number(decimal(confidence, 3), name)


def _bin_said(one: Bin) -> str:
    return ngettext(
        "{count} pair from {low} to {high}\nconfidence {confidence}\nright {accuracy}",
        "{count} pairs from {low} to {high}\nconfidence {confidence}\nright {accuracy}",
        one.count,
        low=decimal(one.low, 2),
        high=decimal(one.high, 2),
        confidence=decimal(one.confidence, 3),
        accuracy=percent(one.accuracy, 1),
    )
