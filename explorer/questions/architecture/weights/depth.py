"""Norms by depth: of the weights of each layer, and of a sentence's states."""

import copy
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np

from explorer.api.family import Role, Weights
from explorer.api.family.tensors import layer_of
from explorer.api.question import (
    AttentionModules,
    Context,
    HiddenStates,
    LoadedModel,
    Unavailable,
    check_text,
)
from explorer.hf.attention.head_weights import matrix_of, rows_of
from explorer.hf.attention.layout import FusedOrder
from explorer.hf.attention.modules import AttentionModule
from explorer.hf.cancelling import cancellable
from explorer.hf.states.final_norm import FinalNorm
from explorer.questions.architecture.weights.matrices import owned
from explorer.questions.architecture.weights.question import ResidualScaling, WeightCurve
from explorer.text import N_, Phrase

FEED_FORWARD = {
    Role.FEED_FORWARD_IN: "feed_forward_in",
    Role.GATE: "gate",
    Role.FEED_FORWARD_OUT: "feed_forward_out",
}
ADDED = (Role.ATTENTION_OUTPUT, Role.FEED_FORWARD_OUT)
"""What is added to the stream, and initialised smaller where a family scales it."""
BEFORE = (Role.QKV, Role.FEED_FORWARD_IN)
"""What is not."""
MOST_MADE = 200_000_000
"""Parameters of a model that is made afresh: 0.8 GB."""
SEED = 0
NEAR = 0.1
"""How near, as a share, the measured scaling must be to 1 / sqrt(2 N)."""

AFTER_NORM = N_(
    "A norm follows each sum in this model, so that its weights, not what was added, say how long "
    "a state is."
)
TOO_LARGE = N_(
    "Random weights of this size are not drawn: the model has more than {most} parameters."
)
NO_STATES = N_("This model's layers give no states that could be measured.")
NO_GROUP = N_("Which weights are of the feed-forward part, nobody says of this model.")


def norms(model: LoadedModel, own: Sequence[AttentionModule], context: Context) -> dict[str, Any]:
    """Frobenius norm and root mean square of every kind of weight, layer by layer."""
    sums: dict[str, dict[int, tuple[float, int]]] = {}

    def add(name: str, layers: Iterable[int], matrix: Any) -> None:
        squares, count = float(matrix.float().square().sum()), matrix.numel()
        for layer in layers:
            before = sums.setdefault(name, {}).get(layer, (0.0, 0))
            sums[name][layer] = (before[0] + squares, before[1] + count)

    for one in own:
        context.check()
        for name, matrix in projections(one).items():
            add(name, one.layers, matrix)
    for name, layers, matrix in feed_forward(model, own):
        context.check()
        add(name, layers, matrix)
    curves = []
    for name, by_layer in sums.items():
        at = sorted(by_layer)
        squares, counts = np.array([by_layer[layer] for layer in at]).T
        curves.append(WeightCurve("norm", name, owned(at), owned(np.sqrt(squares))))
        curves.append(WeightCurve("size", name, owned(at), owned(np.sqrt(squares / counts))))
    initial = getattr(model.config, "initializer_range", None)
    has_others = any(name in sums for name in FEED_FORWARD.values())
    return {
        "curves": tuple(sorted(curves, key=lambda one: one.panel)),
        "initial": initial if isinstance(initial, float) else None,
        "notes": () if has_others else (Phrase(NO_GROUP),),
    }


def projections(one: AttentionModule) -> dict[str, Any]:
    """A layer's matrices of queries, keys and values of all heads, and of the output."""
    if one.rule is not None:
        # What heads share is there once.
        found = [rows_of(one, place) for place in range(3)]
        return _named(one, found)
    names = one.layout.projections
    found = [matrix_of(reduce(getattr, name.split("."), one.module)) for name in names]
    if len(found) == 1 and one.layout.fused is FusedOrder.BY_HEAD:
        found = list(found[0].unflatten(0, (one.heads, 3, one.width)).unbind(1))
    elif len(found) == 1:
        found = list(found[0].chunk(3, dim=0))
    return _named(one, found)


def _named(one: AttentionModule, found: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(("query", "key", "value"), found, strict=True)) | {
        "output": matrix_of(one.output)
    }


def feed_forward(
    model: LoadedModel, own: Sequence[AttentionModule]
) -> Iterator[tuple[str, tuple[int, ...], Any]]:
    """The matrices of feed-forward parts in a stack, with the layers that each is of."""
    family: Any = model.ports.get(Weights)
    in_decoder = own[0].layout.two_stacks and own[0].kind != "encoder"
    depth = sorted(layer for one in own for layer in one.layers)
    shared = any(len(one.layers) > 1 for one in own)
    for name, weight in model.module.named_parameters() if family is not None else ():
        kind, layer = FEED_FORWARD.get(family.role_of(name)), layer_of(name)
        if kind is None or weight.ndim != 2 or layer is None or weight.is_meta:
            continue
        if not weight.is_floating_point():
            continue
        if own[0].layout.two_stacks and ("decoder" in name.split(".")) != in_decoder:
            continue
        if shared:
            numbers = tuple(int(one) for one in name.split(".") if one.isdecimal())
            where = own[0].layout.shared
            layers = where(model.config, numbers) if where is not None else tuple(depth)
        else:
            layers = (layer,)
        yield kind, layers, weight.detach()


