"""The smallest world: five trades with what is done to what, where and with what; six people."""

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


TRADES: Final = _trades(
    """
chef | prepare cook serve | soup:4 fish:2 rice:2 beans:2 | kitchen:4 restaurant | pan:3 spoon \
| hot:3 good:2 cold
baker | mix bake sell | bread:4 cake:3 cookies:2 pies | bakery:4 kitchen | oven:3 spoon \
| fresh:3 sweet:2 hot
gardener | plant water pick | rose:3 pumpkin:2 flowers:3 beans:2 | garden:4 park | spade:3 bucket \
| fresh:2 tall:3 green:2
painter | sketch paint sell | picture:4 portrait:2 flowers:2 horses:2 | studio:4 park | brush:3 \
pencil | beautiful:4 good:2 tall
mechanic | test repair wash | car:4 truck:2 bus:2 bikes:2 | garage:4 street | wrench:3 bucket \
| fast:3 clean:3 good
""".replace("\\\n", "")
)

NAMES: Final = {
    "Anna": "she",
    "Emma": "she",
    "Lucy": "she",
    "Tom": "he",
    "Ben": "he",
    "Jack": "he",
}
"""People, and the pronoun of each."""

TIMES: Final = {
    "past": weighted("yesterday:3 last_week"),
    "present": weighted("today:3 every_day"),
}
"""When, by tense; a line below stands for a space."""

FEELINGS: Final = weighted("happy:2 tired:2 proud")

OWN: Final = 0.8
"""How often the worker of a trade, of all workers, does what belongs to it."""
