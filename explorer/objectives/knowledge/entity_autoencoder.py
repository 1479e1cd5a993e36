"""The denoising entity auto-encoder: which entity is a token about?

Zhang et al. 2019, section 3.5. Of the entities that stand beside a text 5 % are replaced by random
ones, 15 % are taken away, and the rest stay; for every aligned token the model predicts the entity
that belongs there among those of the sequence (equation 5). The authors' code draws wrong entities
from the batch, and takes all entities of the batch for candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.objectives import IGNORED

REPLACED: Final = 0.05
TAKEN_AWAY: Final = 0.15
NONE: Final = -1
"""Stands where a token has no entity."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Entities of a batch, as the model sees them and as they are.

    Attributes:
        seen: the entity of each token that the model is given, or NONE; shape [batch, length].
        labels: the place of the right one among the candidates, or IGNORED; same shape.
        candidates: all entities of the batch, each once.
        wrong: True where a wrong one is given; shape [batch, length].
    """

    seen: NDArray[np.int64]
    labels: NDArray[np.int64]
    candidates: NDArray[np.int64]
    wrong: NDArray[np.bool_]


def disturb(entities: NDArray[np.int64], generator: np.random.Generator) -> Alignment:
    """Replace some entities of a batch and take some away.

    Args:
        entities: the right one of each token, or NONE; shape [batch, length].
        generator: source of randomness.
    """
    aligned = entities != NONE
    candidates = np.unique(entities[aligned])
    fate = generator.random(entities.shape)
    drawn = generator.choice(candidates, entities.shape) if len(candidates) else entities
    replaced = aligned & (fate < REPLACED)
    taken = aligned & ~replaced & (fate < REPLACED + TAKEN_AWAY)
    seen = np.where(replaced, drawn, np.where(taken, NONE, entities))
    labels = np.where(aligned, np.searchsorted(candidates, entities), IGNORED)
    return Alignment(seen, labels, candidates, replaced & (drawn != entities))


def entity_loss(logits: Any, labels: Any) -> Any:
    """Cross-entropy over the candidates at every aligned token; nats.

    Args:
        logits: shape [batch, length, candidates].
        labels: shape [batch, length]; IGNORED where no entity belongs.
    """
    from torch.nn import functional

    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED)
