"""Where models that nobody described may keep their layers' states: tried, proved by numbers."""

from dataclasses import replace
from typing import Any

from explorer.hf import (
    BERT_STREAM,
    DISTILBERT_STREAM,
    GPT_STREAM,
    XLM_STREAM,
    StreamStack,
    path_pattern,
)

BERTS = replace(BERT_STREAM, attention="encoder.layer.*.attention.output.dense")
TRIED = (
    BERTS,
    replace(BERTS, attention="encoder.layer.*.attention.attn.o"),  # MPNet's
    DISTILBERT_STREAM,
    XLM_STREAM,
    StreamStack("layers.*", ("layers.*.mlp",), attention="layers.*.attn"),  # ModernBERT's
    StreamStack("layers.*", ("layers.*.mlp",), attention="layers.*.self_attn"),  # LLaMA's
    StreamStack("layers.*", ("layers.*.mlp",), attention="layers.*.attention"),  # GPT-NeoX's
    replace(GPT_STREAM, attention="h.*.attn"),
    replace(BERT_STREAM, feed_forward=()),
    StreamStack("layers.*", ()),
    StreamStack("h.*", ()),
)


def streams_that_fit(module: Any) -> tuple[StreamStack, ...]:
    """The first whose every name is found in a module."""
    return next(((one,) for one in TRIED if _has(module, one)), (BERT_STREAM,))


def _has(module: Any, stack: StreamStack) -> bool:
    paths = [path for path, _ in module.named_modules()]
    ends = [one for one in (stack.layers, *stack.feed_forward, stack.attention) if one]
    return all(any(path_pattern(end).search(path) for path in paths) for end in ends)
