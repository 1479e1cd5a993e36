"""States at sampled places of many texts: what a lens is trained and measured on."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.api.question import (
    Context,
    Direction,
    LayerReadout,
    LoadedModel,
    Mask,
    Predictor,
    Query,
)
from explorer.hf.predict.guessing import queries_of
from explorer.hf.predict.rows import part_of
from explorer.text import N_

SHARE = 0.15
"""Of a text's tokens that are masked where a model sees both sides."""

MOST_PLACES = 16_384
MOST_BYTES = 400_000_000
"""What states may take: those of a large model are fewer places'."""

AT_ONCE = 1000
"""Texts between two looks at how many places there are: of many, many have one length."""


def states_at_places(
    model: LoadedModel, texts: Sequence[str], seed: int, stage: str, context: Context
) -> Any:
    """Every row's states at places that the model is asked about, in the order of the texts.

    About 15 % of the tokens are masked, in one pass a text; of a model that reads from the left it
    is all places; of one that writes spans, one word of each text.

    Args:
        model: Who reads them.
        texts: Read until there are enough places.
        seed: Of the places.
        stage: What a person is told is going on.
        context: Can stop it.

    Returns:
        Tensor (rows x places x width), float32.

    Raises:
        Cancelled: The run was cancelled.
    """
    import torch

    random = np.random.default_rng(seed)
    readout = model.port(LayerReadout)
    found: list[Any] = []
    count, most = 0, MOST_PLACES
    for start in range(0, len(texts), AT_ONCE):
        some = texts[start : start + AT_ONCE]
        context.give_way()
        queries = [query for text in some for query in sampled(model, text, random, context)]
        part = part_of(context, stage, start, len(texts))
        found += readout.states(queries, part)
        rows, _, width = found[0].shape
        most = min(MOST_PLACES, max(1024, MOST_BYTES // (4 * rows * width)))
        count = sum(one.shape[1] for one in found)
        if count >= most:
            break
    return torch.cat(found, dim=1)[:, :most]


def sampled(
    model: LoadedModel, text: str, random: np.random.Generator, context: Context
) -> list[Query]:
    """Places of one text; none where it has no token of its own.

    Args:
        model: Who is asked.
        text: The text.
        random: Chooses.
        context: Can stop it.
    """
    predictor = model.port(Predictor)
    encoded = model.encode(text, None, ())
    if predictor.direction is Direction.CAUSAL:
        return queries_of(predictor, encoded, context)
    free = [n for n, one in enumerate(encoded.tokens) if not (one.special or one.reserved)]
    if not free:
        return []
    if predictor.direction is Direction.SPANS:
        token = encoded.tokens[int(random.choice(free))]
        masked = model.encode(text, None, (Mask(token.start, token.end, 0),))
        return queries_of(predictor, masked, context)
    chosen = random.choice(free, max(1, round(SHARE * len(free))), replace=False)
    places = tuple(sorted(int(place) for place in chosen))
    return [Query(encoded, places, dict.fromkeys(places))]


READING = N_("reading texts")
MEASURING = N_("measuring on other texts")
