"""What can be changed of an architecture, and within which ranges."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.api.family import SHARING, SHARINGS
from explorer.api.question import Number, Option
from explorer.text import N_


def _size(label: str, tip: str, low: int, high: int, step: int) -> Number:
    return Number(label, low, tip, low=low, high=high, decimals=0, step=step, ratios=True)


SIZES: Mapping[str, Number] = {
    "vocabulary": _size(N_("Vocabulary V"), N_("Number of tokens it has"), 100, 500_000, 100),
    "embedding_size": _size(N_("Embedding E"), N_("Width of a token's embedding"), 8, 16_384, 8),
    "hidden_size": _size(N_("Hidden H"), N_("Width of a hidden state"), 8, 16_384, 8),
    "layers": _size(N_("Layers"), N_("In every stack"), 1, 128, 1),
    "heads": _size(N_("Heads"), N_("Attention heads in a layer"), 1, 128, 1),
    "feed_forward_size": _size(
        N_("Feed-forward F"), N_("Inner width of the feed-forward networks"), 8, 131_072, 8
    ),
}
"""By FIELDS. A slider goes by steps; what is typed is any number between the ends."""

BASE, OF_NOTES = "base", "notes"
"""What was begun with, where that is the notes' example."""


@dataclass(frozen=True)
class ChangedNumbers(Option[dict[str, Any]]):
    """Numbers of an architecture, each within its range, and what layers share.

    Attributes:
        sizes: By their names.
    """

    sizes: Mapping[str, Number] = field(default_factory=dict)

    def accepts(self, value: Any) -> bool:
        """Whether all of it is known, and every number in its range."""
        return isinstance(value, dict) and all(map(self._knows, value, value.values()))

    def _knows(self, name: str, value: Any) -> bool:
        if name in self.sizes:
            return type(value) is int and self.sizes[name].accepts(value)
        return value in {SHARING: SHARINGS, BASE: (OF_NOTES,)}.get(name, ())


CHANGES = ChangedNumbers(
    N_("Changed numbers"), {}, in_bar=False, key="architecture.what_if", sizes=SIZES
)
"""By FIELDS and SHARING, what is changed; "base" says that the notes' example was begun with."""
