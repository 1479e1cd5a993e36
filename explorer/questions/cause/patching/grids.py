"""What the states of a stack restore, as a matrix of rows and tokens."""

from collections.abc import Iterator

import numpy as np

from explorer.api import Component
from explorer.questions.cause.patching.question import (
    CELL,
    DENOISE,
    PatchGrid,
    PatchingResult,
)
from explorer.questions.cause.patching.wording import (
    column_label,
    column_said,
    component_title,
    in_cell,
    row_label,
    row_said,
    share,
)
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text
from explorer.ui.matrices.block import CellSize, Matrix
from explorer.ui.matrices.heat_layout import HeatContent, Mark
from explorer.ui.matrices.map_block import MapBlock, cells_or_map
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import from_right

SIZE = CellSize(narrowest=9, widest=64, share=0.5, lowest=15, highest=27)
SMALL_SIZE = CellSize(narrowest=4, widest=40, share=0.5, lowest=12, highest=20)
SLIGHT = 0.1
"""A share that has the strongest colour at most, so that noise looks like none."""
TALLEST, TALLEST_SMALL = 620.0, 380.0
"""Pixels of such a map."""


def matrix(
    shown: Shown,
    stack: int,
    grid: PatchGrid,
    place: tuple[int, int, int] | None,
    *,
    about: bool = False,
) -> Iterator[Block]:
    """A stack, the last layer on top.

    Args:
        shown: The page's.
        stack: Its number.
        grid: It.
        place: The state that is looked at.
        about: Its first-order approximation instead.
    """
    result: PatchingResult = shown.result
    last = len(grid.rows) - 1

    def choose(row: int, column: int) -> object:
        return shown.setting(CELL, (stack, last - row, column), _("look at a state"))

    title = _("To first order (gradient × difference)") if about else component_title(result, grid)
    cells = Matrix(
        _content(shown, stack, grid, place, about=about),
        title=title,
        key=lambda row, at: ("state", stack, last - row, at, about),
        act=choose,
    )
    size, tallest = (SMALL_SIZE, TALLEST_SMALL) if about else (SIZE, TALLEST)
    block = cells_or_map(cells, size, tallest)
    if isinstance(block, MapBlock):
        yield Text(title, "strong", above=Space.APART)
    yield block


def _content(
    shown: Shown,
    stack: int,
    grid: PatchGrid,
    place: tuple[int, int, int] | None,
    *,
    about: bool,
) -> HeatContent:
    result: PatchingResult = shown.result
    last = len(grid.rows) - 1
    values = grid.first_order if about and grid.first_order is not None else grid.effects

    def words(row: int, column: int) -> str:
        lines = [row_said(result, grid, last - row), column_said(grid, column)]
        exact = share(float(grid.effects[last - row, column]))
        restores = result.direction == DENOISE
        said = _("Restored: {share}", share=exact) if restores else ""
        lines.append(said or _("Taken away: {share}", share=exact))
        if grid.first_order is not None:
            near = float(grid.first_order[last - row, column])
            lines.append(_("To first order: {share}", share=share(near)))
        return "\n".join(lines)

    is_chosen = place is not None and place[0] == stack
    marks = (Mark(last - place[1], place[2], "chosen"),) if place is not None and is_chosen else ()
    differing = (n for n, one in enumerate(grid.tokens) if one.id != grid.others[n].id)
    return HeatContent(
        values[::-1],
        tuple(row_label(name) for name in reversed(grid.rows)),
        tuple(column_label(grid, n) for n in range(values.shape[1])),
        scale_of(result),
        blocked=~np.isfinite(values[::-1]),
        blocked_words=_("not there yet"),
        row_title=_("layer.head") if result.component == Component.HEAD else _("layer"),
        column_title=_("token"),
        signed=True,
        written=in_cell,
        said=words,
        marks=marks,
        seams=True,
        named=frozenset({*differing, len(grid.tokens)}),
        with_bar=not about,
        from_right=from_right(result.tokens, shown.asked),
    )


def scale_of(result: PatchingResult) -> Scale:
    """As far as the shares go; of the stream from -1 to 1 at least."""
    values = np.concatenate([one.effects.ravel() for one in result.grids])
    sizes = np.abs(values[np.isfinite(values)])
    least = 1.0 if result.component == Component.RESIDUAL else SLIGHT
    return Scale(max(least, float(sizes.max(initial=0.0))), diverging=True)
