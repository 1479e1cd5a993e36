"""Sees the scores that reach every softmax of a DeBERTa's attention, and may change them.

transformers has no place where the scores could be taken from or put back: they live between two
lines of a forward. The softmax itself can be watched, and what it gets is what counts.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from .parts import LayerInput

SOFTMAX = (torch.nn.functional.softmax, torch.softmax, torch.Tensor.softmax)

ARGUMENTS = (
    "hidden_states",
    "attention_mask",
    "output_attentions",
    "query_states",
    "relative_pos",
    "rel_embeddings",
)
"""Of both versions' attention, in order."""


@dataclass(frozen=True)
class AttentionCall:
    """One call of one layer's attention.

    Attributes:
        layer: Counted from 0.
        step: 0 in the encoder; 1, 2 for the steps of the enhanced mask decoder.
        attention: The module.
        given: Its input.
    """

    layer: int
    step: int
    attention: Any
    given: LayerInput


Before = Callable[[AttentionCall, Tensor], Tensor]
"""Takes a call and the scores (1 x heads x tokens x tokens), gives those to go on with."""

After = Callable[[AttentionCall, Tensor], None]
"""Takes a call and the attention of the same shape."""


class _Watch(TorchFunctionMode):
    def __init__(self, before: Before | None, after: After | None) -> None:
        super().__init__()
        self._before, self._after = before, after
        self._calls = 0
        self._now: AttentionCall | None = None

    def encoder_begins(self, *_: Any) -> None:
        self._calls = 0

    def attention_begins(
        self, layer: int, last: bool, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        given = {**dict(zip(ARGUMENTS, args, strict=False)), **kwargs}
        inputs = LayerInput(
            given["hidden_states"],
            given.get("query_states"),
            given.get("relative_pos"),
            given.get("rel_embeddings"),
        )
        self._now = AttentionCall(layer, self._calls if last else 0, module, inputs)
        self._calls += last

    def attention_ends(self, *_: Any) -> None:
        self._now = None

    def __torch_function__(
        self, func: Any, _types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        now = self._now
        if now is None or func not in SOFTMAX:
            return func(*args, **kwargs)
        scores = args[0]
        if self._before is not None:
            scores = self._before(now, scores)
        attention = func(scores, *args[1:], **kwargs)
        if self._after is not None:
            self._after(now, attention)
        return attention


@contextmanager
def watched(
    module: Any, before: Before | None = None, after: After | None = None
) -> Iterator[None]:
    """Watch a model's attention while the block runs.

    Args:
        module: With a DeBERTa as `deberta`.
        before: Called with the scores, after masking.
        after: Called with the attention, before dropout.
    """
    encoder = module.deberta.encoder
    watch = _Watch(before, after)
    handles = [encoder.register_forward_pre_hook(watch.encoder_begins)]
    for number, layer in enumerate(encoder.layer):
        attention = layer.attention.self
        last = number == len(encoder.layer) - 1
        begins = partial(watch.attention_begins, number, last)
        handles.append(attention.register_forward_pre_hook(begins, with_kwargs=True))
        handles.append(attention.register_forward_hook(watch.attention_ends))
    try:
        with watch:
            yield
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def without_absolute_positions(module: Any) -> Iterator[None]:
    """Let the enhanced mask decoder begin with the hidden states alone while the block runs.

    Its first step is told from the second by what it asks with: the positions are in the queries
    of the first one only.
    """
    encoder = module.deberta.encoder
    asked: list[int] = []

    def begins(*_: Any) -> None:
        asked.clear()

    def replace(_layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if kwargs.get("query_states") is None:
            return None
        asked.append(1)
        if len(asked) > 1:
            return None
        return args, {**kwargs, "query_states": args[0]}

    handles = [
        encoder.register_forward_pre_hook(begins),
        encoder.layer[-1].register_forward_pre_hook(replace, with_kwargs=True),
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
