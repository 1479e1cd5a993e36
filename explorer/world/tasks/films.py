"""Tasks of labelled texts about films: the verdict of a review, and what follows from one.

Labels are read off the arguments of the grammar's rules. What somebody thought of a film is told
by adjectives that both verdicts use, each to its share, so that no reader is always right: the
exact answer says how often the best one is.
"""

from __future__ import annotations

import functools
import hashlib
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from explorer.world.corpus import CorpusDocument, spell
from explorer.world.grammar import DerivationNode, Grammar, Symbol
from explorer.world.scenes import small_world
from explorer.world.scenes.films import VERDICTS, VIEWERS
from explorer.world.tables import FILM_NOUNS

Drawn = TypeVar("Drawn")

POSITIVE, NEGATIVE = "positive", "negative"
ENTAILED, NEUTRAL, CONTRADICTED = "entailment", "neutral", "contradiction"
SAME, OTHER = "paraphrase", "different"
WITHHELD_SHARE: Final = 0.2
"""Of the texts of a task that no model is trained on."""
_SALT: Final = "film tasks 1"
_LABELS: Final = {"good": POSITIVE, "bad": NEGATIVE}
_SEEN: Final = (frozenset({"movie", "film"}), frozenset({"play"}), frozenset({"show"}))
"""What is seen: words of one thing are never said to be different ones."""


@dataclass(frozen=True, slots=True)
class TaskText:
    """A text, or a pair of them, with its right label.

    Attributes:
        text: The text.
        pair: The second one, or None.
        label: What is right.
    """

    text: str
    pair: str | None
    label: str

    @property
    def is_withheld(self) -> bool:
        """Whether it is kept from training, by its words alone."""
        told = f"{_SALT}\n{self.text}\n{self.pair or ''}".lower()
        number = int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big")
        return number < WITHHELD_SHARE * 2**64


@functools.cache
def exact_sentiment(world: Grammar | None = None) -> Mapping[str, Mapping[str, float]]:
    """By text of a review: how probable each label is together with it; all of them add up to 1.

    Args:
        world: The grammar that reviews are of; None for the usual small world's.
    """
    grammar = world or small_world()
    moods = _shares({mood: 0.0 for _, mood, _ in VERDICTS})
    nouns = {noun: weight for weight, noun in FILM_NOUNS}
    whole = sum(nouns.values())
    found: dict[str, dict[str, float]] = {}
    for mood, prior in moods.items():
        for noun, weight in nouns.items():
            for probability, words in grammar.derivations(Symbol("film_was", (noun, mood))):
                told = found.setdefault(spell(words), dict.fromkeys(_LABELS.values(), 0.0))
                told[_LABELS[mood]] += prior * weight / whole * probability
    return found


def _shares(moods: Mapping[str, float]) -> dict[str, float]:
    """How often a review has each verdict."""
    weights = {mood: sum(weight for weight, own, _ in VERDICTS if own == mood) for mood in moods}
    return {mood: weight / sum(weights.values()) for mood, weight in weights.items()}


def best_reading(texts: Sequence[TaskText], world: Grammar | None = None) -> tuple[float, float]:
    """How a reader judges reviews who knows the grammar: share that is right, cross-entropy.

    Args:
        texts: Reviews with what their writers thought.
        world: As `exact_sentiment` has it.

    Returns:
        How often the likeliest label is right, and the mean cross-entropy in nats.
    """
    exact = exact_sentiment(world)
    right, lost = 0, 0.0
    for one in texts:
        told = exact[one.text]
        right += max(told, key=lambda label: told[label]) == one.label
        lost -= math.log(told[one.label] / sum(told.values()))
    return right / len(texts), lost / len(texts)


def sentiment(rng: random.Random, world: Grammar | None = None) -> TaskText:
    """What somebody thought of a film, told by what the film was like."""
    mood = _drawn(rng, [(weight, own) for weight, own, _ in VERDICTS])
    noun = _drawn(rng, FILM_NOUNS)
    node = (world or small_world()).sample(rng, Symbol("film_was", (noun, mood)))
    return TaskText(spell(tuple(node.words())), None, _LABELS[mood])


def whole_review(rng: random.Random, world: Grammar | None = None) -> TaskText:
    """A review with its verdict, where it has one, and what the film was like."""
    node = (world or small_world()).sample(rng, Symbol("film_review"))
    (told,) = (child for child in node.children if isinstance(child, DerivationNode))
    *_, mood, _ = told.symbol.args
    return TaskText(CorpusDocument(node, tuple(node.words())).text, None, _LABELS[mood])


def inference(rng: random.Random) -> TaskText:
    """Whether a second sentence follows from the first, contradicts it, or is of another film."""
    viewer, noun, verdict, mood, first = _opening(rng)
    label = rng.choice((ENTAILED, NEUTRAL, CONTRADICTED))
    other = noun if label != NEUTRAL else _something_else(rng, noun)
    wanted = mood if label != CONTRADICTED else _other(rng, list(_LABELS), mood)
    said = rng.choice([one for _, own, one in VERDICTS if own == wanted and one != verdict])
    return TaskText(first, spell(tuple(f"{viewer} {said} the {other} .".split())), label)


def paraphrase(rng: random.Random) -> TaskText:
    """Whether two sentences say the same of the same film."""
    viewer, noun, verdict, mood, first = _opening(rng)
    label = rng.choice((SAME, OTHER))
    if label == SAME or rng.random() < 0.5:
        film, wanted = noun, mood if label == SAME else _other(rng, list(_LABELS), mood)
    else:
        film, wanted = _something_else(rng, noun), mood
    said = rng.choice([one for _, own, one in VERDICTS if own == wanted and one != verdict])
    words = f"the {film} was what {viewer} {said} ."
    return TaskText(first, spell(tuple(words.split())), label)


def _opening(rng: random.Random) -> tuple[str, str, str, str, str]:
    """The first sentence of a review: viewer, film, how it was liked in words and at all, text."""
    viewer = _drawn(rng, VIEWERS)
    noun = _drawn(rng, FILM_NOUNS)
    mood, verdict = _drawn(rng, [(weight, (own, said)) for weight, own, said in VERDICTS])
    grammar = small_world()
    told = " ".join(
        word
        for part in (Symbol("somebody", (viewer,)), Symbol("saw"), Symbol("past_time"))
        for word in ("|", *grammar.sample(rng, part).words())
    )
    _, who, saw, when = (one.strip() for one in told.split("|"))
    first = f"{who} {verdict} the {noun} that {viewer} {saw} {when} ."
    return viewer, noun, verdict, mood, spell(tuple(first.split()))


def _something_else(rng: random.Random, noun: str) -> str:
    return rng.choice(sorted(one for words in _SEEN if noun not in words for one in words))


def _other(rng: random.Random, among: list[str], one: str) -> str:
    return rng.choice([other for other in among if other != one])


def _drawn(rng: random.Random, weighted: Sequence[tuple[float, Drawn]]) -> Drawn:
    """One of several by their weights."""
    things = [thing for _, thing in weighted]
    return rng.choices(things, [weight for weight, _ in weighted])[0]


def task_texts(draw: Callable[[random.Random], TaskText], seed: int) -> Iterator[TaskText]:
    """An endless stream of texts of a task; the same seed gives the same stream."""
    rng = random.Random(seed)  # noqa: S311
    while True:
        yield draw(rng)
