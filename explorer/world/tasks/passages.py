"""Where in a typed passage the answer to a question stands, as the world's own questions have it.

A passage is read as documents one after the other, as `explorer.world.tasks.questions` puts them:
stories about work and documents in which nobody works. Capitals and spaces say nothing. The grammar
gives every text one derivation, so that what a passage says is known; of an answer that is told
twice the first place counts, as in the training of the miniatures that answer.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from explorer.world.corpus import CorpusDocument
from explorer.world.grammar import DerivationNode, Grammar, Production, Symbol
from explorer.world.scenes import small_world
from explorer.world.tasks.questions import QUIET, Story, questions_of, story_of

Range = tuple[int, int]

_WORD = re.compile(r"\w+|[^\w\s]")


class Unread(enum.StrEnum):
    """Why the world knows no answer, nor that there is none."""

    WORD = "word"
    """A word of the passage can't stand there."""
    OPEN = "open"
    """The passage ends inside a document."""
    UNTOLD = "untold"
    """It has documents that no question is about."""
    UNASKED = "unasked"
    """The question is not one of the world's."""


@dataclass(frozen=True, slots=True)
class PassageTruth:
    """What the world knows of a question about a passage.

    Attributes:
        spans: Characters [start, end) that answer it, the one first that counts; none where there
            is no answer.
        unread: Why that is not known; None where it is.
        outside: Characters of the first word that can't be read, where there is one.
    """

    spans: tuple[Range, ...] = ()
    unread: Unread | None = None
    outside: Range = (0, 0)


class _SmallLetters(Grammar):
    """The world's grammar with its words in small letters."""

    def productions(self, symbol: Symbol) -> tuple[Production, ...]:
        known = self._productions.get(symbol)
        if known is None:
            known = self._productions[symbol] = tuple(
                Production(
                    one.probability,
                    tuple(part.lower() if isinstance(part, str) else part for part in one.parts),
                )
                for one in super().productions(symbol)
            )
        return known


@functools.cache
def _grammar() -> Grammar:
    return _SmallLetters(small_world().rules)


@dataclass
class _Parser:
    """Every derivation of what stands in a row of words."""

    words: Sequence[str]
    check: Callable[[], None]
    grammar: Grammar = field(default_factory=_grammar)
    reach: int = 0
    known: dict[tuple[Symbol, int], list[tuple[DerivationNode, int]]] = field(default_factory=dict)

    def nodes(self, symbol: Symbol, start: int) -> list[tuple[DerivationNode, int]]:
        """The derivations of a symbol that begin at a word, and where each ends."""
        if start >= len(self.words) or self.words[start] not in self.grammar.first_words(symbol):
            return []
        found = self.known.get((symbol, start))
        if found is None:
            self.check()
            found = self.known[symbol, start] = [
                (DerivationNode(symbol, number, children), end)
                for number, production in enumerate(self.grammar.productions(symbol))
                for children, end in self._children(production.parts, start)
            ]
        return found

    def _children(
        self, parts: Sequence[str | Symbol], start: int
    ) -> Iterator[tuple[tuple[DerivationNode | str, ...], int]]:
        if not parts:
            yield (), start
            return
        first, *rest = parts
        heads: list[tuple[DerivationNode | str, int]]
        if isinstance(first, Symbol):
            heads = [*self.nodes(first, start)]
        else:
            is_there = start < len(self.words) and self.words[start] == first
            self.reach = max(self.reach, start + is_there)
            heads = [(first, start + 1)] if is_there else []
        for head, reached in heads:
            for others, end in self._children(rest, reached):
                yield (head, *others), end


def truth_of_passage(
    question: str, passage: str, check: Callable[[], None] = lambda: None
) -> PassageTruth:
    """Read a passage, and find where a question is answered in it.

    Args:
        question: As it is typed.
        passage: In which the answer is looked for.
        check: Called now and then; may raise to stop.
    """
    places = [(one.start(), one.end()) for one in _WORD.finditer(passage)]
    words = [passage[start:end].lower() for start, end in places]
    parser = _Parser(words, check)
    documents = _documents(parser)
    if documents is None:
        if parser.reach >= len(words):
            return PassageTruth(unread=Unread.OPEN)
        return PassageTruth(unread=Unread.WORD, outside=places[parser.reach])
    told = [(start, story_of(one)) for start, one in documents]
    if any(
        story is None and document.kind not in QUIET
        for (_, story), (_, document) in zip(told, documents, strict=True)
    ):
        return PassageTruth(unread=Unread.UNTOLD)
    asked = _written(question)
    spans = tuple(
        (places[start + first][0], places[start + last - 1][1])
        for start, story in told
        if story is not None
        for first, last in _answers(asked, story)
    )
    is_asked = bool(spans) or asked in _every_question()
    return PassageTruth(spans, None if is_asked else Unread.UNASKED)


def _documents(parser: _Parser) -> list[tuple[int, CorpusDocument]] | None:
    """The documents that a passage is made of, each with its first word; None for no such ones."""
    root, length = parser.grammar.start, len(parser.words)
    ways: dict[int, list[tuple[int, CorpusDocument]]] = {0: []}
    for start in range(length):
        if start in ways:
            for node, end in parser.nodes(root, start):
                document = CorpusDocument(node, tuple(parser.words[start:end]))
                # Of two ways to cut the first is as good: no passage of the world has two.
                ways.setdefault(end, [*ways[start], (start, document)])
    return ways.get(length) if length else None


def _answers(asked: str, story: Story) -> Iterator[Range]:
    """The words of a story that answer a question."""
    for kind, ranges in story.told.items():
        if _written(story.questions[kind]) == asked:
            yield from ranges


def _written(question: str) -> str:
    """A question's words alone."""
    return " ".join(_WORD.findall(question.lower()))


@functools.cache
def _every_question() -> frozenset[str]:
    """What may be asked about any story."""
    grammar = _grammar()
    found: set[str] = set()
    told: Mapping[Symbol, None] = dict.fromkeys(
        one for one in grammar.symbols() if one.name == "work_story"
    )
    for symbol in told:
        index, who, tense, thing = symbol.args
        for _, phrase in grammar.derivations(Symbol("worked_on", (thing,))):
            for _, text in questions_of(int(index), who, tense, phrase):
                found.add(_written(text))
    return frozenset(found)
