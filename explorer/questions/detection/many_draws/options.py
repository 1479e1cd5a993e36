"""What can be set of many draws; how each is made is set as for one."""

from typing import Any

from explorer.api import Option, Whole
from explorer.questions.detection.replaced_tokens.options import (
    GREEDY,
    RATE,
    TEMPERATURE,
    THRESHOLD,
)
from explorer.text import N_

DRAWS = Whole(
    N_("Draws"),
    100,
    N_("How often each sentence is corrupted and judged."),
    low=1,
    high=10_000,
    key="many_draws.draws",
)
SEED = Whole(
    N_("From seed"),
    0,
    N_("Of the first draw; each draw takes the next one."),
    low=0,
    high=999_999,
    key="many_draws.seed",
)
OPTIONS: tuple[Option[Any], ...] = (DRAWS, SEED, TEMPERATURE, GREEDY, RATE, THRESHOLD)
