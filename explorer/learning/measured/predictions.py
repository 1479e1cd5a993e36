"""What a model says of places: log-probabilities over its vocabulary, for each way of reading."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.measured.places import EvaluatedPiece

Floats = NDArray[np.float64]
ROWS: Final = 64
"""Texts that are read at once."""


class Reading(enum.StrEnum):
    """How a model reads a text."""

    BOTH_SIDES = "both sides"
    LEFT = "left"
    SPANS = "spans"


def reading_of(model: Any) -> Reading:
    """How a transformers model with a head for pieces reads."""
    if model.config.is_encoder_decoder:
        return Reading.SPANS
    return Reading.LEFT if model.can_generate() else Reading.BOTH_SIDES


def predict(model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece]) -> Floats:
    """Log-probabilities at the asked positions, shape [places, vocabulary]."""
    mask = tokenizer.mask_token

    def read(place: EvaluatedPiece) -> list[int]:
        pieces = [mask if piece is None else piece for piece in place.pieces]
        numbers = tokenizer.convert_tokens_to_ids(pieces)
        return [tokenizer.cls_token_id, *numbers, tokenizer.sep_token_id]

    # [CLS] stands before the first piece.
    return _asked(model, places, read, lambda place: place.position + 1)


def predict_next(model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece]) -> Floats:
    """Log-probabilities of what comes next, shape [places, vocabulary]."""

    def read(place: EvaluatedPiece) -> list[int]:
        found: list[int] = tokenizer.convert_tokens_to_ids(list(place.pieces[: place.position]))
        return found

    return _asked(model, places, read, lambda place: place.position - 1)


def _asked(
    model: Any,
    places: Sequence[EvaluatedPiece],
    read: Callable[[EvaluatedPiece], list[int]],
    at: Callable[[EvaluatedPiece], int],
) -> Floats:
    """Texts of one length are read together, so that none is padded."""
    import torch

    alike: defaultdict[int, list[tuple[int, list[int]]]] = defaultdict(list)
    for number, place in enumerate(places):
        tokens = read(place)
        alike[len(tokens)].append((number, tokens))
    rows: dict[int, Floats] = {}
    for group in alike.values():
        for start in range(0, len(group), ROWS):
            part = group[start : start + ROWS]
            with torch.inference_mode():
                output = model(input_ids=torch.tensor([tokens for _, tokens in part]))
            scores = getattr(output, "prediction_logits", None)
            scores = output.logits if scores is None else scores
            for row, (number, _) in zip(scores, part, strict=True):
                found = torch.log_softmax(row[at(places[number])].double(), dim=-1)
                rows[number] = found.numpy()
    return np.stack([rows[number] for number in range(len(places))])
