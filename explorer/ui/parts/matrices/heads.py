"""Layers x heads as cells that are chosen by a click."""

from collections.abc import Iterator

import numpy as np

from explorer.api.question import Heads
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.matrices.heads import cells
from explorer.ui.matrices.scale import Scale
from explorer.ui.parts.looking import Looking


def blocks(part: Heads, looking: Looking) -> Iterator[Block]:
    """The grid with its title and what its colours mean."""
    colours = part.colours
    yield cells.heads_block(
        cells.HeadGridContent(
            part.name,
            said(part.caption),
            tuple(map(said, part.layers)),
            part.heads,
            part.said,
            None if part.values is None else part.values.astype(np.float32),
            Scale(colours.high, colours.low, diverging=colours.diverging),
            part.written,
            part.looked_at,
            part.off,
            part.row_said,
            lambda layer, head: looking.act(part.gesture(layer, head)),
            lambda layer: looking.act(part.row_gesture(layer)),
        )
    )
