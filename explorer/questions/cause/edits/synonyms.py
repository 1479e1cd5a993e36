"""Words of the vocabulary that can take a word's place: near to it, and about as likely there."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    InputEmbeddings,
    LoadedModel,
    Predictor,
    Query,
    UserMistake,
    tokens_at,
)
from explorer.document import Document
from explorer.hf.predict.rows import rows_at_once
from explorer.hf.text.vocabularies.neighbours import (
    NearWord,
    Vectors,
    nearest_words,
    spelled_like,
)
from explorer.hf.text.vocabularies.word_lists import folds
from explorer.questions.cause.edits.places import EditPlace
from explorer.text import N_

SPARE = 3
"""Neighbours that are looked at for each that is wanted: some are other pieces where they stand."""
LOOKED_AT = 12
"""Neighbours of a word among which its synonym is looked for."""
WITHIN = math.log(2.0)
"""Nats between a word's log-probability and its synonym's, at most: half to twice as likely."""


@dataclass(frozen=True)
class FittingWord:
    """A neighbour that can be put into a place.

    Attributes:
        place: Number of the place.
        put: As it is typed there.
        near: The neighbour.
    """

    place: int
    put: str
    near: NearWord


def fitting_words(
    model: LoadedModel, document: Document, places: Sequence[EditPlace], count: int
) -> Iterator[Iterator[FittingWord]]:
    """Each word's neighbours that the model reads as such where the word stands, nearest first.

    Whoever takes only the first ones of a word has no others tried.

    Args:
        model: Whose vectors are compared.
        document: The text.
        places: The words.
        count: How many are wanted of each; there may be more, or fewer.

    Raises:
        UserMistake: The model's vectors can't be had.
    """
    folded = folds(model.tokenizer)
    near = nearest_words(
        model.tokenizer, _vectors_of(model), [one.ids for one in places], SPARE * count
    )

    def of(number: int) -> Iterator[FittingWord]:
        place = places[number]
        for one in near[number]:
            put = spelled_like(one.word, place.word.word) if folded else one.word
            if _is_read_as(model, document, place, put, one.id):
                yield FittingWord(number, put, one)

    return map(of, range(len(places)))


def synonyms(
    model: LoadedModel,
    document: Document,
    encoded: Encoded,
    places: Sequence[EditPlace],
    context: Context,
) -> Iterator[FittingWord]:
    """Of each word the nearest neighbour that the model takes for about as likely in its place.

    A word of several pieces has none: it has no probability to compare.

    Args:
        model: Whose vectors are compared, and who says what is likely.
        document: The text.
        encoded: As the model reads it.
        places: The words.
        context: Can stop it.

    Raises:
        UserMistake: The model's vectors can't be had, or it predicts no words.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    if Predictor not in model.ports:
        raise UserMistake(
            N_("This model predicts no words, so it can't say which neighbours are as likely."),
            N_("Choose “Neighbours”."),
        )
    asked = [number for number, one in enumerate(places) if len(one.ids) == 1]
    rows = _hidden(model, encoded, [places[number].positions[0] for number in asked], context)
    near = fitting_words(model, document, [places[number] for number in asked], LOOKED_AT // SPARE)
    for number, row, words in zip(asked, rows, near, strict=True):
        own = float(row[places[number].ids[0]])
        alike = (one for one in words if abs(float(row[one.near.id]) - own) <= WITHIN)
        yield from (replace(one, place=number) for one in itertools.islice(alike, 1))


def _hidden(
    model: LoadedModel, encoded: Encoded, positions: Sequence[int], context: Context
) -> list[Any]:
    """Log-probabilities of what stands at each place, with the word there hidden."""
    predictor = model.port(Predictor)
    from_left = predictor.direction is Direction.CAUSAL
    queries = [Query(encoded, (at,), {} if from_left else {at: None}) for at in positions]
    size = rows_at_once(model)
    found: list[Any] = []
    for start in range(0, len(queries), size):
        context.check()
        some = predictor.log_probabilities(queries[start : start + size], context)
        found += [rows[0].cpu().double() for rows in some]
    return found


def _is_read_as(
    model: LoadedModel, document: Document, place: EditPlace, put: str, piece: int
) -> bool:
    """Whether a word that is put into a text is the piece there that it was found by."""
    where = place.word
    edited = document.with_words(where.start, where.end, put, where.part)
    read = model.encode(edited.text, edited.pair, edited.masks)
    at = tokens_at(read.tokens, where.start, where.start + len(put), where.part)
    return [read.tokens[one].id for one in at] == [piece]


def _vectors_of(model: LoadedModel) -> Vectors:
    """From pieces to the vectors that the model reads for them.

    Raises:
        UserMistake: They can't be had.
    """
    known = model.ports.get(InputEmbeddings)
    if known is None:
        raise UserMistake(
            N_("This model exposes no vectors of its vocabulary, so words have no neighbours."),
            N_("Type words of your own to put in."),
        )
    found: Vectors = known.vectors
    return found
