"""How far probabilities move when a frame's weights are stored as whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from explorer.learning.measured.places import EvaluatedPiece, draw_places
from explorer.learning.measured.predictions import predict
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader

TEXTS: Final = 150
"""Held-out documents that are asked about."""
SEED: Final = 5
MASKED: Final = (None, 0.15)
"""One piece of a text, and a share of its pieces."""


@dataclass(frozen=True, slots=True)
class StoredError:
    """Of a frame as it is stored against what was trained.

    Attributes:
        largest: The largest change of any probability.
        divergence: The largest KL divergence at a place, in nats.
    """

    largest: float
    divergence: float


@dataclass(frozen=True, slots=True)
class StoredFrame:
    """A frame of a film.

    Attributes:
        step: Of the training.
        bits: Of its whole numbers.
        error: Against what was trained.
        weights: Of what was trained: the hash of its file, SHA-256.
        eight_bits: How far a probability moves in 8 bits.
        asked: Masks at which that was measured.
    """

    step: int
    bits: int
    error: StoredError
    weights: str
    eight_bits: float
    asked: int


def places_of(tokenizer: Any, texts: int = TEXTS) -> list[EvaluatedPiece]:
    """The places that are asked, in the tokenizer's pieces."""
    reader, unseen = exact_reader(tokenizer.tokenize), held_out_documents(texts)
    return [one for share in MASKED for one in draw_places(reader, unseen, SEED, share)]


def error_of(
    trained: Any, stored: Path, tokenizer: Any, places: Sequence[EvaluatedPiece]
) -> StoredError:
    """Ask both models at the places, over the whole vocabulary.

    Args:
        trained: The transformers model as it was trained.
        stored: The file of its weights as it is stored.
        tokenizer: Of both.
        places: Where they are asked.
    """
    other = as_stored(trained, stored)
    one, its = (predict(model.eval(), tokenizer, places) for model in (trained, other))
    moved = float(np.abs(np.exp(one) - np.exp(its)).max())
    return StoredError(moved, float((np.exp(one) * (one - its)).sum(axis=1).max()))


def as_stored(trained: Any, stored: Path) -> Any:
    """A copy of a model with the weights of a file, as the program reads them."""
    import copy

    from explorer.hf.loading.stored import in_memory, read_stored

    other = copy.deepcopy(trained)
    weights = {name: in_memory(one) for name, one in read_stored(stored).items()}
    other.load_state_dict(weights, strict=False)
    return other
