"""What a model that writes spans says of single pieces (T5).

It may write spans of any length where a sentinel stands. Given that the hidden span is one piece,
which only who hid it knows, the exact distribution of that piece is the grammar's; so the
probabilities of all spans of one piece are compared with it, both summing to 1. Longer spans are
not measured: their exact distribution would be one over sequences.

The card of the bundled model shares the probability among the pieces alone that the grammar allows
there, as it says. What is measured while a model learns counts all pieces: among those that are
allowed, of which there may be one, a model that has learnt nothing would look as if it knew.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.measured.places import EvaluatedPiece

Floats = NDArray[np.float64]


def predict_single(
    model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece], among: Sequence[int] = ()
) -> tuple[Floats, float]:
    """How T5 shares its probability among single pieces at a place.

    The probability of a span of one piece is that of the piece after the first sentinel times that
    of the second sentinel after both.

    Args:
        model: A transformers model.
        tokenizer: Its tokenizer.
        places: A piece hidden at each.
        among: Numbers of the pieces; those that can stand at a place where none are named.

    Returns:
        Log-probabilities, shape [places, vocabulary], -inf at all other pieces; and the mean
        probability of all such spans together.
    """
    import torch

    first, second = tokenizer.convert_tokens_to_ids(["<extra_id_0>", "<extra_id_1>"])
    start = model.config.decoder_start_token_id
    rows: list[Floats] = []
    shares: list[float] = []
    for place in places:
        pieces = [tokenizer.convert_tokens_to_ids(p) if p else first for p in place.pieces]
        candidates = list(among) or tokenizer.convert_tokens_to_ids(list(place.exact))
        inputs = torch.tensor([[*pieces, tokenizer.eos_token_id]])
        written = torch.tensor([[start, first, number] for number in candidates])
        with torch.inference_mode():
            encoded = model.get_encoder()(input_ids=inputs)
            encoded.last_hidden_state = encoded.last_hidden_state.expand(len(candidates), -1, -1)
            scores = model(encoder_outputs=encoded, decoder_input_ids=written).logits.double()
        logs = torch.log_softmax(scores, dim=-1)
        chosen = logs[torch.arange(len(candidates)), 1, torch.tensor(candidates)]
        spans = (chosen + logs[:, 2, second]).numpy()
        total = float(np.logaddexp.reduce(spans))
        shares.append(math.exp(total))
        row = np.full(scores.shape[-1], -np.inf)
        row[candidates] = spans - total
        rows.append(row)
    return np.stack(rows), math.fsum(shares) / len(shares)


def written_pieces(tokenizer: Any) -> list[int]:
    """The numbers of all pieces that are text: neither special ones nor sentinels."""
    special = set(tokenizer.all_special_ids)
    return [number for number in range(len(tokenizer)) if number not in special]
