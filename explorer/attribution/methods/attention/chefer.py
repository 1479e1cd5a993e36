"""Relevance by attention and its gradient through all layers (Chefer et al. 2021)."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription
from explorer.attribution.explained import AttentionFlow
from explorer.attribution.looking import passes_of, row_of
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.attention.layout import AttentionKind
from explorer.text import N_


def relevance(asked: ScoresAsked) -> Any:
    """The row of the place that predicts in the relevance that all layers add up to.

    Chefer, Gur and Wolf (2021), "Generic Attention-model Explainability for Interpreting Bi-Modal
    and Encoder-Decoder Transformers", section 3: R = 1, and at each layer R += E_h[(dA * A)+] R
    (their equations 5 and 6); of a decoder that looks at a text also equations 7 to 11.
    """
    flow = asked.explained.flow()
    if any(one.kind is AttentionKind.CROSS for one, _slope in flow):
        return _of_two_stacks(flow, len(asked.own))[-1]
    return _of_one_stack(flow, passes_of(asked.explained))[row_of(asked.explained)]


def positive(weights: Any, slope: Any) -> Any:
    """E_h[(dA * A)+]: queries x keys."""
    return (weights * slope)[0].clamp(min=0).mean(0).detach().double().cpu()


def _of_one_stack(flow: AttentionFlow, passes: int) -> Any:
    """R of one stack; a decoder's passes look at what its layers below left (DeBERTa)."""
    import torch

    found = torch.eye(flow[0][0].weights.shape[-1], dtype=torch.float64)
    below = found
    for number, (one, slope) in enumerate(flow):
        found = found + positive(one.weights, slope) @ (below if passes else found)
        if number < len(flow) - passes:
            below = found
    return found


def _of_two_stacks(flow: AttentionFlow, length: int) -> Any:
    """R between what is written and the text that is read."""
    import torch

    text = torch.eye(length, dtype=torch.float64)
    size = next(one.weights.shape[-1] for one, _ in flow if one.kind is AttentionKind.DECODER)
    own = torch.eye(size, dtype=torch.float64)
    across = torch.zeros(size, length, dtype=torch.float64)
    for one, slope in flow:
        added = positive(one.weights, slope)
        if one.kind is AttentionKind.ENCODER:
            text = text + added @ text
        elif one.kind is AttentionKind.DECODER:
            own, across = own + added @ own, across + added @ across
        else:
            across = across + _normed(own).T @ added @ _normed(text)
    return across


def _normed(relevances: Any) -> Any:
    """Their equation 8 and 9: what is beyond the identity sums up to 1 in every row."""
    import torch

    one = torch.eye(len(relevances), dtype=relevances.dtype)
    beyond = relevances - one
    return beyond / beyond.sum(-1, keepdim=True).clamp(min=1e-12) + one


METHOD = AttributionMethod(
    "chefer",
    MethodDescription(
        N_("Relevance through attention"),
        N_(
            "Attention times its gradient where that is positive, the mean of the heads, added up "
            "through all layers."
        ),
        N_("Chefer et al. 2021"),
        signed=False,
        in_units=False,
    ),
    relevance,
    short=N_("Chefer"),
    order=140,
)
