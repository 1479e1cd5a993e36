"""Claims about layers: their states, attention, queries and keys, against the model's own run."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.family import AttentionModules
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.queries_keys import QueriesKeys
from explorer.hf.attention.weights import no_matrix
from explorer.hf.loading.memory.weighing import shape_of
from explorer.hf.proving.claim import RIGHT, Margin
from explorer.hf.proving.trial import ModelTrial
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant


def gives_states(trial: ModelTrial) -> Margin:
    """A row for the embeddings and every layer, the last one what leaves the encoder."""
    rows, last = trial.rows, trial.last
    if rows.shape[1:] != last.shape:
        return Margin(wrong=N_("transformers does not give the states of its layers."))
    close = trial.close * max(1.0, float(rows.abs().max()))
    first = _first_read(trial, rows.shape[1:])
    far = 0.0 if first is None else float((rows[0] - first).abs().max())
    if not far <= close:
        wrong = N_(
            "The states that its plugin gives for its embeddings are off by {far} from what its "
            "layers read."
        )
        return Margin(far, close, Phrase(wrong, far=significant(far, 2)))
    far = max(far, float((rows[-1] - last).abs().max()))
    if far <= close:
        return Margin(far, close)
    wrong = N_("The states given for its last layer are off by {far} from the model's own.")
    return Margin(far, close, Phrase(wrong, far=significant(far, 2)))


def _first_read(trial: ModelTrial, shape: Any) -> Any:
    """What the first layer is given (tokens x width); None where layers are in no list."""
    from torch.nn import ModuleList

    listed = {
        id(layer)
        for one in trial.model.module.modules()
        if isinstance(one, ModuleList)
        for layer in one
    }
    reading = [one for one in trial.calls if id(one.module) in listed and one.given is not None]
    first = min(reading, key=lambda one: one.began, default=None)
    return None if first is None or first.given.shape != shape else first.given


def attends(trial: ModelTrial) -> Margin:
    """A row for every token and layer, each a distribution over the tokens."""
    worst, close = 0.0, 1e-2
    for stack in trial.stacks.values():
        shape = len(stack.queries), len(stack.keys)
        for layer in stack.weights:
            if layer.ndim != 3 or layer.shape[1:] != shape:
                return Margin(wrong=no_matrix(layer.shape, len(trial.encoded.tokens)).problem)
            worst = max(worst, float(abs(layer.sum(-1) - 1).max()))
    if worst <= close:
        return Margin(worst, close)
    return Margin(worst, close, N_("Its attention's rows are no distributions over the tokens."))


def is_taken_apart(trial: ModelTrial) -> Margin:
    """Queries times keys, after the softmax, against the attention itself."""
    modules = trial.model.ports[AttentionModules]
    for one in modules.modules():
        if one.heads * one.width not in shape_of(one.output.weight):
            wrong = N_("Its heads are not all that its attention's output is made of.")
            return Margin(wrong=wrong)
    try:
        stacks = trial.stacks
        if not stacks:
            return RIGHT
        first: dict[tuple[str, int], QueriesKeys] = {}
        for kept in trial.kept:
            first.setdefault((_stack_of(kept.kind, stacks), kept.layer), kept)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RuntimeError):
        return Margin(wrong=N_("Its queries and keys are not where other models have them."))
    if len(first) != sum(stack.layers for stack in stacks.values()):
        wrong = N_("Not every layer of it has queries and keys that can be found.")
        return Margin(wrong=wrong)
    worst, where = 0.0, 0
    for kind, stack in stacks.items():
        for layer, weights in enumerate(stack.weights):
            own = first[kind, layer]
            scores = own.scores().cpu().numpy()
            if scores.shape != weights.shape:
                wrong = N_("Its queries and keys are no attention of the usual shape.")
                return Margin(wrong=wrong)
            known = own.seen is not None
            shares = own.shares().cpu().numpy() if known else _shares(scores, weights)
            far = float(np.abs(shares - weights).max())
            if not far <= worst:
                worst, where = far, layer
    if worst <= trial.close:
        return Margin(worst, trial.close)
    wrong = Phrase(
        N_(
            "Its attention is not the softmax of the queries and keys given for it: in "
            "layer {layer} a share is off by {far}."
        ),
        layer=where,
        far=significant(worst, 2),
    )
    return Margin(worst, trial.close, wrong)


def mixes_values(trial: ModelTrial) -> Margin | None:
    """Attention times the values, head by head, against what its output is given."""
    import torch

    stacks = trial.stacks
    modules = trial.model.ports[AttentionModules].modules()
    calls = {(id(one.module), one.number): one for one in trial.calls}
    kept = {(_stack_of(one.kind, stacks), one.layer): one for one in reversed(trial.kept)}
    worst, where, size = 0.0, 0, 1.0
    for one in modules if stacks else ():
        for number, layer in enumerate(one.layers):
            call = calls.get((id(one.output), number))
            if call is None or call.given is None:
                continue
            kind = _stack_of(one.kind, stacks)
            weights = torch.from_numpy(np.asarray(stacks[kind].weights[layer], dtype=np.float32))
            mixed = weights.to(call.given.device) @ kept[kind, layer].values
            mixed = mixed.transpose(0, 1).flatten(1)
            if mixed.shape != call.given.shape:
                return Margin(
                    wrong=N_(
                        "Its attention's output takes another number of values than its "
                        "plugin names."
                    )
                )
            far, size = float((mixed - call.given).abs().max()), max(size, float(mixed.abs().max()))
            if not far <= worst:
                worst, where = far, layer
    close = trial.close * size
    if worst <= close:
        return Margin(worst, close)
    wrong = Phrase(
        N_(
            "What its heads contribute is not their attention times the values that its plugin "
            "names: in layer {layer} it is off by {far}."
        ),
        layer=where,
        far=significant(worst, 2),
    )
    return Margin(worst, close, wrong)


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
