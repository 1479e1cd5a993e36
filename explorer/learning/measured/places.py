"""Places in texts that nobody is trained on, each with the exact distribution of what stood there.

In both ways of masking every masked piece is [MASK] (no random or unchanged ones), and the model
sees the text as one segment. For each place the grammar gives the exact distribution p of what
stood there, given what is seen (`ExactReader.posterior`: a sum over all derivations that agree with
it). What a model that reads from the left is asked is the same with an open end.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from explorer.learning.texts.training_text import HeldOutText
from explorer.world.corpus import CorpusDocument, is_withheld
from explorer.world.exact.inside import ExactReader
from explorer.world.language.spelling import SpelledGrammar, surfaces


@dataclass(frozen=True, slots=True)
class EvaluatedPiece:
    """One masked piece.

    Attributes:
        pieces: the document's word pieces; None where masked.
        position: which of the masked pieces is asked for.
        truth: what stood there.
        exact: its distribution given the rest, in the model's pieces; sums to 1.
        rule: what wrote it; "" where nobody asks.
        weight: how many places of the texts it stands for.
    """

    pieces: tuple[str | None, ...]
    position: int
    truth: str
    exact: dict[str, float]
    rule: str = ""
    weight: float = 1.0

    @property
    def entropy(self) -> float:
        """H(p) in nats."""
        return -math.fsum(p * math.log(p) for p in self.exact.values() if p > 0.0)


def reads(reader: ExactReader, document: CorpusDocument) -> Iterator[tuple[bool, list[str]]]:
    """The pieces of each sentence of a document, and whether it is withheld from training."""
    for sentence, written in _written(reader, document.words):
        yield is_withheld(sentence), [piece for word in written for piece in reader.split(word)]


def _written(
    reader: ExactReader, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The words of each sentence, and the same as the reader's grammar writes them."""
    spelled = isinstance(reader.grammar, SpelledGrammar)
    for sentence, shown in surfaces(words):
        yield sentence, shown if spelled else sentence


def draw_places(
    reader: ExactReader, documents: Iterable[CorpusDocument], seed: int, share: float | None = None
) -> list[EvaluatedPiece]:
    """Mask each document once and ask for one masked piece in a withheld sentence.

    Args:
        reader: its units are word pieces (see `explorer.world.exact.readers`).
        documents: documents that hold a withheld sentence.
        seed: seed of the choice of places.
        share: share of the document's pieces that is masked; None masks one piece.
    """
    rng = random.Random(seed)  # noqa: S311
    # The other masks come from a stream of their own: the same places are asked at every share.
    others_rng = random.Random(seed + 1)  # noqa: S311
    places: list[EvaluatedPiece] = []
    for document in documents:
        pieces: list[str] = []
        allowed: list[int] = []
        for withheld, read in reads(reader, document):
            start = len(pieces)
            pieces += read
            if withheld:
                allowed += range(start, len(pieces))
        position = rng.choice(allowed)
        places.append(_masked(reader, _DrawnPlace("", pieces, position), others_rng, share))
    return places


EACH = 20
"""Places of a rule."""
MASKED = 0.15
"""Share of the pieces that is masked, where nothing else is planned."""


@dataclass(frozen=True, slots=True)
class _DrawnPlace:
    rule: str
    pieces: list[str]
    position: int


def places_by_rule(
    reader: ExactReader,
    texts: Iterable[HeldOutText],
    seed: int,
    *,
    each: int = EACH,
    share: float | None = MASKED,
) -> list[EvaluatedPiece]:
    """So many masked places of every rule, weighted as often as the rule writes.

    Args:
        reader: its units are the model's pieces.
        texts: texts that nobody is trained on.
        seed: seed of the choice of places and of the other masks.
        each: places a rule, as far as the texts have so many.
        share: share of a text's pieces that is masked; None masks one piece.
    """
    rng = random.Random(seed)  # noqa: S311
    return _by_rule(
        _all_places(reader, texts),
        rng,
        each,
        lambda place: _masked(reader, place, rng, share),
    )


