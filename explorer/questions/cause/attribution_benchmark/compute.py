"""Explains the hidden words of texts that were kept from training, and asks whether it is true."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer import __version__
from explorer.api.attribution import AttributionMethod, Scores
from explorer.api.context import nobody
from explorer.api.question import Context, Encoded, LoadedModel, Mask, Unavailable, UserMistake
from explorer.attribution.baselines import baseline_vectors, kept_places, standing_of
from explorer.attribution.bringing import brought
from explorer.attribution.explained import ExplainedAnswer, Units, explained_word
from explorer.attribution.foreign import ForeignMethod
from explorer.attribution.kinds import Baseline
from explorer.attribution.known import method_of
from explorer.attribution.removals import values_of
from explorer.attribution.scoring import Effort, ScoresAsked, scored
from explorer.numerics.evaluation.rank_correlation import rank_correlation
from explorer.questions.cause.attribution_benchmark.kept import KeptScores, PlaceScore, own_digest
from explorer.questions.cause.attribution_benchmark.places import KnownPlace, every_place
from explorer.questions.cause.attribution_benchmark.question import AttributionBenchmarkRequest
from explorer.questions.cause.attribution_benchmark.tested import (
    WAYS,
    AttributionBenchmarkResult,
    MethodVariant,
    RefusedMethod,
    WayTested,
)
from explorer.text import N_

ALIKE = 9
"""Decimals to which the scores of two words are told apart: the first of equal ones is picked."""

SEQUENTIAL_STEPS = 8
"""Of sequential integrated gradients at most: each word's way is short, and there are many words.
Eight points leave less than 0.03 nats of what occlusion takes away."""

AGREE = 0.5
"""Nats that the model's log-probability may be from the exact one where the two agree."""


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


@dataclass(frozen=True)
class Tried:
    """A method that is tested.

    Attributes:
        way: Which, with its baseline.
        method: Its declaration.
        digest: SHA-256 of its source.
    """

    way: MethodVariant
    method: AttributionMethod
    digest: str


@dataclass(frozen=True)
class ReadPlace:
    """A place that is being explained.

    Attributes:
        asked: As the model reads it.
        explained: The hidden word's log-probability.
        own: The text's vectors.
        baselines: By what stands in the place of words.
    """

    asked: Input
    explained: ExplainedAnswer
    own: Any
    baselines: Mapping[Baseline, Any]

    @staticmethod
    def of(model: LoadedModel, one: Input, context: Context) -> "ReadPlace":
        """Read a place."""
        explained = explained_word(model, one.encoded, one.position, one.piece, context)
        own, kept = explained.own(), kept_places(explained)
        baselines = {
            kind: baseline_vectors(explained, own, standing_of(model, kind), kept)
            for kind in (Baseline.MASK, Baseline.PAD)
        }
        return ReadPlace(one, explained, own, baselines)


def run(
    model: Any, request: AttributionBenchmarkRequest, context: Context
) -> AttributionBenchmarkResult:
    """Score the words of every text by every method, and look which one scores highest.

    Raises:
        Unavailable: No place suits the model's vocabulary, or no method can be had of it.
        UserMistake: There is no such method.
        PluginFault: A method in a file does not work.
        MachineFault: The model's numbers overflow.
        Cancelled: The run was cancelled; checked before every layer.
    """
    tried = chosen_methods(request)
    chosen = [KnownPlace.of(one) for one in every_place()[: request.places]]
    read = [input_of(model, one) for one in chosen]
    inputs = [one for one in read if one is not None]
    if not inputs:
        raise Unavailable(N_("This model's vocabulary has none of the small world's words."))
    effort = Effort(request.steps, request.samples, request.seed)
    kept = KeptScores.of(context.cache, model.stamp, effort)
    # What is said of single texts would hide how many are left.
    inner = replace(context, progress=nobody)
    found: dict[str, list[PlaceScore]] = {one.way.name: [] for one in tried}
    refused: dict[str, RefusedMethod] = {}
    agrees, logs = [], []
    for number, one in enumerate(inputs):
        context.progress(N_("testing methods"), float(number), float(len(inputs)))
        context.check()
        place = ReadPlace.of(model, one, inner)
        whole, without = _own_values(place)
        agrees.append(agree(one.place, whole, without))
        logs.append(whole)
        for each in tried:
            name = each.way.name
            if name in refused:
                continue
            known = kept.get(name, each.digest, one.place)
            try:
                score = known or _score(place, each, effort)
            except (Unavailable, UserMistake) as error:
                refused[name] = RefusedMethod(name, each.way.title, error.problem)
                continue
            if known is None:
                kept.add(name, each.digest, one.place, score)
            found[name].append(score)
    places = tuple(one.place for one in inputs)
    had = [one for one in tried if one.way.name not in refused]
    if not had:
        raise Unavailable("{why}", why=next(iter(refused.values())).why)
    return AttributionBenchmarkResult(
        model=model.stamp,
        places=places,
        ways=tuple(_tested(one, places, found[one.way.name]) for one in had),
        chance=math.fsum(one.chance for one in places) / len(places),
        left_out=len(chosen) - len(inputs),
        probability=math.exp(math.fsum(logs) / len(logs)),
        agrees=tuple(agrees),
        refused=tuple(refused.values()),
        version=__version__,
    )


