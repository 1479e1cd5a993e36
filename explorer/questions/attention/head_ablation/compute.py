"""Attention heads whose contribution is set to zero, and what a model predicts without them."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any

from explorer.api.question import AttentionModules, Context, HeadPlace, LoadedModel, check_text
from explorer.hf.kept import kept
from explorer.questions.attention.before_and_after import before_and_after, effect_measure
from explorer.questions.attention.head_ablation.question import (
    HeadAblationRequest,
    HeadAblationResult,
    HeadEffects,
)
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.text import N_

MOST = 32
"""Texts whose measurements are kept, of all models."""


def predict_without(
    model: LoadedModel, request: HeadAblationRequest, context: Context
) -> HeadAblationResult:
    """Predict as the model is, and again without some heads.

    Raises:
        Unavailable: The model has no head to predict with.
        UserMistake: Nothing is masked, or a head is not there.
        Cancelled: The run was cancelled; checked before every layer.
    """
    attention = model.port(AttentionModules)
    stacks = attention.stacks()
    question = MaskedTokensRequest(
        request.text,
        request.pair,
        request.masks,
        request.top_k,
        request.languages,
        entities=request.entities,
    )
    places = meant(request.heads, stacks)
    intervene = (lambda: attention.ablated(places)) if places else None
    changes = before_and_after(model, question, intervene, context)
    effects: tuple[HeadEffects, ...] = ()
    if request.every:
        effects = _effects_of_all(model, request, question, stacks, context)
    return HeadAblationResult(model.stamp, changes.tokens, stacks, places, changes, effects)


def _effects_of_all(
    model: LoadedModel,
    request: HeadAblationRequest,
    question: MaskedTokensRequest,
    stacks: tuple[tuple[str, int, int], ...],
    context: Context,
) -> tuple[HeadEffects, ...]:
    """Each head off alone, from an earlier measurement of the same where there is one.

    It does not depend on which heads are off, nor on how many words are told of.
    """

    def make() -> tuple[HeadEffects, ...]:
        measure = effect_measure(model, question, context)
        return tuple(
            _effects(model, stack, measure, context, (done, total))
            for stack, done, total in _counted(stacks)
        )

    asked = replace(request, heads=(), top_k=1)
    return kept("effects of every head", make, of=model, asked=asked, most=MOST)


def meant(
    places: Collection[HeadPlace], stacks: Collection[tuple[str, int, int]]
) -> tuple[HeadPlace, ...]:
    """The heads of a model with one stack, whichever way round a question calls that stack.

    So the same heads stay off when a model that reads in both directions is exchanged for one
    that reads from the left.
    """
    (only, *others) = [kind for kind, _, _ in stacks]
    if others:
        return tuple(places)
    own = ("encoder", "decoder")
    return tuple(replace(one, kind=only) if one.kind in own else one for one in places)


def _counted(
    stacks: tuple[tuple[str, int, int], ...],
) -> Iterator[tuple[tuple[str, int, int], int, int]]:
    """Each stack, the heads of those before it, and those of all."""
    sizes = [layers * heads for _, layers, heads in stacks]
    for number, stack in enumerate(stacks):
        yield stack, sum(sizes[:number]), sum(sizes)


def _effects(
    model: LoadedModel,
    stack: tuple[str, int, int],
    measure: Callable[[], float],
    context: Context,
    progress: tuple[int, int],
) -> HeadEffects:
    """Each head of a stack off alone."""
    import numpy as np

    kind, layers, heads = stack
    values = np.zeros((layers, heads), np.float32)
    done, total = progress
    for layer in range(layers):
        for head in range(heads):
            context.progress(N_("switching heads off"), done + layer * heads + head, total)
            with model.port(AttentionModules).ablated((HeadPlace(kind, layer, head),)):
                values[layer, head] = measure()
    values.setflags(write=False)
    return HeadEffects(kind, values)


def run(model: Any, request: HeadAblationRequest, context: Context) -> HeadAblationResult:
    """Predict as the model is, and again with some heads' contributions set to zero.

    A head's contribution is its part of what goes into the layer's output projection (Michel,
    Levy and Neubig 2019, "Are Sixteen Heads Really Better than One?", section 2.3).

    Raises:
        Unavailable: The model has no head to predict with.
        UserMistake: The text is empty, nothing in it is masked, or a head is not there.
    """
    check_text(request.text)
    return predict_without(model, request, context)
