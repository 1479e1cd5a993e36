"""Every student layer against every teacher layer as coloured cells; a click maps one to one."""

import math

import numpy as np

from explorer.api.question import Colours, Grid, Sets, label_phrase, layer_said, row_name
from explorer.api.question.parts.matrices.grid import Side
from explorer.numerics.distributions.temperature import Floats
from explorer.questions.distillation.distillation_losses.measures import LayerMeasure
from explorer.questions.distillation.distillation_losses.settings import INFINITE, MAP, with_mapped
from explorer.text import N_, _
from explorer.text.formatting.short import number


def colours_of(values: Floats, measure: LayerMeasure) -> Colours:
    """From 0 to the largest; where 1 is the most there can be, from a little below the least."""
    if not measure.more_is_alike:
        return Colours(float(values[np.isfinite(values)].max(initial=0.0)) or 1.0)
    least = math.floor(float(values.min()) * 20 - 1e-9) / 20
    return Colours(1.0, low=min(least, 0.95))


def layers_of(values: Floats, measure: LayerMeasure, mapped: tuple[int, ...]) -> Grid:
    """The cells, and which student layer learns from which of the teacher's.

    Args:
        values: Student layers x teacher layers.
        measure: What the cells hold.
        mapped: The teacher's row for each of the student's, but for the embeddings.
    """
    # Attention has no row and column for the embeddings.
    first = 1 if measure.key.startswith("attention") else 0
    rows, columns = values.shape
    learns = {0: 0, **dict(enumerate(mapped, start=1))}

    def is_mapped(m: int, n: int) -> bool:
        return learns.get(m + first) == n + first

    def can_map(m: int, n: int) -> bool:
        return m + first > 0 and n + first > 0

    def choose(m: int, n: int) -> Sets | None:
        own = with_mapped(mapped, m + first, n + first)
        return Sets({MAP.key: own}, N_("change map")) if can_map(m, n) else None

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

    def side(title: str, count: int) -> Side:
        return Side(title, tuple(label_phrase(row_name(m + first)) for m in range(count)))

    return Grid(
        "map",
        values,
        side(N_("student's layer"), rows),
        side(N_("teacher's layer"), columns),
        "",
        said,
        colours=colours_of(values, measure),
        missing="" if np.isfinite(values).all() else INFINITE,
        framed=[(m, n) for m in range(rows) for n in range(columns) if is_mapped(m, n)],
        gesture=choose,
        in_files=False,
    )
