"""The matrix of all layers; a student's layers are its rows."""

import math
from collections.abc import Mapping

from explorer.api import SECOND
from explorer.api.question.layer_names import layer_label, layer_said
from explorer.questions.layers.layer_similarity.question import (
    UNBIASED,
    Floats,
    LayerSimilarityResult,
    ModelLayers,
)
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent, Mark
from explorer.ui.matrices.scale import Scale

SIZE = CellSize(narrowest=10, widest=88, share=0.5, lowest=14, highest=40)


def values_of(result: LayerSimilarityResult, measure: str) -> Floats:
    """First's layers x second's."""
    return result.unbiased if measure == UNBIASED else result.cka


def is_turned(result: LayerSimilarityResult) -> bool:
    """Whether the second model's layers are the rows, since it was taught by the first."""
    return result.student == SECOND


def cka_block(
    result: LayerSimilarityResult, measure: str, title: str, titles: Mapping[str, str]
) -> MatrixBlock:
    """How alike all layers are; the ones that a student was made from are framed."""
    turned = is_turned(result)
    rows, columns = (result.columns, result.first) if turned else (result.first, result.columns)
    values = values_of(result, measure)
    values = values.T if turned else values

    def pair(row: int, column: int) -> tuple[int, int]:
        return (column, row) if turned else (row, column)

    def said(row: int, column: int) -> str:
        first, second = pair(row, column)
        lines = [
            _(
                "{layer} of {model}, {other} of {second}",
                layer=layer_said(rows.layers[row]),
                model=titles[rows.model.id],
                other=layer_said(columns.layers[column]),
                second=titles[columns.model.id],
            ),
            _("Linear CKA: {value}", value=decimal(float(result.cka[first, second]), 4)),
            _("Unbiased: {value}", value=decimal(float(result.unbiased[first, second]), 4)),
        ]
        if result.student and result.is_taught(first, second):
            lines.append(_("The student's layer was made from this one."))
        return "\n".join(lines)

    content = HeatContent(
        values,
        labels(rows),
        labels(columns),
        scale_of(values),
        row_title=_("layer of {model}", model=titles[rows.model.id]),
        column_title=_("layer of {model}", model=titles[columns.model.id]),
        said=said,
        written=lambda value: decimal(value, 2),
        marks=tuple(
            Mark(row, column, "chosen")
            for row in range(len(rows.layers))
            for column in range(len(columns.layers))
            if result.student and result.is_taught(*pair(row, column))
        ),
        seams=True,
    )
    return MatrixBlock(Matrix(content, title=title), SIZE)


def labels(model: ModelLayers) -> tuple[str, ...]:
    """Beside the cells."""
    return tuple(layer_label(name) for name in model.layers)


def scale_of(values: Floats) -> Scale:
    """From a little below the least value to 1, so that layers can be told apart."""
    least = math.floor(float(values.min()) * 20 - 1e-9) / 20
    return Scale(1.0, low=min(least, 0.95))
