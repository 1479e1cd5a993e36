"""Fits of hidden states to the teacher's width. Imports torch: only when a model is loaded."""

from collections.abc import Mapping
from typing import Any

import torch
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


class FittedProjection:
    """A fit as a port (explorer.api.LayerProjection)."""

    def __init__(self, fit: SharedFit | LayerFits) -> None:
        self.fit = fit
        self._like = next(iter(fit.parameters()))
        self.width = int(self._like.shape[0])

    def project(self, states: Any, layer: int) -> Any:
        """From (tokens x student's width) to (tokens x teacher's width); numpy, float32."""
        with torch.inference_mode():
            projected = self.fit(torch.from_numpy(states.copy()).to(self._like), layer)
        return projected.float().cpu().numpy()


def shaped_like(weights: Mapping[str, Tensor]) -> SharedFit | LayerFits:
    """A fit with the shapes of stored weights, either version's."""
    if "weight" in weights:
        wide, narrow = weights["weight"].shape
        return SharedFit(narrow, wide)
    names = sorted({name.split(".")[0] for name in weights}, key=int)
    shapes = [weights[f"{name}.weight"].shape for name in names]
    return LayerFits(nn.Linear(narrow, wide) for wide, narrow in shapes)
