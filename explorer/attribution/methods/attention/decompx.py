"""What each token's part adds to a word's logit (DecompX, Modarressi et al. 2023)."""

from typing import Any

from explorer.api.attribution import AttributionMethod, MethodDescription
from explorer.api.family import Predictor, Unavailable
from explorer.attribution.attending import attending
from explorer.attribution.decomposed import (
    NOT_BERT,
    head_of,
    layers_of,
    through_head,
    through_layer,
)
from explorer.attribution.explained import NO_GRADIENTS, ExplainedAnswer
from explorer.attribution.scoring import ScoresAsked
from explorer.hf.predict.traced import followed_back
from explorer.text import N_

CLOSE = 1e-3
"""How far the parts' sum may be from the model's own logits, in nats."""


def decompx(asked: ScoresAsked) -> Any:
    """The parts of the logit of the word that is explained, or of the difference of two.

    Raises:
        Unavailable: The model has other layers than BERT's, or something else is explained.
    """
    import torch

    explained = asked.explained
    layers, head = layers_of(asked.model), head_of(asked.model)
    given: list[Any] = []
    first = layers[0].register_forward_pre_hook(lambda _layer, args: given.append(args[0][0]))
    try:
        direction, answers = _direction(explained, asked)
    finally:
        first.remove()
    with torch.no_grad(), attending(asked.model) as attended:
        explained.read(asked.own[None])
    with torch.no_grad():
        parts = torch.diag_embed(given[0].T).permute(1, 2, 0)
        for layer, one in zip(layers, attended, strict=True):
            parts = through_layer(parts, layer, one.weights[0])
        logits = through_head(parts[asked.place], head)
        # Logits and their logarithms of softmax differ by one number for all words.
        whole = logits.sum(0)
        apart = whole - answers.to(whole)
        if float((apart - apart.mean()).abs().max()) > CLOSE:
            raise Unavailable(NOT_BERT)
        return logits @ direction.to(logits)


def _direction(explained: ExplainedAnswer, asked: ScoresAsked) -> tuple[Any, Any]:
    """Which logits are explained (vocabulary), and the model's own answer.

    Raises:
        Unavailable: It is no word's log-probability, and no difference of two logits.
    """
    import torch

    from explorer.api.question import InputEmbeddings

    if explained.port is not Predictor or asked.place is None:
        raise Unavailable(N_("DecompX explains a word at a mask here, and nothing else."))
    port = explained.model.port(InputEmbeddings)
    with torch.no_grad():
        answers = port.answers(Predictor, explained.query, asked.own[None], asked.context)
    with torch.enable_grad(), followed_back(NO_GRADIENTS):
        leaf = answers.detach().requires_grad_()
        (slope,) = torch.autograd.grad(explained.scalar(leaf).sum(), leaf)
    slope = slope[0, 0]
    if int((slope != 0).sum()) == 2:  # a difference of logits
        return slope, answers[0, 0]
    if int((slope > 0).sum()) != 1:
        raise Unavailable(N_("DecompX explains the logit of a word, and no entropy."))
    return (slope > 0).to(slope), answers[0, 0]


METHOD = AttributionMethod(
    "decompx",
    MethodDescription(
        N_("DecompX"),
        N_(
            "What each word's part of the states adds to the word's logit, handed through all "
            "layers with attention and norms held, biases included."
        ),
        N_("Modarressi et al. 2023"),
        from_baseline=False,
        sum_said=N_(
            "The scores add up to {sum}, with those of the tokens that have none here: the logit "
            "itself, biases included."
        ),
    ),
    decompx,
    short=N_("DecompX"),
    order=180,
)