def next_places_by_rule(
    reader: ExactReader,
    texts: Iterable[HeldOutText],
    seed: int,
    *,
    each: int = EACH,
    end: str | None = None,
) -> list[EvaluatedPiece]:
    """The same for models that read from the left: nothing is seen from a place on.

    What begins a text is not asked. Where a text can end, the exact distribution has its end, too.

    Args:
        reader: its units are the model's pieces.
        texts: texts that nobody is trained on.
        seed: seed of the choice of places.
        each: places a rule, as far as the texts have so many.
        end: the piece behind every text. Without one, what begins a sentence is not asked: another
            text may begin there.
    """
    closing = {piece for mark in ".?!" for piece in reader.split(mark)}

    def asked(place: _DrawnPlace) -> bool:
        begins_sentence = place.position and place.pieces[place.position - 1] in closing
        return bool(place.position) and (end is not None or not begins_sentence)

    found = (place for place in _all_places(reader, texts) if asked(place))
    rng = random.Random(seed)  # noqa: S311
    return _by_rule(found, rng, each, lambda place: _next(reader, place, end))


def _all_places(reader: ExactReader, texts: Iterable[HeldOutText]) -> Iterator[_DrawnPlace]:
    for text in texts:
        rules = iter(text.rules)
        pieces: list[str] = []
        asked: list[str] = []
        for _, written in _written(reader, text.words):
            for word in written:
                rule, split = next(rules), reader.split(word)
                pieces += split
                asked += [rule] * len(split)
        yield from (_DrawnPlace(rule, pieces, n) for n, rule in enumerate(asked) if rule)


def _by_rule(
    found: Iterable[_DrawnPlace],
    rng: random.Random,
    each: int,
    ask: Callable[[_DrawnPlace], EvaluatedPiece],
) -> list[EvaluatedPiece]:
    by_rule: defaultdict[str, list[_DrawnPlace]] = defaultdict(list)
    for place in found:
        by_rule[place.rule].append(place)
    places: list[EvaluatedPiece] = []
    for rule, all_of_it in sorted(by_rule.items()):
        chosen = [ask(one) for one in rng.sample(all_of_it, min(each, len(all_of_it)))]
        weight = len(all_of_it) / len(chosen)
        places += [
            EvaluatedPiece(one.pieces, one.position, one.truth, one.exact, rule, weight)
            for one in chosen
        ]
    return places


def _masked(
    reader: ExactReader, place: _DrawnPlace, rng: random.Random, share: float | None
) -> EvaluatedPiece:
    """A place with others hidden beside it."""
    pieces, position = place.pieces, place.position
    count = 1 if share is None else max(1, round(share * len(pieces)))
    others = [one for one in range(len(pieces)) if one != position]
    masked = {position, *rng.sample(others, count - 1)}
    pattern = tuple(None if i in masked else piece for i, piece in enumerate(pieces))
    return EvaluatedPiece(pattern, position, pieces[position], reader.posterior(pattern, position))


def _next(reader: ExactReader, place: _DrawnPlace, end: str | None) -> EvaluatedPiece:
    before, truth = place.pieces[: place.position], place.pieces[place.position]
    pattern = (*before, None)
    masses = reader.masses(pattern, place.position, open_end=True)
    ends = reader.probability(before) if end is not None else 0.0
    if end is not None and ends:
        masses = {**masses, end: ends}
    total = math.fsum(masses.values())
    exact = {piece: mass / total for piece, mass in masses.items()}
    return EvaluatedPiece(pattern, place.position, truth, exact)


def rules_at(places: Sequence[EvaluatedPiece]) -> tuple[str, ...]:
    """The rules that are asked about, once each."""
    return tuple(dict.fromkeys(place.rule for place in places))
