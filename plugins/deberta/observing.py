"""What one forward pass of a DeBERTa says of its scores' parts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from explorer.api.family import LoadedModel

from .parts import bias_by_distance, parts_of
from .score_watch import AttentionCall, watched


class Observer:
    """Keeps the parts of one layer, and of all others how much each part matters.

    Attributes:
        parts: Of the chosen layer: name to heads x tokens x tokens.
        scores: The model's own, heads x tokens x tokens.
        attention: The model's own, of the same shape.
        distances: Of the chosen layer's table of positions.
        buckets: Of each distance.
        biases: Name to mean and deviation (heads x distances).
        errors: By layer and step: the largest difference between the sum of the parts and the
            scores, of every head.
        largest: The largest score there is.
    """

    def __init__(self, model: LoadedModel, layer: int, step: int) -> None:
        self._model = model
        self._chosen = (layer, step)
        self._sizes: dict[tuple[int, int], dict[str, Tensor]] = {}
        self.parts: dict[str, Tensor] = {}
        self.scores = self.attention = torch.zeros(0)
        self.distances = self.buckets = torch.zeros(0, dtype=torch.long)
        self.biases: dict[str, tuple[Tensor, Tensor]] = {}
        self.errors: dict[tuple[int, int], Tensor] = {}
        self.largest = 0.0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Observe one forward pass inside the block."""
        with watched(self._model.module, self._scores_come, self._attention_comes):
            yield

    def shares(self, name: str) -> Tensor:
        """A part's share in every layer and head; the decoder's steps come last."""
        rows = []
        for _, sizes in sorted(self._sizes.items(), key=lambda one: (one[0][1], one[0][0])):
            whole = torch.stack(list(sizes.values())).sum(0)
            rows.append(torch.where(whole > 0, sizes[name] / whole, torch.zeros_like(whole)))
        return torch.stack(rows)

    def _scores_come(self, call: AttentionCall, scores: Tensor) -> Tensor:
        own = scores[0].float()
        parts = parts_of(call.attention, call.given)
        place = (call.layer, call.step)
        together = torch.stack(list(parts.values())).sum(0)
        self.errors[place] = (together - own).abs().amax(dim=(-1, -2))
        self.largest = max(self.largest, float(own.abs().max()))
        # Softmax does not see what a whole row has in common.
        self._sizes[place] = {
            name: (part - part.mean(-1, keepdim=True)).square().mean(dim=(-1, -2)).sqrt()
            for name, part in parts.items()
        }
        if place == self._chosen:
            self.parts, self.scores = parts, own
            self.distances, self.buckets, self.biases = bias_by_distance(call.attention, call.given)
        return scores

    def _attention_comes(self, call: AttentionCall, attention: Tensor) -> None:
        if (call.layer, call.step) == self._chosen:
            self.attention = attention[0].float()


def attention_of(
    model: LoadedModel, chosen: tuple[int, int], forward: Callable[[], object]
) -> Tensor:
    """The attention (heads x tokens x tokens) of a layer and step in one forward pass."""
    kept: list[Tensor] = []

    def keep(call: AttentionCall, attention: Tensor) -> None:
        if (call.layer, call.step) == chosen:
            kept.append(attention[0].float())

    with watched(model.module, after=keep):
        forward()
    return kept[-1]