def chosen_methods(request: AttributionBenchmarkRequest) -> tuple[Tried, ...]:
    """What is tested: the program's methods and those of plugins, or some; and one in a file.

    Raises:
        UserMistake: There is no such method.
        PluginFault: The file's code fails.
    """
    own = {one.name: one for one in WAYS}
    names = request.methods or ((*own, *brought()) if not request.method else tuple(own))
    every = dict.fromkeys((*names, *([request.method] if request.method else [])))
    found = []
    for name in every:
        way = own.get(name.replace("-", "_"))
        known = method_of(name if way is None else way.method)
        if isinstance(known, ForeignMethod):
            baseline = Baseline.MASK if "baseline" in known.method.takes else None
            way = MethodVariant(known.method.name, baseline, known.method.about)
            found.append(Tried(way, known.method, known.digest))
        elif way is not None:
            found.append(Tried(way, known, own_digest()))
    return tuple(found)


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


def _own_values(place: ReadPlace) -> tuple[float, float]:
    """The model's log-probability of the hidden word, and without the words that matter most."""
    one = place.asked
    present = np.ones((2, len(one.units)), bool)
    present[1] = [number not in one.place.right for number in one.numbers]
    baseline = place.baselines[Baseline.MASK]
    whole, without = values_of(place.explained, place.own, baseline, one.units, present)
    return float(whole), float(without)


def agree(place: KnownPlace, whole: float, without: float) -> bool:
    """Whether a model's log-probabilities are the world's: that is when it goes by what matters."""
    exact = place.log_probability
    if exact is None:
        return False
    lost = exact - max(place.losses)
    return abs(whole - exact) <= AGREE and abs(without - lost) <= AGREE


def _score(place: ReadPlace, tried: Tried, effort: Effort) -> PlaceScore:
    """What a method comes to at a place."""
    if tried.method.name == "sequential_integrated_gradients":
        effort = replace(effort, steps=min(effort.steps, SEQUENTIAL_STEPS))
    one = place.asked
    baseline = place.baselines[tried.way.baseline or Baseline.MASK]
    asked = ScoresAsked(place.explained, place.own, baseline, one.units, effort)
    return judged(scored(tried.method, asked).scores, one.numbers, one.place)


def judged(scores: Scores, numbers: Sequence[int], place: KnownPlace) -> PlaceScore:
    """Scores of words beside what the words are worth.

    Args:
        scores: One a word.
        numbers: Of the words, in the place's text.
        place: Which.
    """
    positive = np.clip(scores, 0.0, None)
    right = np.array([number in place.right for number in numbers])
    total = float(positive.sum())
    worth = [place.losses[number] for number in numbers]
    return PlaceScore(
        numbers[int(np.argmax(np.round(scores, ALIKE)))],
        float(positive[right].sum()) / total if total > 0 else 0.0,
        rank_correlation(np.round(scores, ALIKE), np.round(worth, ALIKE)),
    )


def _tested(tried: Tried, places: Sequence[KnownPlace], scores: Sequence[PlaceScore]) -> WayTested:
    """How often the picked words are those that matter, and how much their scores say."""
    picks = tuple(one.pick for one in scores)
    return replace(
        WayTested.of(tried.way, picks, places, tried.digest),
        masses=tuple(one.mass for one in scores),
        ranks=tuple(one.rank for one in scores),
    )
