"""Replaced-token detection.

Clark et al. 2020 (ELECTRA), section 2. A small generator G is a masked language model: 15 % of the
tokens become [MASK], and it gives a distribution for each. One token is drawn from each of these
distributions and put in the place of the mask:

    x_masked  = x with [MASK] at the selected positions m
    x_drawn_i ~ p_G(x_i | x_masked) for i in m
    x_corrupt = x with x_drawn at m

The discriminator D reads x_corrupt and says of every token, selected or not, whether it was
replaced. A token that the generator guessed right counts as original. Both are trained together:

    loss = L_MLM(x, G) + lambda * L_Disc(x_corrupt, D),   lambda = 50

L_MLM is the cross-entropy averaged over m, L_Disc the binary cross-entropy averaged over all
tokens. Drawing has no gradient, so the discriminator's loss never reaches the generator's layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from explorer.objectives import IGNORED
from explorer.objectives.masking.masked_language_model import MaskingPolicy

# The paper's lambda: a detector's loss is far smaller than a vocabulary's.
DETECTION_WEIGHT: Final = 50.0
# Every selected token becomes [MASK]: the discriminator never sees one, so nothing has to be
# evened out by random or unchanged tokens.
ONLY_MASKS: Final = MaskingPolicy(masked=1.0, random=0.0)


@dataclass(frozen=True, slots=True)
class CorruptedBatch:
    """Texts with drawn tokens in the place of masks; torch tensors.

    Attributes:
        inputs: what the discriminator reads, shape [batch, length].
        replaced: True where the token is not the original one, shape [batch, length].
    """

    inputs: Any
    replaced: Any


def draw(logits: Any, source: Any = None) -> Any:
    """Draw a token from the softmax (temperature 1) of each row.

    Args:
        logits: the generator's scores at the selected positions, shape [selected, vocabulary].
        source: a torch.Generator; torch's global one if not given.

    Returns:
        Token numbers, shape [selected], without a gradient.
    """
    import torch

    with torch.no_grad():
        chances = torch.softmax(logits.float(), dim=-1)
        return torch.multinomial(chances, 1, generator=source).squeeze(-1)


def corrupt(masked: Any, labels: Any, drawn: Any) -> CorruptedBatch:
    """Put the drawn tokens where tokens were selected.

    Args:
        masked: the generator's inputs, shape [batch, length].
        labels: the original token where one was selected, `IGNORED` elsewhere; same shape.
        drawn: a token for each selected position, in the order of `masked[selected]`.
    """
    import torch

    selected = labels != IGNORED
    inputs = masked.clone()
    inputs[selected] = drawn
    replaced = torch.zeros_like(selected)
    replaced[selected] = drawn != labels[selected]
    return CorruptedBatch(inputs, replaced)


def detection_loss(logits: Any, replaced: Any, real: Any) -> Any:
    """Binary cross-entropy averaged over all tokens (not over padding), in nats.

    Args:
        logits: the discriminator's scores; above zero means replaced. Shape [batch, length].
        replaced: which tokens are, same shape.
        real: False at padding, same shape.
    """
    from torch.nn import functional

    real = real.bool()
    return functional.binary_cross_entropy_with_logits(logits[real], replaced[real].float())


def detection_rates(logits: Any, replaced: Any, real: Any) -> dict[str, Any]:
    """What the discriminator finds at a threshold of one half, as scalars.

    Returns:
        ``rtd_accuracy`` over all tokens, ``replaced`` (their share), and where they are defined
        ``rtd_recall`` and ``rtd_precision``.
    """
    real = real.bool()
    said, truth = logits[real] > 0.0, replaced[real]
    found = (said & truth).sum().float()
    rates = {"rtd_accuracy": (said == truth).float().mean(), "replaced": truth.float().mean()}
    if bool(truth.any()):
        rates["rtd_recall"] = found / truth.sum()
    if bool(said.any()):
        rates["rtd_precision"] = found / said.sum()
    return rates
