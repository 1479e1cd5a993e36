"""States as sums of what each token brought, through BERT's layers (Modarressi et al. 2023).

The rules are those of "DecompX: Explaining Transformers Decisions by Propagating Token
Decomposition", sections 3.1 to 3.3, with what its authors' code does by default: attention and what
norms divide by are held, activations are held as z -> z * (act(z) / z), and each bias is handed out
by how large the product of it and a token's part is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.api.family import LoadedModel, Unavailable
from explorer.text import N_

NOT_BERT = N_("DecompX is written for layers and a head as BERT and RoBERTa have them.")
SMALL = 1e-12
"""What the authors add to what they divide by."""


@dataclass(frozen=True)
class MaskHead:
    """The head that fills masks: a matrix, an activation, a norm, and the vocabulary's matrix."""

    dense: Any
    activation: Callable[[Any], Any]
    norm: Any
    decoder: Any


def layers_of(model: LoadedModel) -> Any:
    """BERT's layers.

    Raises:
        Unavailable: The model has others.
    """
    layers = getattr(getattr(model.module.base_model, "encoder", None), "layer", None)
    try:
        for one in layers or ():
            _ = one.attention.self.value.bias, one.attention.output.LayerNorm.bias
            _ = one.intermediate.intermediate_act_fn, one.output.dense.bias
            _ = one.output.LayerNorm.eps, one.attention.output.LayerNorm.eps
    except AttributeError:
        layers = None
    # MobileBERT's have a bottleneck around them.
    if not layers or any(hasattr(one, "bottleneck") for one in layers):
        raise Unavailable(NOT_BERT)
    return layers


def head_of(model: LoadedModel) -> MaskHead:
    """The head that fills masks, of BERT, RoBERTa or ELECTRA's generator.

    Raises:
        Unavailable: The model has another one.
    """
    from torch.nn.functional import gelu

    whole = model.module
    try:
        if hasattr(whole, "cls"):
            own = whole.cls.predictions.transform
            return MaskHead(
                own.dense, own.transform_act_fn, own.LayerNorm, whole.cls.predictions.decoder
            )
        if hasattr(whole, "generator_predictions"):
            own = whole.generator_predictions
            return MaskHead(own.dense, own.activation, own.LayerNorm, whole.generator_lm_head)
        own = whole.lm_head
        return MaskHead(own.dense, gelu, own.layer_norm, own.decoder)
    except AttributeError:
        raise Unavailable(NOT_BERT) from None


def with_bias(parts: Any, bias: Any) -> Any:
    """A bias handed out to the parts by |part . bias| ("absdot").

    Args:
        parts: Tensor (... x parts x width).
        bias: Tensor (width).
    """
    shares = (parts @ bias).abs()
    shares = shares / (shares.sum(-1, keepdim=True) + SMALL)
    return parts + shares.unsqueeze(-1) * bias


def through_norm(parts: Any, norm: Any) -> Any:
    """Each part as a layer norm scales it whose deviation is that of the sum of all."""
    whole = parts.sum(-2)
    spread = (whole - whole.mean(-1, keepdim=True)).pow(2).mean(-1, keepdim=True)
    scaled = parts - parts.mean(-1, keepdim=True)
    scaled = scaled / (spread + norm.eps).sqrt().unsqueeze(-1) * norm.weight
    return with_bias(scaled, norm.bias)


def through_activation(parts: Any, activation: Callable[[Any], Any]) -> Any:
    """Each part times the ratio that the activation has at the sum of all ("zero-origin")."""
    whole = parts.sum(-2)
    return parts * (activation(whole) / (whole + SMALL)).unsqueeze(-2)


def through_layer(parts: Any, layer: Any, weights: Any) -> Any:
    """What a layer makes of states that are sums of parts.

    Args:
        parts: Tensor (tokens x parts x width).
        layer: BERT's.
        weights: Its attention (heads x tokens x tokens).
    """
    import torch

    own, out = layer.attention.self, layer.attention.output
    heads = len(weights)
    values = (parts @ own.value.weight.T).unflatten(-1, (heads, -1))
    mixed = torch.einsum("hij,jkhd->ikhd", weights, values).flatten(-2)
    # Attention adds up to 1, so that the values' bias passes as it is.
    bias = out.dense.weight @ own.value.bias + out.dense.bias
    attended = with_bias(mixed @ out.dense.weight.T, bias)
    parts = through_norm(parts + attended, out.LayerNorm)
    wide = layer.intermediate
    inner = with_bias(parts @ wide.dense.weight.T, wide.dense.bias)
    inner = through_activation(inner, wide.intermediate_act_fn)
    added = with_bias(inner @ layer.output.dense.weight.T, layer.output.dense.bias)
    return through_norm(parts + added, layer.output.LayerNorm)


def through_head(parts: Any, head: MaskHead) -> Any:
    """What each part adds to the vocabulary's logits (parts x vocabulary).

    Args:
        parts: Of the state that is read (parts x width).
        head: The head.
    """
    inner = with_bias(parts[None] @ head.dense.weight.T, head.dense.bias)
    inner = through_norm(through_activation(inner, head.activation), head.norm)
    logits = inner @ head.decoder.weight.T
    return (logits if head.decoder.bias is None else with_bias(logits, head.decoder.bias))[0]
