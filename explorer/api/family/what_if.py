"""What can be changed of an architecture before it is counted."""

from dataclasses import replace
from typing import Final

from explorer.api.family.blueprint import Blueprint

FIELDS: Final = (
    "vocabulary",
    "embedding_size",
    "hidden_size",
    "layers",
    "heads",
    "feed_forward_size",
)
"""The numbers of a blueprint that can be changed where a family's classes take them."""

SHARING: Final = "sharing"
"""Name of what layers share of their weights, which is one of SHARINGS."""
SHARINGS: Final = ("none", "attention", "feed_forward", "all")
"""No weights, those of their attention, of their feed-forward networks, or both."""

Changes = tuple[tuple[str, int | str], ...]
"""By FIELDS, a number, or "sharing", one of SHARINGS."""


def with_sharing(blueprint: Blueprint, sharing: str) -> Blueprint:
    """Layers that share "none", "attention", "feed_forward" or "all" of their weights."""
    attention = 1 if sharing in {"attention", "all"} else blueprint.layers
    feed_forward = 1 if sharing in {"feed_forward", "all"} else blueprint.layers
    return replace(blueprint, attention_sets=attention, feed_forward_sets=feed_forward)


def sharing_of(blueprint: Blueprint) -> str:
    """What with_sharing would have been told."""
    if blueprint.shared_attention:
        return "all" if blueprint.shared_feed_forward else "attention"
    return "feed_forward" if blueprint.shared_feed_forward else "none"
