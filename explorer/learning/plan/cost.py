"""What a run will take, told before it begins: parameters, tokens, multiply-adds.

Counted from the plan alone, without a model. The vocabulary is that of the plan; a text of few
words has a smaller one, so that this is the most a run can take of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from explorer.learning.plan.choices import (
    Corpus,
    LayerSharing,
    ModelFamily,
    Norms,
    Objective,
    PairObjective,
    Tables,
)
from explorer.learning.plan.plan import TrainingPlan

TOKENS: Final[Mapping[Corpus, float]] = {
    Corpus.SMALL: 16.4,
    Corpus.WORLD: 15.9,
    Corpus.KOREAN: 12.2,
    Corpus.PROMPTS: 38.0,
}
"""Of a text of each world, special ones included, by 2,000 texts and 800 pieces."""
SENTINELS: Final = 100
PLACES: Final = 20
"""In a span that have a vector of their own (SpanBERT)."""
BUCKETS: Final = 32
"""Distances that T5 tells apart."""
BACKWARDS: Final = 3
"""A step forwards and backwards takes three times what it takes forwards."""
MISLED: Final = 8
"""As often with the adversarial loss: twice forwards and backwards, and between them once forwards
and back to the embeddings alone, which leaves the weights' half out."""
LONG: Final = (2 / 64, 1 / 5)
"""The share of batches with texts up to the model's length, and how many they have of others'."""


@dataclass(frozen=True, slots=True)
class PlanCost:
    """What a run takes.

    Attributes:
        parameters: Trained numbers, shared ones once.
        tokens: Read in the whole run, about.
        multiply_adds: Of all steps, forwards and backwards, about.
        is_most: How long the texts are is not known, as those of a file: it takes no more.
    """

    parameters: int
    tokens: float
    multiply_adds: float
    is_most: bool


def cost_of(plan: TrainingPlan) -> PlanCost:
    """What a plan's run takes."""
    length = float(plan.length) if plan.path else min(TOKENS[plan.corpus], float(plan.length))
    share, fewer = LONG
    a_step = (1 - share) * plan.batch * length + share * plan.batch * fewer * plan.length
    tokens = a_step * plan.steps
    forwards = _forwards(plan, length)
    often = MISLED if plan.settled().adversarial else BACKWARDS
    return PlanCost(parameters_of(plan), tokens, often * tokens * forwards, bool(plan.path))


def parameters_of(plan: TrainingPlan) -> int:
    """Numbers that are trained; shared ones count once."""
    pieces, wide, tall = plan.vocabulary, plan.width, plan.layers
    if plan.objective is Objective.CAUSAL:
        last = 2 * wide if plan.of_norms is Norms.PRE else 0
        return (pieces + plan.length) * wide + _layers(plan, wide) + last
    if plan.objective is Objective.DROPPED:
        encoder = tall * (12 * wide**2 + 2 * wide) + wide + BUCKETS * plan.heads
        decoder = tall * (16 * wide**2 + 3 * wide) + wide + BUCKETS * plan.heads
        return (pieces + SENTINELS) * wide + encoder + decoder
    if plan.objective is Objective.REPLACED:
        return _electra_halves(plan)
    return _encoder(plan, wide) + _filler(plan, wide) + _more_heads(plan)


def _layers(plan: TrainingPlan, wide: int) -> int:
    """Attention and feed-forward with their norms, as often as they are there."""
    attention = 4 * wide**2 + 6 * wide
    feed_forward = 8 * wide**2 + 7 * wide
    shares = plan.shared
    once = {
        LayerSharing.ATTENTION: (1, plan.layers),
        LayerSharing.FEED_FORWARD: (plan.layers, 1),
        LayerSharing.ALL: (1, 1),
    }.get(shares, (plan.layers, plan.layers))
    return once[0] * attention + once[1] * feed_forward


def _piece_width(plan: TrainingPlan, wide: int) -> int:
    """Of a family whose pieces may be narrower than its layers."""
    return wide if plan.of_family is ModelFamily.BERT else plan.piece_width


def _tables(plan: TrainingPlan, wide: int) -> int:
    """Tables of pieces, positions and two segments."""
    return (plan.vocabulary + plan.length + 2) * _piece_width(plan, wide)


def _encoder(plan: TrainingPlan, wide: int) -> int:
    narrow = _piece_width(plan, wide)
    before = plan.of_family is ModelFamily.BERT and plan.of_norms is Norms.PRE
    norm = 2 * (wide if before else narrow)  # after the last layer, or after the tables
    widens = plan.of_family is ModelFamily.ALBERT or narrow != wide
    widening = narrow * wide + wide if widens else 0
    return _tables(plan, wide) + norm + widening + _layers(plan, wide)


def _filler(plan: TrainingPlan, wide: int) -> int:
    """The head that fills masks; its table is that of the pieces."""
    narrow = _piece_width(plan, wide)
    return wide * narrow + 3 * narrow + plan.vocabulary


def _more_heads(plan: TrainingPlan) -> int:
    wide = plan.width
    if plan.objective is Objective.BOUNDARY:
        place = wide // 4
        widest = (2 * wide + place) * wide + wide + wide**2 + wide + 4 * wide
        return PLACES * place + widest + plan.vocabulary
    return 0 if plan.pairs is PairObjective.NONE else wide**2 + wide + 2 * wide + 2


def _electra_halves(plan: TrainingPlan) -> int:
    wide, less = plan.width, plan.generator_width
    generator = _encoder(plan, less) + _filler(plan, less)
    discriminator = _encoder(plan, wide) + wide**2 + wide + wide + 1
    shared = _tables(plan, wide) + 2 * plan.piece_width if plan.tables is Tables.SHARED else 0
    return generator + discriminator - shared


def _forwards(plan: TrainingPlan, length: float) -> float:
    """Multiply-adds a token forwards; the vocabulary is scored where it is asked."""
    wide, tall, pieces = plan.width, plan.layers, plan.vocabulary

    def layers(width: int) -> float:
        return tall * (12 * width**2 + 2 * length * width)

    def widened(width: int) -> float:
        narrow = _piece_width(plan, width)
        return 0 if narrow == width else narrow * width

    def filled(width: int) -> float:
        narrow = _piece_width(plan, width)
        return plan.selected * (width * narrow + narrow * pieces)

    if plan.objective is Objective.CAUSAL:
        return layers(wide) + wide * pieces
    if plan.objective is Objective.DROPPED:
        # Each span of three, at least one, has a sentinel, and two tokens more end the text.
        written = (4 * max(1.0, plan.selected * length / 3) + 2) / length
        decoder = tall * (14 * wide**2 + 2 * length * wide) + wide * (pieces + SENTINELS)
        return layers(wide) + tall * 2 * wide**2 + written * decoder
    whole = layers(wide) + widened(wide)
    if plan.objective is Objective.REPLACED:
        less = plan.generator_width
        return whole + wide**2 + layers(less) + widened(less) + filled(less)
    if plan.objective is Objective.BOUNDARY:
        whole += plan.selected * (3.25 * wide**2 + wide * pieces)
    return whole + filled(wide)
