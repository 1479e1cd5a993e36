"""Fits of hidden states to the teacher's width. Imports torch: only when a model is loaded."""

from collections.abc import Mapping
from typing import Any

from torch import Tensor, nn


class SharedFit(nn.Linear):  # type: ignore[misc,unused-ignore]  # torch may be untyped
    """One W_h for all layers, `fit_dense`: the first version."""

    def forward(self, hidden: Tensor, layer: int = 0) -> Any:  # noqa: ARG002 - as LayerFits takes it
        """From (n x student's width) to (n x teacher's width)."""
        return super().forward(hidden)


class LayerFits(nn.ModuleList):  # type: ignore[misc,unused-ignore]
    """A W_h for the embeddings and for each layer, `fit_denses`: the second version."""

    def forward(self, hidden: Tensor, layer: int) -> Any:
        """From (n x student's width) to (n x teacher's width); layer 0 is the embeddings."""
        return self[layer](hidden)


def shaped_like(weights: Mapping[str, Tensor]) -> SharedFit | LayerFits:
    """A fit with the shapes of stored weights, either version's."""
    if "weight" in weights:
        wide, narrow = weights["weight"].shape
        return SharedFit(narrow, wide)
    names = sorted({name.split(".")[0] for name in weights}, key=int)
    shapes = [weights[f"{name}.weight"].shape for name in names]
    return LayerFits(nn.Linear(narrow, wide) for wide, narrow in shapes)
