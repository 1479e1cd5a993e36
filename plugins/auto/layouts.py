"""Where models that nobody described may have their attention: tried, and proved by numbers."""

from dataclasses import replace
from typing import Any

from explorer.api import Unavailable
from explorer.hf.attention.layout import (
    BERT_ATTENTION,
    GPT_ATTENTION,
    AttentionLayout,
    AttentionStack,
    Kind,
)
from explorer.hf.attention.modules import find_attentions
from explorer.text import N_

UNKNOWN = N_("No plugin says where its attention's queries and keys are.")


def _scale(module: Any, width: int) -> float:
    return float(getattr(module, "scaling", width**-0.5))


SMALL = AttentionLayout(
    stacks=(AttentionStack(Kind.ENCODER, "transformer.layer.*.attention"),),
    inside="",
    projections=("q_lin", "k_lin", "v_lin"),
    output="out_lin",
)
"""DistilBERT's."""

TRIED = (
    BERT_ATTENTION,
    SMALL,
    replace(SMALL, stacks=(AttentionStack(Kind.ENCODER, "attentions.*"),)),  # XLM's, FlauBERT's
    GPT_ATTENTION,
)


BERT_LAYER = ("attention", "feed_forward_chunk", "intermediate", "output")
"""What a layer has that goes on behind its attention as BERT's does."""


def ends_as_bert(module: Any) -> bool:
    """Whether every layer that attends is one of that kind, token by token behind its attention."""
    layers = [part for part in module.modules() if hasattr(part, "feed_forward_chunk")]
    return bool(layers) and all(hasattr(one, name) for one in layers for name in BERT_LAYER)


def layout_that_fits(module: Any, causal: bool, layers_key: str, heads_key: str) -> AttentionLayout:
    """The first layout whose every name is found in a module; one that refuses without any."""
    for tried in TRIED:
        stacks = tried.stacks
        if causal:
            stacks = tuple(replace(stack, kind=Kind.DECODER) for stack in stacks)
        layout = replace(
            tried, stacks=stacks, scale=_scale, layers_key=layers_key, heads_key=heads_key
        )
        try:
            find_attentions(module, layout)
        except Unavailable:
            continue
        return layout
    return replace(BERT_ATTENTION, refusal=UNKNOWN, layers_key=layers_key, heads_key=heads_key)
