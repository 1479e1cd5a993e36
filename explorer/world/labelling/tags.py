"""Who, what, where, with what and when: a tag for every word, as BIO marks them.

A noun's tag is what it does in its sentence, read off the rules that it was derived by: "book" is
what a writer writes, what a teacher uses, or neither. Names, jobs and dates are told by the word.
Begin and inside of a range are told apart as in CoNLL 2003; "O" is nothing.

The same rules as a grammar whose words carry their tags (`TaggedGrammar`) make the ceiling exact:
the inside algorithm sums over every derivation of a text, so it says how probable each tag is for
one who knows the text and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from explorer.world.corpus import CorpusDocument
from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import DerivationNode, Grammar, Part, Production, Symbol
from explorer.world.labelling.knowledge_spans import PROPER_NAMES
from explorer.world.scenes import small_world
from explorer.world.tables import ACTIVITIES, DAYS, MONTHS, PEOPLE

OUTSIDE: Final = "O"
KINDS: Final = ("PERSON", "JOB", "OBJECT", "PLACE", "TOOL", "DATE")
TAGS: Final = (OUTSIDE, *(f"{part}-{kind}" for kind in KINDS for part in "BI"))

TAGGED: Final = frozenset({
    "work", "tools_asked", "digging", "known_person", "meal_time", "between_people", "relatives",
    "film_review", "day_order", "month_order", "number_order", "opposites", "animal_facts",
    "color_facts",
})  # fmt: skip
"""Documents whose places and tools are all written by rules that say so."""

_PHRASES: Final = {"worked_on": "OBJECT", "place": "PLACE", "tool": "TOOL", "old_tool": "TOOL"}
_WITHIN: Final = {
    ("dug", "a"): "TOOL", ("tools_asked", "a"): "TOOL", ("person_does", "nouns"): "OBJECT",
}  # fmt: skip
"""What a phrase is within a rule that writes no other of the kind."""
BEHIND: Final = "\0"
"""Between a word and its tag: no text holds it."""

_NOUNS: Final = frozenset({"noun", "nouns"})
_JOBS: Final = frozenset(activity.job for activity in ACTIVITIES)
_DATES: Final = frozenset({*DAYS, *MONTHS, "yesterday", "today", "tomorrow"})
_NAMES: Final = (PROPER_NAMES | {last for _, last, *_ in PEOPLE}) - _DATES
_LONG_DATES: Final = frozenset({("last", "week"), ("last", "night")})
_WRITTEN_OUT: Final = {
    ("shopping", "market"): "PLACE", ("worked_on", "hair"): "OBJECT", ("dug", "ground"): "OBJECT",
}  # fmt: skip
"""Words of some rules that are no noun's of their own."""


def tags(document: CorpusDocument) -> tuple[str, ...]:
    """The tag of each word."""
    return tuple(tag for _, tag in _tagged(document.node, ""))


def _tagged(node: DerivationNode, state: str) -> Iterator[tuple[str, str]]:
    written = _written(node.symbol, node.children, state)
    for child, tag in zip(node.children, written, strict=True):
        if isinstance(child, str):
            yield child, tag
        else:
            yield from _tagged(child, _state(node.symbol, child.symbol, state))


def _state(parent: Symbol, symbol: Symbol, state: str) -> str:
    """What the words below a symbol are part of."""
    return _PHRASES.get(symbol.name, _WITHIN.get((parent.name, symbol.name), state))


def _written(symbol: Symbol, parts: tuple[Part | DerivationNode, ...], state: str) -> Iterator[str]:
    """A tag for each part of a production, that of a symbol being of no account."""
    before = OUTSIDE
    for at, part in enumerate(parts):
        kind = _kind(symbol, parts, at, state) if isinstance(part, str) else ""
        tag = f"B-{kind}" if kind else OUTSIDE
        if kind and before.endswith(kind):
            tag = f"I-{kind}"
        yield tag
        before = tag


def _kind(symbol: Symbol, parts: tuple[Part | DerivationNode, ...], at: int, state: str) -> str:
    word = parts[at]
    if symbol.name in _NOUNS:
        return state or ("JOB" if symbol.args[0] in _JOBS else "")
    if word in _NAMES:
        return "PERSON"
    if word in _DATES or any(parts[n : n + 2] in _LONG_DATES for n in (at - 1, at) if n >= 0):
        return "DATE"
    if symbol.name == "dug" and symbol.args[1].endswith(f"_{word}"):
        # The plan, as "plant_flowers", is written out.
        return "OBJECT"
    return _WRITTEN_OUT.get((symbol.name, str(word)), "")


class TaggedGrammar(Grammar):
    """The texts of a grammar, each word written with its tag behind it."""

    def __init__(self, grammar: Grammar) -> None:
        super().__init__(grammar.rules)
        self.plain = grammar
        self.start = Symbol("/" + grammar.start.name, grammar.start.args)

    def productions(self, symbol: Symbol) -> tuple[Production, ...]:
        """Those of the plain symbol, tagged for where this one stands."""
        known = self._productions.get(symbol)
        if known is None:
            state, _, name = symbol.name.partition("/")
            plain = Symbol(name, symbol.args)
            known = self._productions[symbol] = tuple(
                Production(one.probability, _parts(plain, one.parts, state))
                for one in self.plain.productions(plain)
            )
        return known


def _parts(symbol: Symbol, parts: tuple[Part, ...], state: str) -> tuple[Part, ...]:
    return tuple(
        f"{part}{BEHIND}{tag}"
        if isinstance(part, str)
        else Symbol(f"{_state(symbol, part, state)}/{part.name}", part.args)
        for part, tag in zip(parts, _written(symbol, parts, state), strict=True)
    )


class TagReader:
    """Reads texts of the small world with their tags unknown."""

    def __init__(self) -> None:
        self._reader = ExactReader(TaggedGrammar(small_world()), _word_and_tag)

    def certainty(self, document: CorpusDocument) -> tuple[float, ...]:
        """The probability of each word's likeliest tag, given the whole text.

        Who says that tag is right so often, and nobody can be more often.
        """
        unknown: list[str | None] = [one for word in document.words for one in (word, None)]
        known = [one for word in zip(document.words, tags(document), strict=True) for one in word]
        share = self._reader.probability(known) / self._reader.probability(unknown)
        if share > 1.0 - 1e-9:
            return (1.0,) * len(document.words)
        return tuple(
            max(self._reader.posterior(unknown, 2 * at + 1).values())
            for at in range(len(document.words))
        )


def _word_and_tag(written: str) -> tuple[str, ...]:
    return tuple(written.split(BEHIND))
