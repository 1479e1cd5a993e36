"""How often each method is right in every bundled model, as a matrix."""

from collections.abc import Iterator

import numpy as np

from explorer.questions.cause.attribution_benchmark.question import (
    AttributionBenchmarkResult,
)
from explorer.questions.cause.attribution_benchmark.recorded import every_model
from explorer.questions.cause.attribution_benchmark.wording import (
    SHORT,
)
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks.block import Block
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent, Mark
from explorer.ui.matrices.scale import Scale

SIZE = CellSize(narrowest=30, widest=106, share=0.32, lowest=20, highest=24)


def every_model_matrix(result: AttributionBenchmarkResult) -> Iterator[Block]:
    """What it came to in every bundled model that fills masks."""
    models = every_model()
    names = [one.way.name for one in result.ways]
    values = np.array([[one.share(name) for name in names] for one in models], dtype=np.float32)
    titles = [one.way.title.said for one in result.ways]

    def said(row: int, column: int) -> str:
        one = models[row]
        lines = (
            f"{one.model}: {titles[column]}",
            _(
                "Right at {right} of {places} places: {share}; chance {chance}",
                right=one.right[names[column]],
                places=one.places,
                share=percent(one.share(names[column]), 1),
                chance=percent(one.chance, 1),
            ),
            _("Worth found: {share}", share=percent(one.captured[names[column]], 1)),
        )
        return "\n".join(lines)

    best = values.argmax(axis=1)
    content = HeatContent(
        values,
        tuple(one.model.replace("-miniature", "") for one in models),
        tuple(_(SHORT[one.way]) for one in result.ways),
        Scale(1.0),
        texts=lambda row, column: percent(float(values[row, column])),
        said=said,
        marks=tuple(Mark(row, int(column), "chosen") for row, column in enumerate(best)),
        seams=True,
        with_bar=False,
    )
    yield MatrixBlock(Matrix(content, _("Share of the places at which a method is right")), SIZE)
