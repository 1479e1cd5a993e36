"""Weighted productions with exact probabilities: the engine of the small world's grammar.

A grammar is a probabilistic context-free grammar whose nonterminals carry arguments
(``Symbol("verb", ("cook", "past"))``). A rule is a function from the arguments to weighted
right-hand sides, written as one line of text each::

    (3.0, "<subject chef> <verb cook past> <object meal> .")

What a derivation means is its tree of symbols; what it says is one linearisation of that tree.
Another language is another linearisation of the same tree, and an entity is a node with a range
of words, so neither needs a second grammar.

Choices that two places share (who is spoken of, the tense) are made above both and handed down as
arguments. That keeps every choice independent of the others given its symbol, which is what makes
entropy, expected length and the probability of a text exact (see `Grammar.entropy` and
`explorer.world.exact.inside`).
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

Rule = Callable[..., Iterable[tuple[float, str]]]


class GrammarError(ValueError):
    """A rule is missing, empty, recursive or badly written."""


class Symbol(NamedTuple):
    """A nonterminal: the name of a rule and the arguments it is called with."""

    name: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "<" + " ".join((self.name, *self.args)) + ">"


Part = str | Symbol


@dataclass(frozen=True, slots=True)
class Production:
    """One way to expand a symbol, with its probability given the symbol."""

    probability: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class DerivationNode:
    """A node of a derivation: which production expanded the symbol, and into what."""

    symbol: Symbol
    production: int
    children: tuple[DerivationNode | str, ...]

    def words(self) -> Iterator[str]:
        """The words of the derivation from left to right."""
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child.words()


@dataclass(frozen=True, slots=True)
class SymbolSpan:
    """A range of words [start, end) that a symbol stands for."""

    symbol: Symbol
    start: int
    end: int


class RuleBook(dict[str, Rule]):
    """Rules by name. Used as a decorator it takes the function's name."""

    def __call__(self, rule: Rule) -> Rule:
        """Register a rule under its function's name."""
        name = getattr(rule, "__name__", "")
        if name in self:
            raise GrammarError(f"The rule {name!r} is defined twice.")
        self[name] = rule
        return rule


def parse_parts(text: str) -> tuple[Part, ...]:
    """Read a right-hand side: words, and symbols in angle brackets."""
    before, *rest = text.split("<")
    parts: list[Part] = list(before.split())
    for piece in rest:
        inside, _, words = piece.partition(">")
        parts.append(_symbol(inside))
        parts.extend(words.split())
    return tuple(parts)


@functools.cache
def _symbol(inside: str) -> Symbol:
    """What stands in angle brackets; the same one wherever it is named, so that few are made."""
    name, *args = inside.split()
    return Symbol(name, tuple(args))


