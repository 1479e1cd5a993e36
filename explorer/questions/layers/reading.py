"""Reads every layer of a text with a model's own head."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    LayerReadout,
    LensGrid,
    LoadedModel,
    Predictor,
    UserMistake,
)
from explorer.api.question.parts.matrices.layer_predictions import ChosenWord
from explorer.hf.predict.guessing import queries_of
from explorer.hf.predict.predictions import prediction_of
from explorer.hf.predict.rows import rows_at_once
from explorer.hf.states.rows import row_names
from explorer.hf.text.vocabularies.word_lists import folds, word_list
from explorer.text import N_

Through = Callable[[Any, int], Any]
"""From the states of a row (n x width) and its number to what the head is to read."""


def as_it_is(states: Any, _row: int) -> Any:
    """The logit lens: states are read as they are."""
    return states


def read_layers(
    model: LoadedModel,
    encoded: Encoded,
    words: Sequence[str],
    top_k: int,
    context: Context,
    through: Through = as_it_is,
) -> tuple[LensGrid, tuple[str, ...]]:
    """What the head reads in every layer at every place that can be asked about.

    Args:
        model: Whose layers.
        encoded: The text; a causal model's masks are filled by its own best guesses.
        words: Followed through the layers.
        top_k: Predictions of each cell.
        context: Can stop it, between rows too.
        through: What states go through before they are read.

    Returns:
        The grid, and those of the words that are no single piece of the vocabulary.

    Raises:
        UserMistake: Nothing can be asked about, as where no span is masked for T5; or the model
            reads from the left and the very first token is masked.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled.
    """
    import torch

    queries = queries_of(model.port(Predictor), encoded, context)
    if not queries:
        raise UserMistake(
            N_("There is no place here that {who} predicts."),
            N_("Mask a word, or type a longer text."),
            who=model.port(Predictor).who,
        )
    found = model.port(LayerReadout).states(queries, context)
    places = tuple(place for query in queries for place in query.asked)
    states = torch.cat(found, dim=1)
    known, missing = pieces_of(model, words)
    block, followed = rows_at_once(model), list(known.values())
    parts = [
        _read_block(model, states[:, start : start + block], followed, top_k, context, through)
        for start in range(0, len(places), block)
    ]
    joined = [np.concatenate([part[n] for part in parts], axis=1) for n in range(6)]
    ids, probabilities, entropies, divergences, kept, ranks = joined
    chances, standings = (np.concatenate([part[n] for part in parts], axis=1) for n in (6, 7))
    grid = LensGrid(
        layers=row_names(len(states), model.port(LayerReadout).passes),
        places=places,
        ids=ids,
        probabilities=probabilities,
        entropies=entropies,
        divergences=divergences,
        kept=kept,
        ranks=ranks,
        pieces=tuple(prediction_of(model, number, 0.0, 0) for number in np.unique(ids).tolist()),
        chosen=tuple(
            ChosenWord(word, number, chances[:, :, n].copy(), standings[:, :, n].copy())
            for n, (word, number) in enumerate(known.items())
        ),
        alone=model.port(Predictor).direction is Direction.SPANS and not encoded.mask_positions,
    )
    return grid, missing


def _read_block(
    model: LoadedModel,
    states: Any,
    followed: Sequence[int],
    top_k: int,
    context: Context,
    through: Through,
) -> tuple[Any, ...]:
    """Numbers of some places (rows x places x width), as numpy arrays of the grid's order."""
    import torch

    readout = model.port(LayerReadout)
    with torch.no_grad():
        last = readout.log_probabilities(states[-1])
        chances = last.exp()
        k = min(top_k, last.shape[-1])
        best = last.topk(k, dim=-1).indices
        gathered: list[list[Any]] = [[] for _ in range(8)]
        for row in range(len(states)):
            context.progress(N_("reading layers"), float(row), float(len(states)))
            context.check()
            logs = last
            if row < len(states) - 1:
                logs = readout.log_probabilities(through(states[row], row))
            tops = logs.topk(k, dim=-1)
            own = logs.gather(1, best[:, :1])
            values = (
                tops.indices.int(),
                tops.values.exp(),
                -(logs.exp() * logs.clamp(min=-1e4)).sum(-1),
                (chances * (last - logs).nan_to_num(0.0)).sum(-1).clamp(min=0.0),
                logs.gather(1, best).exp(),
                (logs > own).sum(-1).int() + 1,
                logs[:, followed].exp(),
                torch.stack(
                    [(logs > logs[:, [piece]]).sum(-1).int() + 1 for piece in followed], dim=1
                )
                if followed
                else logs[:, :0].int(),
            )
            for kind, value in zip(gathered, values, strict=True):
                kind.append(value.cpu().numpy())
    return tuple(np.stack(kind) for kind in gathered)


def pieces_of(model: LoadedModel, words: Sequence[str]) -> tuple[dict[str, int], tuple[str, ...]]:
    """The piece that is each word, and the words that no single piece is."""
    folded = folds(model.tokenizer)
    listed = word_list(model.tokenizer, folded=folded)
    numbers = {word: n for n, word in enumerate(listed.words)}
    known: dict[str, int] = {}
    missing = []
    for word in dict.fromkeys(one.strip() for one in words if one.strip()):
        index = numbers.get(word.casefold() if folded else word)
        if index is None:
            missing.append(word)
        else:
            known[word] = int(np.flatnonzero(listed.word_of == index)[0])
    return known, tuple(missing)
