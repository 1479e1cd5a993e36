"""The same layer by layer, in numbers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from explorer.api.question.layer_names import layer_said
from explorer.questions.layers.probe.question import ProbeResult, Scores
from explorer.text import _
from explorer.text.formatting.numbers import decimal, whole
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row


def _spread(values: NDArray[np.float64]) -> str:
    """The mean over the splits, with the worst and the best, in percent."""
    return _(
        "{mean} ({least} to {most})",
        mean=decimal(100 * float(values.mean()), 1),
        least=decimal(100 * float(values.min()), 1),
        most=decimal(100 * float(values.max()), 1),
    )


def numbers_table(result: ProbeResult) -> BarTable:
    """A row a layer, the last one on top; below them, always the commonest label."""
    withheld = result.withheld
    columns = [
        Column(_("probe, %"), words=_("In new sentences: mean of the splits, worst to best.")),
        Column(_("control, %")),
        Column(_("selectivity, %")),
    ]
    if withheld is not None:
        columns.append(Column(_("withheld words, %"), words=_("Words that were never trained on.")))

    def row(layer: int) -> Row:
        scores = result.scores
        every = [scores.accuracy[layer], scores.control[layer], scores.selectivity[layer]]
        if withheld is not None:
            every.append(withheld.accuracy[layer])
        name = result.layers[layer]
        cells = tuple(map(_spread, every))
        return Row(layer_said(name), cells, strong=layer == result.best, key=("layer", name))

    rows = [row(layer) for layer in reversed(range(len(result.layers)))]
    commonest = [_spread(result.scores.majority), "", ""]
    if withheld is not None:
        commonest.append(_spread(withheld.majority))
    rows.append(Row(_("majority label"), tuple(commonest), muted=True, key="majority"))
    rows.append(Row(_("words tested"), tuple(_tested(result)), muted=True, key="tested"))
    return BarTable(
        rows,
        tuple(columns),
        title=_("Layer by layer"),
        bold=False,
        ruled=True,
        label=Column(_("layer")),
    )


def _tested(result: ProbeResult) -> Iterator[str]:
    def said(scores: Scores) -> str:
        least, most = int(scores.tested.min()), int(scores.tested.max())
        if least == most:
            return whole(least)
        return _("{least} to {most}", least=whole(least), most=whole(most))

    yield said(result.scores)
    yield ""
    yield ""
    if result.withheld is not None:
        yield said(result.withheld)
