"""How much a step of training reckons: tokens read, multiplications and additions made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from explorer.learning.devices import moved

if TYPE_CHECKING:
    from explorer.learning.training import TrainingRun

LOOKED_AT: Final = 16
"""Batches among which one of another length is looked for."""
ATTENTION: Final = "_scaled_dot_product_flash_attention_for_cpu"
"""torch's counter knows the attention of GPUs alone."""


@dataclass(frozen=True, slots=True)
class StepWork:
    """Multiply-adds of a step by the size of its batch.

    What layers do grows with the tokens, and attention with their square: two batches tell both.

    Attributes:
        token: multiply-adds for a token, forwards and backwards.
        pair: those for two tokens of a text.
    """

    token: float
    pair: float

    @staticmethod
    def of(run: TrainingRun[Any]) -> StepWork:
        """Count what two batches take; the run's weights and their gradients stay as they are."""
        first = run.batches.batch(0)
        others = map(run.batches.batch, range(1, LOOKED_AT))
        length = _shape(first)[1]
        second = next((one for one in others if _shape(one)[1] != length), None)
        one = _counted(run, first) / _tokens(first)
        if second is None:
            return StepWork(one, 0.0)
        other = _counted(run, second) / _tokens(second)
        pair = max(0.0, (other - one) / (_shape(second)[1] - length))
        return StepWork(one - pair * length, pair)

    def multiply_adds(self, batch: Mapping[str, Any]) -> float:
        """Of a step with a batch, its padding included."""
        rows, length = _shape(batch)
        return rows * length * (self.token + self.pair * length)


def tokens_read(batch: Mapping[str, Any]) -> int:
    """Tokens of a batch without its padding."""
    seen = batch.get("attention_mask")
    return _tokens(batch) if seen is None else int(seen.sum())


def _ids(batch: Mapping[str, Any]) -> Any:
    """The tokens that a model reads; the first of several tensors with rows where they are many."""
    found = batch.get("input_ids")
    if found is not None:
        return found
    return next(one for one in batch.values() if getattr(one, "ndim", 0) >= 2)


def _shape(batch: Mapping[str, Any]) -> tuple[int, int]:
    ids = _ids(batch)
    return ids.numel() // ids.shape[-1], int(ids.shape[-1])


def _tokens(batch: Mapping[str, Any]) -> int:
    return int(_ids(batch).numel())


def _counted(run: TrainingRun[Any], batch: Mapping[str, Any]) -> float:
    """Multiply-adds forwards and backwards."""
    import torch
    from torch.utils import flop_counter

    known: Any = flop_counter

    def forwards(query: Any, key: Any, value: Any, *_: Any, **__: Any) -> int:
        return int(known.sdpa_flop_count(query, key, value))

    def backwards(gradient: Any, query: Any, key: Any, value: Any, *_: Any, **__: Any) -> int:
        return int(known.sdpa_backward_flop_count(gradient, query, key, value))

    own = torch.ops.aten
    counter = known.FlopCounterMode(
        display=False,
        custom_mapping={
            getattr(own, ATTENTION): forwards,
            getattr(own, f"{ATTENTION}_backward"): backwards,
        },
    )
    torch.manual_seed(run.seed)
    run.model.train()
    with counter:
        measured = run.recipe.losses(run.model, moved(batch, run.recipe.device))
        sum(value for name, value in measured.items() if name.startswith("loss")).backward()
    run.model.zero_grad(set_to_none=True)
    return float(counter.get_total_flops() / 2)
