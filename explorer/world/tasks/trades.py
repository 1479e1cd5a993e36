"""Which trade a text of the smallest world is about: cooking, gardening or painting.

A label is read off what is done to what, where and with what. Some words are of two trades (beans
are cooked and planted), and some people do what belongs to another trade. A text whose words leave
two trades open is not drawn, so that who knows the world is always right.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from explorer.world.corpus import CorpusDocument
from explorer.world.language.english import past, present
from explorer.world.small.grammar import smallest_world
from explorer.world.small.tables import TRADES, Trade
from explorer.world.tasks.films import TaskText

LABELS: Final[Mapping[str, str]] = {
    "chef": "cooking",
    "gardener": "gardening",
    "painter": "painting",
}
"""Of each trade, by who mostly does it."""


def _words_of(one: Trade) -> frozenset[str]:
    """The words for what is done in a trade, to what, where, with what and how it is then."""
    done = {form for step in one.steps for form in (step, past(step), present(step, "it"))}
    told = (one.things, one.places, one.tools, one.ways)
    return frozenset(done | {word for words in told for _, word in words})


_WORDS: Final = {trade: _words_of(one) for trade, one in TRADES.items()}
_ALL: Final = frozenset[str]().union(*_WORDS.values())


def trades_of(text: tuple[str, ...]) -> tuple[str, ...]:
    """The labels of the trades that a text may be about, by its words; who acts says nothing."""
    said = frozenset(text) & _ALL
    return tuple(label for trade, label in LABELS.items() if said <= _WORDS[trade])


def trade(rng: random.Random) -> TaskText:
    """A text that is about one trade, and which."""
    while True:
        node = smallest_world().sample(rng)
        words = tuple(node.words())
        found = trades_of(words)
        if len(found) == 1:
            return TaskText(CorpusDocument(node, words).text, None, found[0])
