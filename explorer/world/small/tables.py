"""The smallest world: three trades with what is done to what, where and with what; four people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from explorer.world.tables import Weighted, weighted


@dataclass(frozen=True, slots=True)
class Trade:
    """What the people of one trade do.

    Attributes:
        worker: Who mostly does it.
        steps: What is done, in its order.
        things: What it is done to; those that end in s are several.
        places: Where.
        tools: With what.
        ways: How a thing is in the end.
    """

    worker: str
    steps: tuple[str, ...]
    things: Weighted
    places: Weighted
    tools: Weighted
    ways: Weighted


def _trades(table: str) -> dict[str, Trade]:
    found: dict[str, Trade] = {}
    for line in table.strip().splitlines():
        worker, steps, *rest = (cell.strip() for cell in line.split("|"))
        things, places, tools, ways = (weighted(cell) for cell in rest)
        found[worker] = Trade(worker, tuple(steps.split()), things, places, tools, ways)
    return found


TRADES: Final = _trades("""
chef | prepare cook serve | soup:4 rice:2 beans:2 | kitchen:4 restaurant | pan:3 spoon \
| hot:3 good:2 cold
gardener | plant water sell | rose:3 flowers:2 beans:2 | garden:4 park | spade:3 bucket \
| green:3 tall:2 good
painter | sketch paint sell | picture:4 portrait:2 flowers:2 | studio:4 park | easel:3 brush \
| beautiful:4 good:2 tall
""")

NAMES: Final = {"Anna": "she", "Lucy": "she", "Tom": "he", "Jack": "he"}
"""People, and the pronoun of each."""

GOES_WITH: Final = {"chef": "she", "gardener": "he"}
"""Which pronoun goes with a job, where a world is made in which they go together. With painters
none does, so that they show what a model prefers anyway."""

TIMES: Final = {
    "past": weighted("yesterday:3 last_week"),
    "present": weighted("today:3 every_day"),
}
"""When, by tense; a line below stands for a space."""

FEELINGS: Final = weighted("happy:2 tired:2 proud")

OWN: Final = 0.8
"""How often the worker of a trade, of all workers, does what belongs to it."""
