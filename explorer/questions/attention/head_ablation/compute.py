"""Attention heads whose contribution is set to zero, and what a model predicts without them."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from explorer.api import AttentionModules, Context, LoadedModel, UserMistake
from explorer.hf.attention.modules import (
    AttentionModule,
    Kind,
    heads_of,
)
from explorer.questions.attention.head_ablation.intervention import before_and_after, effect_measure
from explorer.questions.attention.head_ablation.question import (
    HeadEffects,
    HeadPlace,
    SwitchOff,
    SwitchOffResult,
)
from explorer.questions.masking.masked_tokens.question import FillMask


@contextmanager
def switched_off(model: LoadedModel, places: Collection[HeadPlace]) -> Iterator[None]:
    """Let some heads contribute nothing while the block runs.

    A head's contribution is its part of the input of the layer's output projection; it is set to
    zero, in every call of the layer (DeBERTa's mask decoder calls the last one again). Layers
    that share their weights (ALBERT) are told apart by the order in which they are called.

    Raises:
        UserMistake: A head is not there.
        Unavailable: The model's attention is of a kind that can't be taken apart.
    """
    modules = model.port(AttentionModules).modules()
    wanted: dict[tuple[str, int], set[int]] = {}
    for place in places:
        layers, heads = heads_of(modules, Kind(place.kind))
        if not (0 <= place.layer < layers and 0 <= place.head < heads):
            raise UserMistake(
                f"There is no head {place.head} in layer {place.layer} of this model's "
                f"{place.kind}: it has {layers} layers of {heads} heads, counted from 0.",
                "Choose one that is there.",
            )
        wanted.setdefault((place.kind, place.layer), set()).add(place.head)
    handles: list[Any] = []
    try:
        for one in modules:
            chosen = [wanted.get((one.kind, layer), set()) for layer in one.layers]
            if any(chosen):
                calls = iter(range(10**12))
                silence = partial(_silence, one, [sorted(heads) for heads in chosen], calls)
                handles.append(one.output.register_forward_pre_hook(silence))
        yield
    finally:
        for handle in handles:
            handle.remove()


def _silence(
    one: AttentionModule,
    chosen: list[list[int]],
    calls: Iterator[int],
    _module: Any,
    inputs: tuple[Any, ...],
) -> tuple[Any, ...] | None:
    heads = chosen[next(calls) % len(chosen)]
    if not heads:
        return None
    contributions = inputs[0].clone()
    contributions.unflatten(-1, (one.heads, one.width))[..., heads, :] = 0
    return (contributions, *inputs[1:])


def predict_without(model: LoadedModel, request: SwitchOff, context: Context) -> SwitchOffResult:
    """Predict as the model is, and again without some heads.

    Raises:
        Unavailable: The model has no head to predict with.
        UserMistake: Nothing is masked, or a head is not there.
        Cancelled: The run was cancelled; checked before every layer.
    """
    modules = model.port(AttentionModules).modules()
    stacks = tuple((kind.value, *heads_of(modules, kind)) for kind in Kind)
    stacks = tuple(one for one in stacks if one[1])
    question = FillMask(request.text, request.pair, request.masks, request.top_k, request.languages)
    places = meant(request.heads, stacks)
    intervene = (lambda: switched_off(model, places)) if places else None
    changes = before_and_after(model, question, intervene, context)
    effects: tuple[HeadEffects, ...] = ()
    if request.every:
        measure = effect_measure(model, question, changes, context)
        effects = tuple(
            _effects(model, stack, measure, context, (done, total))
            for stack, done, total in _counted(stacks)
        )
    return SwitchOffResult(model.stamp, changes.tokens, stacks, places, changes, effects)


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
    own = (Kind.ENCODER, Kind.DECODER)
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
            context.progress("switching heads off", done + layer * heads + head, total)
            with switched_off(model, (HeadPlace(kind, layer, head),)):
                values[layer, head] = measure()
    values.setflags(write=False)
    return HeadEffects(kind, values)


def run(model: Any, request: SwitchOff, context: Context) -> SwitchOffResult:
    """Predict as the model is, and again with some heads' contributions set to zero.

    A head's contribution is its part of what goes into the layer's output projection (Michel,
    Levy and Neubig 2019, "Are Sixteen Heads Really Better than One?", section 2.3).

    Raises:
        Unavailable: The model has no head to predict with.
        UserMistake: The text is empty, nothing in it is masked, or a head is not there.
    """
    if not request.text.strip():
        raise UserMistake("There is no text yet.", "Type a sentence.")
    return predict_without(model, request, context)
