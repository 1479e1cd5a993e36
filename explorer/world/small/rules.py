"""The rules of the smallest world by name, and which of them wrote each word of a text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from explorer.world.corpus import CorpusDocument
from explorer.world.grammar import DerivationNode, Grammar

FRAME: Final = "frame"
DETERMINER: Final = "determiner"
TIME: Final = "time"
WHO: Final = "who"
DEED: Final = "deed"
WHAT: Final = "what"
PLACE: Final = "place"
TOOL: Final = "tool"
NEXT: Final = "next"
AGAIN: Final = "again"
PRONOUN: Final = "pronoun"
IT: Final = "it"
AGREEMENT: Final = "agreement"
STATE: Final = "state"

WRITTEN_BY: Final = {
    "later": FRAME,
    "circumstance": FRAME,
    "does": FRAME,
    "goes_on": FRAME,
    "ending": FRAME,
    "determiner": DETERMINER,
    "time": TIME,
    "who": WHO,
    "deed": DEED,
    "what": WHAT,
    "place": PLACE,
    "tool": TOOL,
    "next": NEXT,
    "same": AGAIN,
    "pronoun": PRONOUN,
    "it": IT,
    "be": AGREEMENT,
    "way": STATE,
    "feeling": STATE,
}
"""The rule of the words that a symbol of the grammar, in any of its languages, writes itself."""

RULES: Final = tuple(dict.fromkeys(WRITTEN_BY.values()))


def rules_in(grammar: Grammar) -> tuple[str, ...]:
    """Those that write a word of some text of a grammar, in their usual order."""
    writing = {
        WRITTEN_BY[symbol.name]
        for symbol in grammar.symbols()
        for production in grammar.productions(symbol)
        if any(isinstance(part, str) for part in production.parts)
    }
    return tuple(rule for rule in RULES if rule in writing)


def rules_of(document: CorpusDocument) -> tuple[str, ...]:
    """The rule that wrote each word of a text.

    Raises:
        KeyError: The text is not of the smallest world.
    """
    return tuple(_written(document.node))


def _written(node: DerivationNode) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, str):
            yield WRITTEN_BY[node.symbol.name]
        else:
            yield from _written(child)
