"""Pieces of a vocabulary as predictions that a person can read."""

from collections.abc import Sequence
from typing import Any

from explorer.api.family import LoadedModel, Token
from explorer.api.question import Prediction
from explorer.hf.text.vocabularies.pieces import glue, written


def prediction_of(
    model: LoadedModel,
    number: int,
    probability: float,
    rank: int,
    *,
    unspaced: bool = False,
) -> Prediction:
    """A piece of the vocabulary as a prediction.

    Args:
        model: Whose vocabulary.
        number: Of the piece.
        probability: At its place.
        rank: At its place.
        unspaced: A word may begin at its place without a space (`begins_unspaced`).
    """
    piece = model.tokenizer.convert_ids_to_tokens(number)
    if piece is None:  # rows of the embedding that no piece uses
        piece = f"<{number}>"
        return Prediction(piece, number, probability, piece, rank)
    glued = glue(model.tokenizer, piece, unspaced=unspaced)
    word = written(model.tokenizer, piece)
    return Prediction(piece, number, probability, word, rank, glue=glued)


def best_predictions(
    model: LoadedModel, rows: Any, sources: Sequence[Sequence[Token]], places: Sequence[int], k: int
) -> list[tuple[Prediction, ...]]:
    """The k most probable pieces of some distributions, most probable first.

    Args:
        model: Whose vocabulary.
        rows: Log-probabilities, tensor (places x vocabulary).
        sources: The tokens of each row's input.
        places: Each row's position in it.
        k: How many; cut down to the size of the vocabulary.
    """
    import torch

    logs, ids = torch.topk(rows, min(k, rows.shape[-1]), dim=-1)
    found = []
    for tokens, place, pieces, chances in zip(
        sources, places, ids.tolist(), logs.exp().tolist(), strict=True
    ):
        unspaced = begins_unspaced(tokens, place)
        found.append(
            tuple(
                prediction_of(model, piece, chance, rank, unspaced=unspaced)
                for rank, (piece, chance) in enumerate(zip(pieces, chances, strict=True), start=1)
            )
        )
    return found


def rank_of(row: Any, piece: int) -> int:
    """One more than the number of pieces that are more probable.

    Args:
        row: Log-probabilities or probabilities of the whole vocabulary.
        piece: A number of the vocabulary.
    """
    return int((row > row[piece]).sum()) + 1


def begins_unspaced(tokens: Sequence[Token], position: int) -> bool:
    """Whether a word at a token begins without a space: at the text's start, or after a sign."""
    before = tokens[position - 1] if position else None
    token = tokens[position]
    if before is None or before.special or before.part != token.part:
        return True
    return before.end == token.start and not before.masked and not before.text[-1:].isalnum()
