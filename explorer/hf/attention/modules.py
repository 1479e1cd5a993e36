"""Where a model's attentions are: which torch modules make them, layer by layer.

The families name their projections differently, and some layers share one module; whoever hooks
into attention finds here what to hook into.
"""

import enum
from dataclasses import dataclass
from typing import Any

from explorer.api import Unavailable


class Kind(enum.StrEnum):
    """Who attends to whom."""

    ENCODER = "encoder"
    """Every token to every token."""
    DECODER = "decoder"
    """Every token to itself and the tokens before it."""
    CROSS = "cross"
    """Every token of the decoder to every token of the encoder."""


@dataclass(frozen=True)
class AttentionModule:
    """A torch module that makes attention.

    Attributes:
        kind: Who attends to whom in it.
        layers: Numbers of its layers, counted within the kind from 0: one, or several where
            layers share their weights (ALBERT); in the order in which a forward pass calls it.
        module: Its input is the layer's; its scores are made in its forward.
        projections: Names of the linear modules that give queries, keys and values: three, or one
            that gives them all.
        output: The linear module behind it; its input holds what every head contributes, one
            after the other (batch x tokens x heads * width).
        heads: How many.
        width: Dimensions of one head.
        scale: What the product of a query and a key is multiplied with.
    """

    kind: Kind
    layers: tuple[int, ...]
    module: Any
    projections: tuple[str, ...]
    output: Any
    heads: int
    width: int
    scale: float


def attention_modules(module: Any, config: Any) -> tuple[AttentionModule, ...]:
    """The attentions of a model, in the order of its layers.

    Args:
        module: A torch module of transformers.
        config: Its config.

    Raises:
        Unavailable: None is of a kind that is known.
    """
    found: list[AttentionModule] = []
    counts = dict.fromkeys(Kind, 0)
    for path, child in module.named_modules():
        names = _projections(child)
        if not names or "crossattention" in path or "encoder_attn" in path:
            continue
        kind = _kind(path, child, config)
        layers = _shared_layers(path, config) or (counts[kind],)
        counts[kind] += 1
        heads, width, scale = _shape(child)
        found.append(
            AttentionModule(
                kind, layers, child, names, _output(module, path, child), heads, width, scale
            )
        )
    if not found:
        raise Unavailable("This model's attention is of a kind that can't be taken apart.")
    return tuple(found)


def heads_of(modules: tuple[AttentionModule, ...], kind: Kind) -> tuple[int, int]:
    """Number of layers of a kind, and of heads in each."""
    chosen = [one for one in modules if one.kind is kind]
    return sum(len(one.layers) for one in chosen), max((one.heads for one in chosen), default=0)


PROJECTIONS = (
    ("query", "key", "value"),  # BERT and its relatives, ALBERT, MobileBERT
    ("q_lin", "k_lin", "v_lin"),  # DistilBERT, XLM
    ("query_proj", "key_proj", "value_proj"),  # DeBERTa v2 and v3
    ("in_proj",),  # DeBERTa v1: query, key and value of one head after the other
    ("c_attn",),  # GPT: all queries, all keys, all values
    ("q", "k", "v"),  # T5
)


def _projections(module: Any) -> tuple[str, ...]:
    """Names of its projections; empty where it is no attention."""
    children = dict(module.named_children())
    for names in PROJECTIONS:
        if all(hasattr(children.get(name), "weight") for name in names):
            return names
    return ()


def _kind(path: str, module: Any, config: Any) -> Kind:
    parts = path.split(".")
    if "EncDecAttention" in parts:
        return Kind.CROSS
    if "decoder" in parts or "c_attn" in dict(module.named_children()):
        return Kind.DECODER
    return Kind.DECODER if getattr(config, "causal", False) else Kind.ENCODER


def _shape(module: Any) -> tuple[int, int, float]:
    """Heads, the dimensions of one, and the scale of their products."""
    heads = _first(module, "num_attention_heads", "n_heads", "num_heads", "n_head")
    width = _first(module, "attention_head_size", "head_dim", "key_value_proj_dim")
    if not width:
        width = module.split_size // heads  # GPT-1
    factor = 1
    if hasattr(module, "pos_att_type"):  # DeBERTa: so many parts are added up
        kinds = module.pos_att_type
        v1 = hasattr(module, "in_proj")
        factor += len(kinds) if v1 else ("c2p" in kinds) + ("p2c" in kinds)
    if getattr(module, "scale", True) is False:  # GPT-1 has a switch for it
        return heads, width, 1.0
    return heads, width, float(getattr(module, "scaling", (width * factor) ** -0.5))


def _first(module: Any, *names: str) -> int:
    return next((int(getattr(module, name)) for name in names if hasattr(module, name)), 0)


def _output(whole: Any, path: str, module: Any) -> Any:
    for name in ("dense", "out_lin", "c_proj", "o"):
        if hasattr(module, name):
            return getattr(module, name)
    above = whole.get_submodule(path.rpartition(".")[0])  # BertAttention: self, then output
    return above.output.dense


def _shared_layers(path: str, config: Any) -> tuple[int, ...]:
    """ALBERT's groups of layers share one module; empty in other families."""
    parts = path.split(".")
    if "albert_layer_groups" not in parts:
        return ()
    group = int(parts[parts.index("albert_layer_groups") + 1])
    inner = int(parts[parts.index("albert_layers") + 1])
    return tuple(
        layer * config.inner_group_num + inner
        for layer in range(config.num_hidden_layers)
        if _group_of(layer, config) == group
    )


def _group_of(layer: int, config: Any) -> int:
    return int(layer / (config.num_hidden_layers / config.num_hidden_groups))
