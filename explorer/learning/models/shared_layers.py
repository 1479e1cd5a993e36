"""Layers that have some of their weights together, as in ALBERT's table 4.

Lan et al. 2020, section 3.1: all layers share attention, feed-forward, or both. transformers has
ALBERT with both alone; here the modules of the first layer stand in the others' place, whatever the
family. A checkpoint of such a model holds the shared weights once for each layer (`apart`), so that
transformers reads it as the family's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.learning.plan.choices import LayerSharing


@dataclass(frozen=True, slots=True)
class LayerParts:
    """Names of a layer's modules, with dots where they stand in others.

    Attributes:
        attention: with the norm that goes with it.
        feed_forward: likewise.
    """

    attention: tuple[str, ...]
    feed_forward: tuple[str, ...]

    def of(self, sharing: LayerSharing) -> tuple[str, ...]:
        """Those that are shared."""
        return {
            LayerSharing.ATTENTION: self.attention,
            LayerSharing.FEED_FORWARD: self.feed_forward,
            LayerSharing.ALL: (*self.attention, *self.feed_forward),
        }.get(sharing, ())


def share_layers(layers: Sequence[Any], parts: LayerParts, sharing: LayerSharing) -> None:
    """Put the first layer's modules in the place of the others'.

    Args:
        layers: from the first; changed.
        parts: what their modules are called.
        sharing: what is shared.
    """
    for layer in layers[1:]:
        for name in parts.of(sharing):
            above, _dot, own = name.rpartition(".")
            module = layer.get_submodule(above) if above else layer
            setattr(module, own, layers[0].get_submodule(name))


def apart(model: Any) -> Any:
    """A copy of a model that shares nothing but what its class ties by itself, for a checkpoint.

    A table that is another's and something more (`ResidualEmbedding`) becomes their sum.
    """
    from explorer.objectives.detection.embedding_sharing import ResidualEmbedding

    fresh = type(model)(model.config)
    weights = dict(model.state_dict())
    for name, module in model.named_modules():
        if isinstance(module, ResidualEmbedding):
            del weights[f"{name}.delta"]
            weights[f"{name}.weight"] = module.weight.detach()
    fresh.load_state_dict(weights)
    return fresh.train(model.training)