def residual(model: LoadedModel, text: str, context: Context) -> dict[str, Any]:
    """How long the states of a sentence's tokens are in every layer, before any final norm.

    Raises:
        UserMistake: The text is empty.
        Unavailable: The model's layers give no states.
    """
    check_text(text)
    states = model.ports.get(HiddenStates)
    if states is None:
        raise Unavailable(NO_STATES)
    encoded = model.encode(text)
    with FinalNorm(model.module).watched() as seen:
        rows = states.states([encoded], context)[0].cpu()
    curves = [_lengths("residual", "checkpoint", _before_norm(rows, seen))]
    notes: list[Phrase] = []
    family: Any = model.ports.get(Weights)
    scaling = None
    if family is not None:
        norm_first = family.blueprint(model.config.to_dict()).norm_first
        if not norm_first:
            notes.append(Phrase(AFTER_NORM))
        elif all(one.kind == "decoder" for one in model.port(AttentionModules).modules()):
            count = sum(weight.numel() for weight in model.module.parameters())
            if count > MOST_MADE:
                notes.append(Phrase(TOO_LARGE, most=MOST_MADE))
            else:
                scaling, more = random_growth(model, encoded, context)
                curves += more
    return {
        "curves": tuple(curves),
        "scaling": scaling,
        "left_out": encoded.left_out,
        "notes": tuple(notes),
    }


def random_growth(
    model: LoadedModel, encoded: Any, context: Context
) -> tuple[ResidualScaling | None, list[WeightCurve]]:
    """Lengths of the states under random first weights, with and without the residual scaling.

    A model is made of the same config, and run as it is; then the projections that are added to
    the stream are divided by their scaling, and it is run again. Nothing where the class does not
    scale them by 1 / sqrt(2 N).
    """
    import torch

    context.progress(N_("making a model with random weights"), 0.0, 0.0)
    base = model.module.base_model
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(SEED)
        # Making a model settles things in its config, as how attention is computed.
        fresh = type(base)(copy.deepcopy(model.config)).float().eval()
    layers = len(model.port(AttentionModules).modules())
    measured = _ratio(model, fresh)
    scaling = ResidualScaling(layers, measured, _ratio(model, base), SEED)
    if abs(measured / scaling.stated - 1) > NEAR:
        return None, []
    inputs = {name: value.cpu() for name, value in encoded.inputs.items()}
    curves = []
    for name, factor in (("scaled", 1.0), ("unscaled", 1 / scaling.stated)):
        with torch.inference_mode(), cancellable(context), FinalNorm(fresh).watched() as seen:
            for weight in _of_roles(model, fresh, ADDED):
                weight.mul_(factor)
            output = fresh(**inputs, output_hidden_states=True)
            rows = torch.stack([one[0] for one in output.hidden_states])
        curves.append(_lengths("initial", name, _before_norm(rows, seen)))
    return scaling, curves


def _ratio(model: LoadedModel, module: Any) -> float:
    """Root mean square of what is added to the stream over that of all that is read from it."""
    sizes = []
    for roles in (ADDED, BEFORE):
        weights = _of_roles(model, module, roles)
        squares = sum(float(one.float().square().sum()) for one in weights)
        sizes.append((squares / max(1, sum(one.numel() for one in weights))) ** 0.5)
    return sizes[0] / sizes[1] if sizes[1] else 0.0


def _of_roles(model: LoadedModel, module: Any, roles: Sequence[Role]) -> list[Any]:
    family: Any = model.port(Weights)
    return [
        weight.detach()
        for name, weight in module.named_parameters()
        if weight.ndim == 2 and family.role_of(name).group in roles
    ]


def _before_norm(rows: Any, seen: dict[Any, tuple[Any, Any]]) -> Any:
    """Rows of states, the last one before the final norm where there is one."""
    import torch

    for before, after in seen.values():
        if after.ndim == 3 and torch.equal(after[0].float().cpu(), rows[-1]):
            return torch.cat((rows[:-1], before[0].float().cpu()[None]))
    return rows


def _lengths(panel: str, name: str, rows: Any) -> WeightCurve:
    """Mean, least and greatest length of the tokens' states in each row."""
    lengths = np.linalg.norm(rows.numpy().astype(np.float64), axis=-1)
    at = owned(range(-1, len(lengths) - 1))
    ends = owned(lengths.min(axis=1)), owned(lengths.max(axis=1))
    return WeightCurve(panel, name, at, owned(lengths.mean(axis=1)), *ends)
