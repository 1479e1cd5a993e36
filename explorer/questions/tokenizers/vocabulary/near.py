"""The pieces that a model has nearly the same vectors for."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from explorer.api.question import Context, EmbeddingMatrices, LoadedModel, Unavailable, UserMistake
from explorer.hf.text.vocabularies.vocabulary import PieceRole, VocabularyEntry
from explorer.numerics.vectors.nearest import highest, to_all
from explorer.questions.tokenizers.vocabulary.options import MOST_NEIGHBOURS, NearnessMeasure
from explorer.questions.tokenizers.vocabulary.overview import Overview
from explorer.questions.tokenizers.vocabulary.question import (
    NearestPieces,
    NearPiece,
    VocabularyRequest,
)
from explorer.text import N_

BLOCK = 8_192
"""Rows of a table that are looked at at once."""


def entry_of(entries: Sequence[VocabularyEntry], typed: str) -> VocabularyEntry:
    """The piece that is meant: a whole word before a part of one that is spelled alike.

    Args:
        entries: Of the vocabulary.
        typed: As the vocabulary has it, or as it is shown: "the", "…ing".

    Raises:
        UserMistake: There is no such piece.
    """
    alike = [one for one in entries if typed in (one.piece, one.shown)]
    found = min(
        alike,
        key=lambda one: (one.place is not PieceRole.WORD, one.piece != typed),
        default=None,
    )
    if found is None:
        raise UserMistake(
            N_("The vocabulary has no piece “{piece}”."),
            N_("Click a row of the table, or type a word that is one piece."),
            piece=typed,
        )
    return found


def neighbours(
    model: LoadedModel | None,
    own: VocabularyEntry,
    seen: Overview,
    request: VocabularyRequest,
    context: Context,
) -> tuple[NearestPieces, ...]:
    """The nearest pieces by each of the model's tables.

    Args:
        model: Whose; None where only its tokenizer is here.
        own: The piece whose nearest are looked for.
        seen: The vocabulary.
        request: How many, and by which measure.
        context: Can stop it.

    Raises:
        Unavailable: There is no model, or it has no table of vectors.
        UserMistake: So many can't be asked for.
        Cancelled: The run was cancelled.
    """
    if not 1 <= request.top_k <= MOST_NEIGHBOURS:
        raise UserMistake(
            N_("{count} neighbours can't be asked for."),
            N_("Choose a number from 1 to {most}."),
            count=request.top_k,
            most=MOST_NEIGHBOURS,
        )
    if model is None:
        raise Unavailable(
            N_("Which pieces are near to each other is in a model's weights."),
            N_("Load this checkpoint as a model."),
        )
    port: EmbeddingMatrices = model.port(EmbeddingMatrices)
    return tuple(_by(side, port, own, seen, request, context) for side in port.sides)


def _by(
    side: str,
    port: EmbeddingMatrices,
    own: VocabularyEntry,
    seen: Overview,
    request: VocabularyRequest,
    context: Context,
) -> NearestPieces:
    count, width = port.shape(side)
    if own.id >= count:
        raise Unavailable(N_("The model has no vector for this piece: it was added later."))

    def parts() -> Iterator[Any]:
        for start in range(0, count, BLOCK):
            context.check()
            yield port.rows(side, start, min(start + BLOCK, count))

    # Rows that no piece has are no neighbours.
    others = [one for one in seen.entries if one.id < count and one is not own]
    ids = np.array([one.id for one in others], dtype=np.int64)
    cosines, products = to_all(port.rows(side, own.id, own.id + 1)[0], parts())
    values = cosines if request.measure is NearnessMeasure.COSINE else products
    nearest = tuple(
        NearPiece(seen.row(others[at]), float(cosines[ids[at]]), float(products[ids[at]]))
        for at in highest(values[ids], request.top_k)
    )
    return NearestPieces(side, width, port.states_width, nearest)
