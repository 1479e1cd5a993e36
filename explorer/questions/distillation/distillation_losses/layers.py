"""Every student layer against every teacher layer as coloured cells; a click maps one to one."""

import math
from collections.abc import Iterator
from typing import Any

from explorer.api.question.layer_names import layer_label, layer_said
from explorer.api.question.layers import row_name
from explorer.numerics.distributions.temperature import Floats
from explorer.questions.distillation.distillation_losses.measures import (
    Measure,
    measure_of,
    values_of,
)
from explorer.questions.distillation.distillation_losses.settings import (
    MAP,
    MEASURE,
    settings_of,
    with_mapped,
)
from explorer.questions.distillation.distillation_losses.terms import layers_learnt
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.document.gestures import Edit, set_options
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent, Mark
from explorer.ui.matrices.scale import Scale, number

SIZE = CellSize(10.0, 96.0, 0.52, 12.0, 44.0)


def scale_of(values: Floats, measure: Measure) -> Scale:
    """From 0 to the largest; where 1 is the most there can be, from a little below the least."""
    if not measure.more_is_alike:
        return Scale(float(values.max()) or 1.0)
    least = math.floor(float(values.min()) * 20 - 1e-9) / 20
    return Scale(1.0, low=min(least, 0.95))


def layer_matrix(shown: Shown) -> Iterator[Block]:
    """The cells, and which student layer learns from which of the teacher's."""
    measure = measure_of(MEASURE.of(shown.now))
    values = values_of(shown.result.layers, measure)
    if values is not None:
        yield matrix_of(shown, values, measure)


def matrix_of(shown: Shown, values: Floats, measure: Measure) -> MatrixBlock:
    """The same.

    Args:
        shown: What the page is made from.
        values: Student layers x teacher layers.
        measure: What the cells hold.
    """
    mapped = layers_learnt(shown.result, settings_of(shown.now))
    # Attention has no row and column for the embeddings.
    first = 1 if measure.key.startswith("attention") else 0
    rows, columns = values.shape

    def is_mapped(m: int, n: int) -> bool:
        student, teacher = m + first, n + first
        if student == 0:
            return teacher == 0
        return student <= len(mapped) and mapped[student - 1] == teacher

    def can_map(m: int, n: int) -> bool:
        return m + first > 0 and n + first > 0

    def choose(m: int, n: int) -> Edit | None:
        if not can_map(m, n):
            return None
        own = with_mapped(mapped, m + first, n + first)
        return set_options(shown.now, {MAP.key: own}, _("change map"))

    def said(m: int, n: int) -> str:
        lines = [
            _(
                "Student {name}, teacher {name_2}",
                name=layer_said(row_name(m + first)),
                name_2=layer_said(row_name(n + first)),
            ),
            _("{name}: {value}", name=_(measure.title), value=number(float(values[m, n]))),
        ]
        if is_mapped(m, n):
            lines.append(_("The student's layer learns from this one."))
        elif can_map(m, n):
            lines.append(_("Click to let the student's layer learn from this one."))
        return "\n".join(lines)

    content = HeatContent(
        values,
        tuple(layer_label(row_name(m + first)) for m in range(rows)),
        tuple(layer_label(row_name(n + first)) for n in range(columns)),
        scale_of(values, measure),
        row_title=_("student's layer"),
        column_title=_("teacher's layer"),
        said=said,
        marks=tuple(
            Mark(m, n, "chosen") for m in range(rows) for n in range(columns) if is_mapped(m, n)
        ),
        seams=True,
    )

    def key(m: int, n: int) -> Any:
        return ("map", (m + first, n + first)) if can_map(m, n) else None

    return MatrixBlock(Matrix(content, key=key, act=choose), SIZE)
