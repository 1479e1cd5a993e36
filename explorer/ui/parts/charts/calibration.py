"""The reliability curve over the diagonal of what is calibrated, with how many stand where."""

from collections.abc import Iterator

from explorer.api.question import Calibration
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.reliability import reliability_chart
from explorer.ui.parts.looking import Looking


def blocks(part: Calibration, _looking: Looking) -> Iterator[Block]:
    """One square chart; a bin's point says what it is of."""
    titles = said(part.confidence), said(part.against)
    yield ChartBlock(
        (reliability_chart(part.found, said(part.words), titles, lambda one: part.told(one).said),)
    )
