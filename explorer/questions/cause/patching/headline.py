"""What to look at first: where the difference sits, and from which layer on it has moved."""

from typing import Any

import numpy as np

from explorer.api.question import Component, Headline
from explorer.questions.cause.patching.question import (
    CELL,
    DENOISE,
    PatchGrid,
    PatchingResult,
    strongest,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import visible

SMALL = 0.1
"""A share of the difference that is not much."""


RESTORES = N_("In layer {row}, the state of “{token}” restores most: {share} of the difference.")
TAKES = N_("In layer {row}, the state of “{token}” takes away most: {share} of the difference.")
HEAD_RESTORES = N_("Head {row} restores most, at “{token}”: {share} of the difference.")
HEAD_TAKES = N_("Head {row} takes away most, at “{token}”: {share} of the difference.")


def headline(result: PatchingResult, **_settings: Any) -> Headline:
    """Of the stream, how it moves from token to token; of other parts, the largest share."""
    if result.cell is not None:
        sentence = Phrase(
            N_("Put back alone, this state makes up {share} of the difference."),
            share=percent(result.cell.effect),
        )
        return Headline(sentence)
    if result.component == Component.RESIDUAL:
        return _of_stream(result)
    place = strongest(result)
    if place is None:
        return Headline(NOTHING)
    number, row, column = place
    grid = result.grids[number]
    value = float(grid.effects[row, column])
    values = {"token": _name(grid, column), "row": grid.rows[row], "share": percent(value)}
    if abs(value) < SMALL:
        return Headline()
    if result.component == Component.HEAD:
        code = HEAD_RESTORES if result.direction == DENOISE else HEAD_TAKES
    else:
        code = RESTORES if result.direction == DENOISE else TAKES
    return Headline(Phrase(code, **values), column, {CELL.key: place})


def _of_stream(result: PatchingResult) -> Headline:
    """Which token carries most at the embeddings, and from which layer on which other one does."""
    (grid, *_more) = result.grids
    effects = grid.effects[:, : len(grid.tokens)]
    if not np.isfinite(effects).all():
        return Headline(NOTHING)  # it was stopped
    most = effects.argmax(1)
    first, last = int(most[0]), int(most[-1])
    if first == last:
        layer = int(effects[:, last].argmin())
        sentence = Phrase(
            N_(
                "The difference stays at “{token}” from the embeddings on: nowhere does its state "
                "carry less than {share}."
            ),
            token=_name(grid, first),
            share=percent(float(effects[layer, last])),
        )
        return Headline(sentence, first, {CELL.key: (0, layer, first)})
    layer = int(np.flatnonzero(most != last)[-1]) + 1
    sentence = Phrase(
        N_(
            "From layer {layer} on, the difference sits at “{late}” ({share} there); at first "
            "it is at “{early}”."
        ),
        layer=grid.rows[layer],
        late=_name(grid, last),
        share=percent(float(effects[layer, last])),
        early=_name(grid, first),
    )
    return Headline(sentence, last, {CELL.key: (0, layer, last)})


def _name(grid: PatchGrid, column: int) -> str:
    return visible(grid.names[column][0])
