"""Tries what a loaded model says of its layers beside its own forward, and keeps what agrees.

A plugin states where queries and keys are, how many layers and heads there are, and what leaves a
layer. Nobody can see from a page whether that is so, and a number that is wrong looks like any
other. So every model is let read a few tokens when it is loaded, whoever's plugin it is; what fails
is no longer offered, and the model says by how much it was off.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.errors import is_out_of_memory
from explorer.api.family import (
    AttentionModules,
    Attentions,
    Cancelled,
    Context,
    ExplorerError,
    HiddenStates,
    LayerReadout,
    LoadedModel,
    States,
)
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.projections import QueriesKeys
from explorer.hf.loading.memory.weighing import shape_of
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant

SAMPLE = "the cat sat on the mat"
"""What a model reads on loading, for its ports to be proved."""
WRITTEN = 3
"""Pieces of it that a decoder beside an encoder reads."""

CLOSE = {"float32": 1e-4, "bfloat16": 5e-2, "float16": 1e-2}
"""How far a share of attention may be from the model's own, by the type of the numbers."""

Proof = Callable[[LoadedModel], str]
"""From a model to what is wrong with its port: a Phrase, or marked with `N_`; or ""."""

Proofs = Iterable[tuple[tuple[type, ...], Proof]]
"""Ports, the first of which is tried, and how; all of them go where it fails."""


def keep_proved(model: LoadedModel) -> None:
    """Take away what a model says of its layers and is not so, whichever plugin it comes from.

    Layers that are fetched from a disk are not run for that: it would take as long as a question.
    """
    if not model.stamp.is_offloaded:
        take_away(model, PROOFS)


def take_away(model: LoadedModel, proofs: Proofs) -> None:
    """Take away each port that can't be proved, and say why."""
    refused: dict[type, str] = {}
    for kinds, proof in proofs:
        if kinds[0] not in model.ports:
            continue
        try:
            wrong = proof(model)
        except Cancelled:
            raise
        except ExplorerError as error:
            wrong = error.problem
        except Exception as error:
            if is_out_of_memory(error):
                raise
            told = str(error).strip().splitlines()
            wrong = Phrase(
                N_("It failed when it was tried ({error})."),
                error=told[0][:160] if told else type(error).__name__,
            )
        for kind in kinds if wrong else ():
            if model.ports.pop(kind, None) is not None:
                refused[kind] = wrong
    if refused:
        model.refused = {**model.refused, **refused}


def gives_states(model: LoadedModel) -> str:
    """A row for the embeddings and every layer, the last one what leaves the encoder."""
    import torch

    encoded = model.encode(SAMPLE)
    rows = model.ports[States].states([encoded], Context())[0].float()
    with torch.inference_mode():
        last = model.encoder(**encoded.inputs)[0].float()
    if rows.shape[1:] != last.shape:
        return N_("transformers does not give the states of its layers.")
    far = float((rows[-1] - last).abs().max())
    if not far <= CLOSE.get(model.dtype, 1e-2) * max(1.0, float(last.abs().max())):
        return Phrase(
            N_("The states told of its last layer are off by {far} from what the model gives."),
            far=significant(far, 2),
        )
    return ""


def attends(model: LoadedModel) -> str:
    """A row for every token and layer, each a distribution over the tokens."""
    if AttentionModules in model.ports:
        return ""  # it is the softmax of scores, which is more
    encoded = model.encode(SAMPLE)
    size = len(encoded.tokens)
    told = _ids(model)[:WRITTEN]
    for stack in model.ports[Attentions].capture(encoded, Context(), told).values():
        shape = len(stack.queries), len(stack.keys)
        for layer in stack.weights:
            if layer.ndim != 3 or layer.shape[1:] != shape:
                given = " × ".join(str(n) for n in layer.shape)
                return Phrase(
                    N_(
                        "transformers gives its attention as {shape} numbers for {size} tokens: no "
                        "matrix from every token to every other."
                    ),
                    shape=given,
                    size=size,
                )
            if abs(layer.sum(-1) - 1).max() > 1e-2:
                return N_("Its attention's rows are no distributions over the tokens.")
    return ""


def is_taken_apart(model: LoadedModel) -> str:
    """Queries times keys, after the softmax, against the attention itself."""
    modules = model.ports[AttentionModules]
    for one in modules.modules():
        if one.heads * one.width not in shape_of(one.output.weight):
            return N_("Its heads are not all that its attention's output is made of.")
    if Attentions not in model.ports:
        return ""
    encoded = model.encode(SAMPLE)
    try:
        with modules.captured() as kept:
            stacks = model.ports[Attentions].capture(encoded, Context(), _ids(model)[:WRITTEN])
            first: dict[tuple[str, int], QueriesKeys] = {}
            for one in kept:
                first.setdefault((_stack_of(one.kind, stacks), one.layer), one)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RuntimeError):
        return N_("Its queries and keys are not where other models have them.")
    if len(first) != sum(stack.layers for stack in stacks.values()):
        return N_("Not every layer of it has queries and keys that can be found.")
    worst, where = 0.0, 0
    for kind, stack in stacks.items():
        for layer, weights in enumerate(stack.weights):
            scores = first[kind, layer].scores().cpu().numpy()
            if scores.shape != weights.shape:
                return N_("Its queries and keys are no attention of the usual shape.")
            far = float(np.abs(_shares(scores, weights) - weights).max())
            if not far <= worst:
                worst, where = far, layer
    if not worst <= CLOSE.get(model.dtype, 1e-2):
        return Phrase(
            N_(
                "Its attention is not the softmax of the queries and keys that are told of it: in "
                "layer {layer} a share is off by {far}."
            ),
            layer=where,
            far=significant(worst, 2),
        )
    return ""


def _shares(scores: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    """Softmax of scores, of what the model itself looks at."""
    seen = np.where(weights > 0, scores, -np.inf)
    found = np.exp(seen - seen.max(-1, keepdims=True))
    shares: NDArray[Any] = found / found.sum(-1, keepdims=True)
    return shares


def _stack_of(kind: AttentionKind, stacks: Iterable[str]) -> str:
    """The name of a kind's attention; of a model with one stack there is one."""
    names: Iterator[str] = iter(stacks)
    only, *more = names
    return kind.value if more else only


def _ids(model: LoadedModel) -> tuple[int, ...]:
    """The text's own pieces."""
    return tuple(one.id for one in model.encode(SAMPLE).tokens if not one.special)


PROOFS: Proofs = (
    ((States, LayerReadout), gives_states),
    ((AttentionModules, HiddenStates), is_taken_apart),
    ((Attentions, HiddenStates), attends),
)
"""What is tried of every family: what it says of its layers, beside the model's own forward."""
