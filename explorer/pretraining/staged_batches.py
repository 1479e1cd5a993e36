"""Batches of a training in two stages: what a batch is for depends on its step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.pretraining.recipe import Batches


class StagedBatches(Batches):
    """Another's batches, each with its ``stage``: 0 before a step, 1 from it on."""

    def __init__(self, batches: Batches, second: int) -> None:
        self.batches = batches
        self.second = second

    def batch(self, step: int) -> Mapping[str, Any]:
        """The batch of a step and its stage."""
        return {**self.batches.batch(step), "stage": int(step >= self.second)}