class Grammar:
    """A start symbol and its rules. Nothing recursive, so every quantity is a finite sum."""

    def __init__(self, rules: Mapping[str, Rule], start: str = "document") -> None:
        self.rules = dict(rules)
        self.start = Symbol(start)
        self._productions: dict[Symbol, tuple[Production, ...]] = {}
        self._cumulative: dict[Symbol, list[float]] = {}
        self._entropy: dict[Symbol, float] = {}
        self._length: dict[Symbol, float] = {}
        self._first: dict[Symbol, frozenset[str]] = {}

    def productions(self, symbol: Symbol) -> tuple[Production, ...]:
        """The ways to expand a symbol. Weights are normalised to probabilities here."""
        known = self._productions.get(symbol)
        if known is not None:
            return known
        if symbol.name not in self.rules:
            raise GrammarError(f"No rule is called {symbol.name!r} (needed by {symbol}).")
        weighted = [(w, parse_parts(text)) for w, text in self.rules[symbol.name](*symbol.args)]
        if not weighted or any(weight <= 0.0 or not parts for weight, parts in weighted):
            raise GrammarError(f"{symbol} needs alternatives with words and positive weights.")
        total = math.fsum(weight for weight, _ in weighted)
        found = tuple(Production(weight / total, parts) for weight, parts in weighted)
        self._productions[symbol] = found
        return found

    def first_words(self, symbol: Symbol) -> frozenset[str]:
        """The words that a text of a symbol can begin with."""
        known = self._first.get(symbol)
        if known is None:
            words: set[str] = set()
            for production in self.productions(symbol):
                head = production.parts[0]
                words |= {head} if isinstance(head, str) else self.first_words(head)
            known = self._first[symbol] = frozenset(words)
        return known

    def sample(self, rng: random.Random, symbol: Symbol | None = None) -> DerivationNode:
        """Draw one derivation."""
        symbol = symbol or self.start
        productions = self.productions(symbol)
        index = 0
        if len(productions) > 1:
            limits = self._cumulative.get(symbol)
            if limits is None:
                limits = list(itertools.accumulate(p.probability for p in productions))
                self._cumulative[symbol] = limits
            index = min(bisect.bisect_right(limits, rng.random()), len(productions) - 1)
        children = tuple(
            part if isinstance(part, str) else self.sample(rng, part)
            for part in productions[index].parts
        )
        return DerivationNode(symbol, index, children)

    def log_probability(self, node: DerivationNode) -> float:
        """Natural logarithm of a derivation's probability."""
        own = math.log(self.productions(node.symbol)[node.production].probability)
        return own + math.fsum(
            self.log_probability(child)
            for child in node.children
            if isinstance(child, DerivationNode)
        )

    def entropy(self, symbol: Symbol | None = None) -> float:
        """Exact entropy of the derivations of a symbol, in nats.

        Choices below different parts are independent, so
        H(A) = sum over productions r of p(r) (-log p(r) + sum over parts B of H(B))
        (Grenander 1967, for context-free processes). It equals the entropy of the texts when no
        text has two derivations, and is above it otherwise.
        """
        return self._expectation(symbol or self.start, self._entropy, self._surprise, ())

    def expected_words(self, symbol: Symbol | None = None) -> float:
        """Exact expected number of words (punctuation marks count as words)."""
        return self._expectation(symbol or self.start, self._length, self._words, ())

    @staticmethod
    def _surprise(production: Production) -> float:
        return -math.log(production.probability)

    @staticmethod
    def _words(production: Production) -> float:
        return float(sum(isinstance(part, str) for part in production.parts))

    def _expectation(
        self,
        symbol: Symbol,
        known: dict[Symbol, float],
        own: Callable[[Production], float],
        above: tuple[Symbol, ...],
    ) -> float:
        """Expected sum over a derivation of a quantity that each production adds."""
        if symbol in known:
            return known[symbol]
        if symbol in above:
            raise GrammarError(f"{symbol} contains itself: the grammar must be finite.")
        above = (*above, symbol)
        terms: list[float] = []
        for production in self.productions(symbol):
            inner = own(production) + sum(
                self._expectation(part, known, own, above)
                for part in production.parts
                if isinstance(part, Symbol)
            )
            terms.append(production.probability * inner)
        known[symbol] = math.fsum(terms)
        return known[symbol]

    def derivations(self, symbol: Symbol | None = None) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Every derivation as (probability, words). Only for small symbols: it lists them all."""
        for production in self.productions(symbol or self.start):
            choices = [
                [(1.0, (part,))] if isinstance(part, str) else list(self.derivations(part))
                for part in production.parts
            ]
            for combination in itertools.product(*choices):
                probability = production.probability * math.prod(p for p, _ in combination)
                yield probability, tuple(word for _, words in combination for word in words)

    def symbols(self) -> frozenset[Symbol]:
        """Every symbol that a derivation can reach."""
        self.entropy()
        return frozenset(self._entropy)

    def words(self) -> frozenset[str]:
        """Every word that a text can have, marks too."""
        return frozenset(
            part
            for symbol in self.symbols()
            for production in self.productions(symbol)
            for part in production.parts
            if isinstance(part, str)
        )


def spans(node: DerivationNode, names: frozenset[str]) -> tuple[SymbolSpan, ...]:
    """Word ranges of the nodes whose rule is one of ``names``, from left to right."""
    found: list[SymbolSpan] = []

    def walk(current: DerivationNode, start: int) -> int:
        position = start
        for child in current.children:
            position = position + 1 if isinstance(child, str) else walk(child, position)
        if current.symbol.name in names:
            found.append(SymbolSpan(current.symbol, start, position))
        return position

    walk(node, 0)
    return tuple(sorted(found, key=lambda span: (span.start, -span.end)))
