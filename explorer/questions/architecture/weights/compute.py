"""Draws weights: matrices as they are, and what follows from them by arithmetic."""

from typing import Any

from explorer.api.question import AttentionModules, Context, LoadedModel, UserMistake
from explorer.hf.attention.modules import AttentionModule
from explorer.questions.architecture.weights.circuits import circuits
from explorer.questions.architecture.weights.depth import norms, residual
from explorer.questions.architecture.weights.matrices import head_drawn
from explorer.questions.architecture.weights.positions import positions
from explorer.questions.architecture.weights.question import (
    Drawn,
    WeightsRequest,
    WeightsResult,
)
from explorer.text import N_, Phrase

SHARED = N_("All layers of this model share one set of weights: each has the same.")


def run(model: LoadedModel, request: WeightsRequest, context: Context) -> WeightsResult:
    """Draw what is asked for.

    Raises:
        UserMistake: The layer or head is not there.
        Unavailable: The weights are not in memory as they are.
        Cancelled: The run was cancelled.
    """
    context.check()
    port = model.port(AttentionModules)
    stacks = port.stacks()
    kind, layers, heads = next((one for one in stacks if one[0] == request.kind), stacks[0])
    of_head = request.drawn in (Drawn.HEAD, Drawn.CIRCUITS)
    layer, head = (request.layer, request.head) if of_head else (0, 0)
    if not (layer < layers and head < heads):
        raise UserMistake(
            N_(
                "There is no head {head} in layer {layer}: this model has {layers} layers of "
                "{heads} heads, counted from 0."
            ),
            N_("Choose one that is there."),
            head=head,
            layer=layer,
            layers=layers,
            heads=heads,
        )
    own = [one for one in port.modules() if one.kind == kind]
    found = _fields(model, request, own, context)
    if any(len(one.layers) > 1 for one in own) and request.drawn not in (
        Drawn.POSITIONS,
        Drawn.RESIDUAL,
    ):
        found["notes"] = (*found.get("notes", ()), Phrase(SHARED))
    of_stack = of_head or request.drawn is Drawn.NORMS
    return WeightsResult(
        model=model.stamp,
        drawn=request.drawn,
        kind=kind if of_stack else "",
        layer=layer,
        head=head,
        stacks=stacks,
        **found,
    )


def _fields(
    model: LoadedModel,
    request: WeightsRequest,
    own: list[AttentionModule],
    context: Context,
) -> dict[str, Any]:
    """The fields of the result that one drawing fills."""
    if request.drawn is Drawn.POSITIONS:
        return positions(model, context)
    if request.drawn is Drawn.NORMS:
        return norms(model, own, context)
    if request.drawn is Drawn.RESIDUAL:
        return residual(model, request.text, context)
    at = next(one for one in own if request.layer in one.layers)
    if request.drawn is Drawn.HEAD:
        return head_drawn(at, request.head)
    return circuits(model, at, request, context)
