"""The sliders that change a model's numbers."""

from collections.abc import Iterator

from explorer.questions.architecture.architecture.what_if.options import CHANGES
from explorer.questions.architecture.architecture.what_if.panel import (
    WhatIfNumbers,
    WhatIfPanel,
    panel_height,
)
from explorer.questions.architecture.architecture.what_if.parts import outcomes
from explorer.ui.blocks import Block, Panel, Shown


def sliders(shown: Shown) -> Iterator[Block]:
    """What can be changed."""
    after = outcomes(shown.result)[1]
    possible = shown.result.possible
    yield Panel(
        WhatIfPanel,
        WhatIfNumbers(shown.now, after.blueprint, CHANGES.of(shown.now), possible),
        panel_height,
    )
