"""Scores of the words of a text, by one method or by two beside each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.api.attribution import AttributionMethod
from explorer.api.question import Context, SpanExtractor, Token, UserMistake, check_text
from explorer.attribution.baselines import (
    Standing,
    baseline_vectors,
    kept_places,
    standing_of,
    vectors_of_text,
)
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.foreign import ForeignMethod
from explorer.attribution.kinds import Baseline
from explorer.attribution.known import method_of
from explorer.attribution.scoring import Effort, ScoresAsked, scored
from explorer.document import MASK_LITERAL
from explorer.questions.cause.attribution.meaning import Meant
from explorer.questions.cause.attribution.options import FIRST_STEPS, MOST_STEPS_NEEDED, ScoredUnit
from explorer.questions.cause.attribution.question import (
    MOST_GAP,
    AttributionRequest,
    AttributionResult,
    MethodScores,
    share_of,
)
from explorer.questions.cause.attribution.target import meant
from explorer.questions.cause.faithfulness import comprehensiveness, curves_of, sufficiency
from explorer.text import N_, Phrase
from explorer.text.pieces import WORD_MARKS


def run(model: Any, request: AttributionRequest, context: Context) -> AttributionResult:
    """Score words.

    Raises:
        Unavailable: The model does not answer what is to be explained.
        UserMistake: The text is empty, nothing in it has a score, the place, word or label is none,
            or the model's number type is too coarse for gradients.
        MachineFault: The answers are not numbers.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    context.check()
    chosen = tuple(
        method_of(name) for name in dict.fromkeys((request.method, request.beside)) if name
    )
    found = meant(model, request, context)
    explained, encoded = found.explained, found.explained.query.encoded
    own = explained.own()
    kept = kept_places(explained)
    units = units_of(encoded.tokens[: len(own)], kept, request.by)
    if not units:
        raise UserMistake(
            N_("There is no word here but the one that is explained."), N_("Type a longer text.")
        )
    baseline, standing = _baseline(found, own, kept, request)
    value, baseline_value = _both(explained, own, baseline)
    methods = tuple(
        _one(explained, method, own, baseline, units, request, value - baseline_value)
        for method in chosen
    )
    return AttributionResult(
        model=model.stamp,
        tokens=encoded.tokens,
        explained=found.said,
        value=value,
        baseline=request.baseline,
        baseline_piece="" if standing is None else standing.piece,
        baseline_value=baseline_value,
        units=tuple(units),
        words=tuple(_word(unit, encoded.tokens, request) for unit in units),
        methods=methods,
        left_out=encoded.left_out,
        notes=(*encoded.notes, *found.notes, *_notes(request.baseline, standing, model)),
    )


def units_of(tokens: Sequence[Token], kept: frozenset[int], by: ScoredUnit) -> Units:
    """What has a score: tokens, or words of them; none of what is kept."""
    units: list[tuple[int, ...]] = []
    for place, token in enumerate(tokens):
        if place in kept:
            continue
        joins = by is ScoredUnit.WORD and token.joined and units and units[-1][-1] == place - 1
        if joins:
            units[-1] = (*units[-1], place)
        else:
            units.append((place,))
    return units


def _word(unit: tuple[int, ...], tokens: Sequence[Token], request: AttributionRequest) -> str:
    """What the sentence has for a unit; a mask where all that is there is hidden."""
    first, last = tokens[unit[0]], tokens[unit[-1]]
    if first.masked:
        return MASK_LITERAL
    if len(unit) == 1 and first.text in WORD_MARKS:
        return first.text  # a space, which has the characters of what follows
    text = request.text if first.part == 0 else request.pair or ""
    return text[first.start : last.end].strip() or first.text


def _both(explained: ExplainedAnswer, own: Any, baseline: Any) -> tuple[float, float]:
    """The number for the text and for the baseline."""
    import torch

    value, other = explained.values(torch.stack([own, baseline])).tolist()
    return float(value), float(other)


def _baseline(
    found: Meant, own: Any, kept: frozenset[int], request: AttributionRequest
) -> tuple[Any, Standing | None]:
    """The baseline's vectors, and what stands in it; None for a text."""
    explained = found.explained
    if request.baseline is not Baseline.TEXT:
        standing = standing_of(explained.model, request.baseline)
        return baseline_vectors(explained, own, standing, kept), standing
    check_text(request.baseline_text)
    texts = request.baseline_text, request.pair
    if explained.port is SpanExtractor:  # it reads the question first
        texts = request.pair or "", request.baseline_text
    return vectors_of_text(explained, own, *texts, kept), None


def _one(
    explained: ExplainedAnswer,
    chosen: AttributionMethod | ForeignMethod,
    own: Any,
    baseline: Any,
    units: Units,
    request: AttributionRequest,
    whole: float,
) -> MethodScores:
    """One method's scores, and how faithful they are.

    Args:
        explained: The number.
        chosen: The method.
        own: The text's vectors.
        baseline: The baseline's.
        units: What is scored.
        request: How much is done.
        whole: What all units together change.
    """
    explained.context.check()
    foreign = chosen if isinstance(chosen, ForeignMethod) else None
    method = chosen.method if isinstance(chosen, ForeignMethod) else chosen
    effort = Effort(request.steps or FIRST_STEPS, request.samples, request.seed)
    found = scored(method, ScoresAsked(explained, own, baseline, units, effort))
    while (
        not request.steps
        and method.about.adds_up
        and "steps" in method.takes
        and effort.steps < MOST_STEPS_NEEDED
        and share_of(float(found.scores.sum()) - whole, whole) > MOST_GAP
    ):
        # The way passes a point where a layer norm turns over, and the points lie too far apart.
        effort = replace(effort, steps=2 * effort.steps)
        found = scored(method, ScoresAsked(explained, own, baseline, units, effort))
    curves = curves_of(explained, own, baseline, units, found.scores)
    return MethodScores(
        method.name,
        found.scores,
        found.errors,
        curves.deletion,
        curves.insertion,
        comprehensiveness(curves.deletion),
        sufficiency(curves.insertion),
        effort.steps if "steps" in method.takes else 0,
        None if foreign is None else method.about,
        "" if foreign is None else foreign.digest,
    )


def _notes(baseline: Baseline, standing: Standing | None, model: Any) -> tuple[Phrase, ...]:
    """What stands in the place of words where the model has not what was asked for."""
    tokenizer = model.tokenizer
    wanted = {
        Baseline.MASK: tokenizer.mask_token_id,
        Baseline.PAD: tokenizer.pad_token_id,
    }
    if standing is None or baseline not in wanted or standing.id == wanted[baseline]:
        return ()
    if standing.id is None:
        return (Phrase(N_("The vocabulary has no token for this: zeros replace words.")),)
    missing = (
        N_("The vocabulary has no mask token: “{piece}” is used in place of words.")
        if baseline is Baseline.MASK
        else N_("The vocabulary has no padding token: “{piece}” is used in place of words.")
    )
    return (Phrase(missing, piece=standing.piece),)
