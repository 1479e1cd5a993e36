"""The gradient times the vector, with attention and norms held as they are."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription
from explorer.attribution.attending import attending
from explorer.attribution.explained import NO_GRADIENTS, WITHOUT_THEM
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.predict.traced import followed_back
from explorer.hf.states.written.linear import made_linear
from explorer.text import N_


def frozen_gradient(asked: ScoresAsked) -> Any:
    """Gradient times vector of the run in which attention and what norms divide by are held.

    Ali et al. (2022), "XAI for Transformers: Better Explanations through Conservative Propagation",
    section 4; what DecompX hands through its layers besides biases. Every activation is held as its
    ratio z -> z * (act(z) / z).
    """
    import torch

    explained = asked.explained
    with torch.enable_grad(), followed_back(NO_GRADIENTS, WITHOUT_THEM):
        leaf = asked.own[None].detach().requires_grad_()
        held = attending(explained.model, lambda _number, weights: weights.detach())
        with made_linear(explained.model.module, lambda: True), held:
            value = explained.read(leaf).sum()
        (slope,) = torch.autograd.grad(value, leaf)
    return (slope[0].cpu().double() * asked.own.cpu().double()).sum(-1)


METHOD = AttributionMethod(
    "frozen_gradient",
    MethodDescription(
        N_("Frozen gradient × input"),
        N_(
            "Gradient × input of the model with its attention, its norms and its activations held "
            "as they are for this text."
        ),
        N_("Ali et al. 2022; Modarressi et al. 2023"),
        in_units=False,
    ),
    frozen_gradient,
    short=N_("frozen grad."),
    order=25,
)
