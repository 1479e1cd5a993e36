"""What a head does to words by its weights alone: who looks for whom (QK), what it writes (OV).

With E the rows of words, U the head's table: QK = E W_Q^T W_K E^T * scale, OV = E W_V^T W_O U^T
(Elhage et al. 2021, “A Mathematical Framework for Transformer Circuits”). Norms, positions and
biases are left out of both.
"""

from collections import Counter
from itertools import islice
from typing import Any

import numpy as np

from explorer.api.family import Role, Weights
from explorer.api.question import (
    Context,
    EmbeddingMatrices,
    LeftOut,
    LoadedModel,
    Predictor,
    check_text,
)
from explorer.hf.attention.head_weights import HeadWeights, head_weights
from explorer.hf.attention.modules import AttentionModule
from explorer.hf.predict.predictions import prediction_of
from explorer.hf.text.vocabularies.pieces import special_pieces
from explorer.questions.architecture.weights.matrices import drawn_matrix
from explorer.questions.architecture.weights.question import (
    DrawnMatrix,
    WeightsRequest,
    WordSource,
    WrittenPieces,
)
from explorer.text import N_, Phrase
from explorer.world.corpus import HELD_OUT_SEED, documents

MOST_WORDS = 24
"""Words that are laid against each other: more can't be read."""
WRITTEN = 6
"""Pieces that are told of each word."""
BLOCK = 8192
"""Rows of a table that are read at once."""
COUNTED_TEXTS = 200
"""Of the small world, in which words are counted."""

NO_TABLE = N_(
    "There are no circuits of words: between this model's table of pieces and what its heads read "
    "is more than one matrix."
)
NO_HEAD = N_("What the head writes can't be said in words: this model has no head for words here.")
ENCODER_WRITES = N_(
    "What an encoder's head writes is read by the decoder, not by the head for words: choose the "
    "decoder for that."
)
BRIDGED = N_("Of the transform before the head for words only its matrix counts.")
SOME_WORDS = N_("Drawn are the first {count} of {all} words.")


def circuits(
    model: LoadedModel, one: AttentionModule, request: WeightsRequest, context: Context
) -> dict[str, Any]:
    """Both circuits of a head over some words.

    Raises:
        UserMistake: There is no word to go through it.
    """
    ids, left_out = word_ids(model, request, context)
    names = [word_of(model, number) for number in ids[:MOST_WORDS]]
    notes = []
    if len(ids) > MOST_WORDS:
        notes.append(Phrase(SOME_WORDS, count=MOST_WORDS, all=len(ids)))
    ids = ids[:MOST_WORDS]
    own = head_weights(one, request.head)
    vectors = word_vectors(model, ids)
    if vectors is None or any(vectors.shape[1] != part.shape[1] for part in _read(own)):
        return {"notes": (Phrase(NO_TABLE),), "left_out": left_out}
    looks = (vectors @ own.query.numpy().T) @ (vectors @ own.key.numpy().T).T * one.scale
    matrices: list[DrawnMatrix] = [drawn_matrix("qk", looks, names, names)]
    gives = (vectors @ own.value.numpy().T) @ own.output.numpy()
    scored, reason = scores_of(model, one, gives, context)
    if reason:
        notes.append(Phrase(reason))
    written: tuple[WrittenPieces, ...] = ()
    if scored is not None:
        matrices.append(drawn_matrix("ov", scored[:, ids], names, names))
        written = tuple(
            _written(model, name, number, row)
            for name, number, row in zip(names, ids, scored, strict=True)
        )
    return {
        "matrices": tuple(matrices),
        "written": written,
        "vocabulary": 0 if scored is None else scored.shape[1],
        "left_out": left_out,
        "notes": tuple(notes),
    }


def _read(own: HeadWeights) -> tuple[Any, Any, Any]:
    return own.query, own.key, own.value


