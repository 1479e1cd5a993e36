"""How surprising the tokens of a text are: each one, and the unit they are told in."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question import Choice, Entry, LoadedModel, Prediction, Token
from explorer.text import N_

UNIT = Choice(
    N_("Unit"),
    "nats",
    N_("Nats are natural logarithms; one bit is 0.69 nats."),
    redraws=True,
    entries=(Entry("nats", N_("nats")), Entry("bits", N_("bits"))),
    key="surprisal.unit",
)


PER_NAT = {"nats": 1.0, "bits": 1.0 / math.log(2)}


@dataclass(frozen=True)
class TokenSurprisal:
    """One token, hidden.

    Attributes:
        position: Index in the input.
        log_probability: Of the token that stands there, in nats; minus this is its surprise.
        rank: One more than the number of pieces that are more probable.
        predictions: The most probable pieces.
    """

    position: int
    log_probability: float
    rank: int
    predictions: tuple[Prediction, ...]

    @property
    def nats(self) -> float:
        """The surprise, -ln p."""
        return -self.log_probability

    @property
    def bits(self) -> float:
        """The surprise, -log2 p."""
        return -self.log_probability / math.log(2)


def surprises_of(
    model: LoadedModel,
    rows: Any,
    sources: Sequence[Sequence[Token]],
    places: Sequence[int],
    top_k: int,
) -> list[TokenSurprisal]:
    """Probabilities of the tokens that stand at some places, each in its own input.

    Args:
        model: Whose vocabulary.
        rows: Log-probabilities, tensor (places x vocabulary).
        sources: The tokens of each place's input.
        places: Positions in them.
        top_k: Predictions kept for each.
    """
    import torch

    from explorer.hf.predict.predictions import best_predictions

    tokens = [source[place] for source, place in zip(sources, places, strict=True)]
    ids = torch.tensor([token.id for token in tokens], device=rows.device)
    own = rows.gather(1, ids[:, None])
    ranks = ((rows > own).sum(dim=1) + 1).tolist()
    shown = best_predictions(model, rows, sources, places, top_k)
    return [
        TokenSurprisal(*one) for one in zip(places, own[:, 0].tolist(), ranks, shown, strict=True)
    ]


def word_numbers(tokens: Sequence[Token]) -> tuple[int, ...]:
    """For every token the number of its word in the input; special tokens are words alone."""
    numbers: list[int] = []
    for i, token in enumerate(tokens):
        continues = i > 0 and token.joined and not tokens[i - 1].special
        numbers.append(numbers[-1] if continues else (numbers[-1] + 1 if numbers else 0))
    return tuple(numbers)
