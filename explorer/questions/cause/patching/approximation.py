"""What one gradient says of all states, beside what each restores."""

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.questions.cause.patching.grids import matrix
from explorer.questions.cause.patching.question import (
    PatchGrid,
    PatchingResult,
)
from explorer.questions.cause.patching.wording import (
    approximation_said,
    cell_title,
)
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.blocks.text import note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line, Points

POINTS = 250
"""States that are drawn as points at most."""


def approximation(shown: Shown, place: tuple[int, int, int] | None) -> Iterator[Block]:
    """The same cells from one gradient, and how well they agree."""
    result: PatchingResult = shown.result
    yield note(approximation_said(result))
    known = [(n, one) for n, one in enumerate(result.grids) if one.first_order is not None]
    if not known:
        return
    for stack, grid in known:
        yield from matrix(shown, stack, grid, place, about=True)
    yield ChartBlock((_scatter(result, known),), narrowest=CardWidth.MEDIUM)


def _scatter(result: PatchingResult, known: Sequence[tuple[int, PatchGrid]]) -> Chart:
    """Each state by its share and by what the gradient says of it; the strongest of very many."""
    exact, near = (
        np.concatenate([one[:, :-1].ravel() for one in some if one is not None]).astype(np.float64)
        for some in zip(*((one.effects, one.first_order) for _n, one in known), strict=True)
    )
    places = [
        (number, row, column)
        for number, one in known
        for row in range(len(one.rows))
        for column in range(len(one.tokens))
    ]
    order = np.argsort(-np.maximum(abs(exact), abs(near)), kind="stable")[:POINTS]
    names = [cell_title(result, places[number]) for number in order]
    exact, near = exact[order], near[order]
    ends = np.array([min(exact.min(), near.min()), max(exact.max(), near.max())])
    about = _("On the line both agree.")
    if len(places) > POINTS:
        about = _("The {count} strongest states. On the line both agree.", count=POINTS)
    return Chart(
        _("Each state: patched, and to first order"),
        about,
        (
            Line(_("equal"), ends, ends, "muted", "dash", width=1.0, marked=False),
            Points(
                exact,
                near,
                ("",) * len(names),
                tuple(names),
                ("bar",) * len(names),
                radius=3.0,
            ),
        ),
        Axis(_("patched")),
        Axis(_("to first order"), grid=True),
    )
