"""Explains the hidden words of texts that were kept from training, and asks whether it is true."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.api.context import nobody
from explorer.api.question import Context, Encoded, LoadedModel, Mask, Unavailable
from explorer.numerics.evaluation.clustered_rates import wilson
from explorer.questions.cause.attribution_benchmark.places import KnownPlace, every_place
from explorer.questions.cause.attribution_benchmark.question import (
    WAYS,
    AttributionBenchmarkRequest,
    AttributionBenchmarkResult,
    MethodVariant,
    WayTested,
)
from explorer.questions.cause.baselines import baseline_vectors, kept_places, standing_of
from explorer.questions.cause.explained import Units, explained_word
from explorer.questions.cause.method import AttributionMethod, Baseline
from explorer.questions.cause.scoring import Effort, scored
from explorer.text import N_

ALIKE = 9
"""Decimals to which the scores of two words are told apart: the first of equal ones is picked."""

SEQUENTIAL_STEPS = 8
"""Of sequential integrated gradients at most: each word's way is short, and there are many words.
Eight points leave less than 0.03 nats of what occlusion takes away."""


@dataclass(frozen=True)
class Input:
    """A place as a model reads it.

    Attributes:
        place: Which.
        encoded: Its text with the word masked.
        position: Of the mask.
        piece: What is hidden there.
        units: The positions of every other word.
        numbers: Their numbers in the place's text.
    """

    place: KnownPlace
    encoded: Encoded
    position: int
    piece: int
    units: Units
    numbers: tuple[int, ...]


def run(
    model: Any, request: AttributionBenchmarkRequest, context: Context
) -> AttributionBenchmarkResult:
    """Score the words of every text by every method, and look which one scores highest.

    Raises:
        Unavailable: No place suits the model's vocabulary, or its number type is too coarse for
            gradients.
        MachineFault: The model's numbers overflow.
        Cancelled: The run was cancelled; checked before every layer.
    """
    chosen = [KnownPlace.of(one) for one in every_place()[: request.places]]
    read = [input_of(model, one) for one in chosen]
    inputs = [one for one in read if one is not None]
    if not inputs:
        raise Unavailable(N_("This model's vocabulary has none of the small world's words."))
    effort = Effort(request.steps, request.samples, request.seed)
    # What is said of single texts would hide how many are left.
    inner = replace(context, progress=nobody)
    picks: list[list[int]] = []
    logs = []
    for number, one in enumerate(inputs):
        context.progress(N_("testing methods"), float(number), float(len(inputs)))
        context.check()
        found, log = _picks(model, one, effort, inner)
        picks.append(found)
        logs.append(log)
    places = tuple(one.place for one in inputs)
    return AttributionBenchmarkResult(
        model=model.stamp,
        places=places,
        ways=tuple(_tested(way, places, [one[n] for one in picks]) for n, way in enumerate(WAYS)),
        chance=math.fsum(one.chance for one in places) / len(places),
        left_out=len(chosen) - len(inputs),
        probability=math.exp(math.fsum(logs) / len(logs)),
    )


def input_of(model: LoadedModel, place: KnownPlace) -> Input | None:
    """A place as a model reads it; None where the word is no single piece, or does not fit."""
    start, end = place.words[place.asked]
    encoded = model.encode(place.text, None, (Mask(start, end),))
    if encoded.left_out is not None or len(encoded.mask_positions) != 1:
        return None
    (position,) = encoded.mask_positions
    piece = encoded.tokens[position].original
    if piece is None or piece == model.tokenizer.unk_token_id:
        return None
    units, numbers = [], []
    for number, (first, last) in enumerate(place.words):
        own = tuple(
            n
            for n, token in enumerate(encoded.tokens)
            if not token.special and token.start < last and token.end > first
        )
        if number != place.asked and own:
            units.append(own)
            numbers.append(number)
    return Input(place, encoded, position, piece, tuple(units), tuple(numbers))


def _picks(
    model: LoadedModel, one: Input, effort: Effort, context: Context
) -> tuple[list[int], float]:
    """The word that each method picks, and the log-probability that is explained."""
    explained = explained_word(model, one.encoded, one.position, one.piece, context)
    own = explained.own()
    kept = kept_places(explained)
    baselines = {
        kind: baseline_vectors(explained, own, standing_of(model, kind), kept)
        for kind in (Baseline.MASK, Baseline.PAD)
    }
    found = []
    for way in WAYS:
        baseline = baselines[way.baseline or Baseline.MASK]
        some = effort
        if way.method is AttributionMethod.SEQUENTIAL_INTEGRATED_GRADIENTS:
            some = replace(effort, steps=min(effort.steps, SEQUENTIAL_STEPS))
        scores = scored(explained, way.method, own, baseline, one.units, some).scores
        found.append(one.numbers[int(np.argmax(np.round(scores, ALIKE)))])
    return found, float(explained.values(own[None])[0])


def _tested(way: MethodVariant, places: Sequence[KnownPlace], picks: Sequence[int]) -> WayTested:
    """How often the picked words are those that matter."""
    right = sum(pick in place.right for pick, place in zip(picks, places, strict=True))
    worth = [
        place.losses[pick] / max(place.losses) for pick, place in zip(picks, places, strict=True)
    ]
    share = right / len(places)
    low, high = wilson(share, len(places))
    return WayTested(
        way.method,
        way.baseline,
        tuple(picks),
        right,
        share,
        low,
        high,
        math.fsum(worth) / len(places),
    )
