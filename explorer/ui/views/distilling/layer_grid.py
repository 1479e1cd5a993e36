"""Every student layer against every teacher layer as coloured cells; a click maps one to one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.numerics.temperature import Floats
from explorer.ui.matrices.block import CellSize, LaidMatrix, Matrix
from explorer.ui.matrices.heat_layout import HeatContent, Mark
from explorer.ui.matrices.scale import Scale, number

SIZE = CellSize(10.0, 76.0, 0.52, 12.0, 34.0)


@dataclass(frozen=True)
class Measure:
    """What the cells hold.

    Attributes:
        key: "mse", "cosine", "cka", "attention_mse" or "attention_kl".
        title: In the chooser.
        words: What it means, and which end is alike.
        more_is_alike: A large number means alike layers.
    """

    key: str
    title: str
    words: str
    more_is_alike: bool


def scale_of(values: Floats, measure: Measure) -> Scale:
    """From 0 to the largest; where 1 is the most there can be, from a little below the least."""
    if not measure.more_is_alike:
        return Scale(float(values.max()) or 1.0)
    least = math.floor(float(values.min()) * 20 - 1e-9) / 20
    return Scale(1.0, low=min(least, 0.95))


def layer_grid(
    values: Floats,
    measure: Measure,
    mapped: Sequence[int],
    width: float,
    *,
    with_embeddings: bool,
) -> LaidMatrix:
    """A block: the cells, and which student layer learns from which of the teacher's.

    Args:
        values: Student layers x teacher layers.
        measure: What the cells hold.
        mapped: For each of the student's layers from 1 on, the teacher's it learns from.
        width: In pixels.
        with_embeddings: The first row and column are the embeddings.
    """
    first = 0 if with_embeddings else 1
    rows, columns = values.shape

    def is_mapped(m: int, n: int) -> bool:
        student, teacher = m + first, n + first
        if student == 0:
            return teacher == 0
        return student <= len(mapped) and mapped[student - 1] == teacher

    def key(m: int, n: int) -> tuple[str, tuple[int, int]] | None:
        student, teacher = m + first, n + first
        return ("map", (student, teacher)) if student and teacher else None

    def said(m: int, n: int) -> str:
        lines = [
            f"Student {_name(m + first)}, teacher {_name(n + first)}",
            f"{measure.title}: {number(float(values[m, n]))}",
        ]
        if is_mapped(m, n):
            lines.append("The student's layer learns from this one.")
        elif key(m, n) is not None:
            lines.append("Click to let the student's layer learn from this one.")
        return "\n".join(lines)

    content = HeatContent(
        values,
        tuple(_short(m + first) for m in range(rows)),
        tuple(_short(n + first) for n in range(columns)),
        scale_of(values, measure),
        row_title="student",
        column_title="teacher's layer",
        said=said,
        marks=tuple(
            Mark(m, n, "chosen") for m in range(rows) for n in range(columns) if is_mapped(m, n)
        ),
        seams=True,
    )
    return LaidMatrix(Matrix(content, key=key), width, SIZE)


def _short(layer: int) -> str:
    return str(layer) if layer else "emb."


def _name(layer: int) -> str:
    return f"layer {layer}" if layer else "embeddings"