def word_ids(
    model: LoadedModel, request: WeightsRequest, context: Context
) -> tuple[list[int], LeftOut | None]:
    """Pieces that go through the circuits, each once, and what of the text did not fit.

    Raises:
        UserMistake: The sentence is empty.
    """
    if request.words is WordSource.COMMON:
        counts = Counter[int]()
        for document in islice(documents(HELD_OUT_SEED), COUNTED_TEXTS):
            context.check()
            counts.update(token.id for token in _words_in(model, document.text))
        whole = (number for number, _times in counts.most_common() if _is_word(model, number))
        return list(islice(whole, MOST_WORDS)), None
    check_text(request.text)
    encoded = model.encode(request.text)
    return list(dict.fromkeys(token.id for token in _own(model, encoded))), encoded.left_out


def _words_in(model: LoadedModel, text: str) -> list[Any]:
    """Tokens with a letter: of signs alone nobody asks."""
    tokens = _own(model, model.encode(text))
    return [token for token in tokens if any(letter.isalpha() for letter in token.text)]


def _is_word(model: LoadedModel, number: int) -> bool:
    return not prediction_of(model, number, 0.0, 0).glue


def _own(model: LoadedModel, encoded: Any) -> list[Any]:
    special = special_pieces(model.tokenizer)
    return [one for one in encoded.tokens if not one.special and one.text not in special]


def word_of(model: LoadedModel, number: int) -> str:
    """A word as people read it; a part of one with the tokenizer's mark, as "##ing"."""
    found = prediction_of(model, number, 0.0, 0)
    return found.token if found.glue else found.word


def word_vectors(model: LoadedModel, ids: list[int]) -> Any | None:
    """What the first layer reads of pieces, without positions and norms: [pieces, width].

    A narrower table goes through its projection (ALBERT, ELECTRA). None where there is no such
    matrix.
    """
    tables = model.ports.get(EmbeddingMatrices)
    if tables is None:
        return None
    rows = np.concatenate([tables.rows("input", n, n + 1) for n in ids])
    if rows.shape[1] == tables.states_width:
        return rows
    wide = _matrix(model, Role.WIDEN, (tables.states_width, rows.shape[1]))
    return None if wide is None else rows @ wide.T


def scores_of(
    model: LoadedModel, one: AttentionModule, gives: Any, context: Context
) -> tuple[Any | None, str]:
    """How much each piece of the vocabulary is raised: [words, pieces]; what must be known.

    Args:
        model: Whose head for words reads.
        one: The attention, whose stack may not be the one that predicts.
        gives: What is added to the stream, [words, width].
        context: Can stop it.
    """
    tables = model.ports.get(EmbeddingMatrices)
    if tables is None or Predictor not in model.ports:
        return None, NO_HEAD
    if one.layout.two_stacks and one.kind == "encoder":
        return None, ENCODER_WRITES
    side = tables.sides[-1]
    count, width = tables.shape(side)
    transform = _matrix(model, Role.TOKENS, (width, gives.shape[1]))
    if transform is not None:
        gives = gives @ transform.T
    elif gives.shape[1] != width:
        return None, NO_HEAD
    found = []
    for start in range(0, count, BLOCK):
        context.check()
        found.append(gives @ tables.rows(side, start, min(start + BLOCK, count)).T)
    return np.concatenate(found, axis=1), "" if transform is None else BRIDGED


def _matrix(model: LoadedModel, role: Role, shape: tuple[int, int]) -> Any | None:
    """The one weight that has a role and a shape, [out, in], as numpy; None without."""
    family: Any = model.ports.get(Weights)
    named = model.module.named_parameters() if family is not None else ()
    fits = [
        weight
        for name, weight in named
        if family.role_of(name) is role and tuple(weight.shape) == shape and not weight.is_meta
    ]
    return fits[0].detach().float().cpu().numpy() if len(fits) == 1 else None


def _written(model: LoadedModel, word: str, number: int, row: Any) -> WrittenPieces:
    best = np.argsort(-row, kind="stable")[:WRITTEN].tolist()
    return WrittenPieces(
        word,
        tuple(word_of(model, piece) for piece in best),
        tuple(float(row[piece]) for piece in best),
        int((row > row[number]).sum()) + 1,
    )
