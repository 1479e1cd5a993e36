"""Computes how alike layers are, and how contextual each of them is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import FIRST, SECOND, Context, LoadedModel, UserMistake
from explorer.hf.states.rows import row_names
from explorer.numerics.distributions.temperature import Logits
from explorer.numerics.vectors import contextuality as of
from explorer.numerics.vectors.kernel_alignment import CentredStates, alignment, unbiased_alignment
from explorer.numerics.vectors.projection import standardised
from explorer.questions.layers.layer_similarity.question import (
    SENTENCES,
    TOKENS,
    WORDS,
    Contextuality,
    Floats,
    LayerSimilarityRequest,
    LayerSimilarityResult,
    ModelLayers,
)
from explorer.questions.layers.layer_similarity.reading import SentenceStates, read
from explorer.questions.layers.layer_similarity.taught import taught_by, was_taught_by
from explorer.questions.layers.layer_similarity.texts import sentences_of
from explorer.text import N_, _

FEWEST = 10
"""Samples with which numbers are made at all."""

CONTEXTS = 5
"""In which a word must stand to have a self-similarity (Ethayarajh 2019, section 3.1)."""


def run(
    model: LoadedModel, request: LayerSimilarityRequest, context: Context
) -> LayerSimilarityResult:
    """Compare every layer of one model with every layer of another, or of its own.

    Raises:
        UserMistake: The text is too short, or the file can't be read.
        Cancelled: The run was cancelled; checked before every layer.
    """
    other: LoadedModel | None = context.models.get(SECOND)
    source, sentences = sentences_of(request)
    both = (model,) if other is None else (model, other)
    readings, more = read(both, sentences, request.most, context)
    if not readings[0].parts:
        raise _too_short(0)
    unit, samples = samples_of(readings, request.unit)
    centred = [[CentredStates(one) for one in rows] for rows in samples]
    cka, unbiased = matrices(centred, context)
    taught, student = _taught(readings, context)
    layers = [_layers(reading, context) for reading in readings]
    return LayerSimilarityResult(
        model=model.stamp,
        other=None if other is None else other.stamp,
        source=source,
        sentences=len(readings[0].parts),
        cut=len(set().union(*(reading.cut for reading in readings))),
        more=more,
        unit=unit,
        samples=centred[0][0].samples,
        cka=cka,
        unbiased=unbiased,
        first=layers[0],
        second=None if other is None else layers[1],
        student=student,
        taught_by=taught,
    )


def samples_of(
    readings: Sequence[SentenceStates], wanted: str
) -> tuple[str, list[list[NDArray[np.floating]]]]:
    """What is compared, and for each model the states of it in every layer.

    Two models that cut the text into the same pieces are compared token by token; else by the
    words that both end on the same character, each by its last piece; else by sentences.

    Raises:
        UserMistake: There is too little of it.
    """
    unit, places = TOKENS, [np.arange(one.count) for one in readings]
    if wanted == SENTENCES:
        unit = SENTENCES
    elif len(readings) > 1 and not _cut_alike(readings):
        first, second = readings
        chosen = [
            [end for end in own if end in other]
            for own, other in zip(first.ends, second.ends, strict=True)
        ]
        unit, places = WORDS, [one.at_ends(chosen) for one in readings]
        if len(places[0]) < FEWEST:
            unit = SENTENCES
    if unit == SENTENCES:
        # A sentence of which one model has nothing can't be compared.
        kept = [
            n
            for n in range(len(readings[0].parts))
            if all(one.parts[n].shape[1] for one in readings)
        ]
        found = [
            [
                np.stack([one.parts[n][row].mean(axis=0) for n in kept] or [np.zeros(1)])
                for row in range(one.rows)
            ]
            for one in readings
        ]
        count = len(kept)
    else:
        found = [
            [one.states(row)[at] for row in range(one.rows)]
            for one, at in zip(readings, places, strict=True)
        ]
        count = len(places[0])
    if count < FEWEST:
        raise _too_short(count, sentences=unit == SENTENCES)
    return unit, found


def _cut_alike(readings: Sequence[SentenceStates]) -> bool:
    """Whether two models have the same pieces at the same characters."""
    first, second = (
        [[(token.text, token.start, token.end) for token in tokens] for tokens in one.tokens]
        for one in readings
    )
    return first == second


def _too_short(count: int, *, sentences: bool = False) -> UserMistake:
    if sentences:
        return UserMistake(
            N_("Only {count} sentences can be compared, and at least {fewest} are needed."),
            N_("Type more of them, open a longer file, or compare every token."),
            count=count,
            fewest=FEWEST,
        )
    return UserMistake(
        N_("Only {count} tokens can be compared, and at least {fewest} are needed."),
        N_("Type a longer text, or leave it empty to use the small world's sentences."),
        count=count,
        fewest=FEWEST,
    )


def matrices(centred: Sequence[Sequence[CentredStates]], context: Context) -> tuple[Floats, Floats]:
    """Both estimates of CKA, first's layers x second's.

    Args:
        centred: Layers of the first model, and of the second where there is one.
        context: For progress, and for a cancel between two layers.
    """
    rows, columns = centred[0], centred[-1]
    cka, unbiased = (np.zeros((len(rows), len(columns))) for _each in range(2))
    for m, left in enumerate(rows):
        context.progress(_("comparing layers"), float(m), float(len(rows)))
        for n, right in enumerate(columns):
            context.check()
            if rows is columns and n < m:
                cka[m, n], unbiased[m, n] = cka[n, m], unbiased[n, m]
            else:
                cka[m, n] = alignment(left, right)
                unbiased[m, n] = unbiased_alignment(left, right)
    return cka, unbiased


def _layers(reading: SentenceStates, context: Context) -> ModelLayers:
    """What is told of one model."""
    sentences = [places for places in reading.places() if len(places) > 1]
    words = [np.array(places) for places in reading.contexts().values() if len(places) >= CONTEXTS]
    kinds: tuple[list[Sequence[float | None]], list[Sequence[float | None]]] = ([], [])
    for row in range(reading.rows):
        context.progress(_("taking cosines"), float(row), float(reading.rows))
        context.check()
        states = reading.states(row)
        both: tuple[Logits, Logits] = (states, standardised(states))
        for kind, given in zip(kinds, both, strict=True):
            units = of.unit_length(given)
            kind.append(
                (
                    of.self_similarity(units, words) if words else None,
                    of.intra_sentence_similarity(given, sentences) if sentences else None,
                    of.anisotropy(units, sentences) if len(sentences) > 1 else None,
                )
            )
    plain, even = (
        Contextuality(*(_curve([row[n] for row in kind]) for n in range(3))) for kind in kinds
    )
    return ModelLayers(
        reading.model.stamp,
        row_names(reading.rows),
        reading.width,
        reading.count,
        sum(token.unknown for tokens in reading.tokens for token in tokens),
        len(words),
        plain,
        even,
    )


def _curve(values: Sequence[float | None]) -> Floats | None:
    known = [one for one in values if one is not None]
    return np.array(known) if known else None


def _taught(readings: Sequence[SentenceStates], context: Context) -> tuple[tuple[int, ...], str]:
    """The teacher's layer for each of the student's, and which of the two is the student."""
    if len(readings) < 2:
        return (), ""
    first, second = readings
    for role, student, teacher in ((FIRST, first, second), (SECOND, second, first)):
        one, other = student.model.stamp, teacher.model.stamp
        found = taught_by(one, student.rows - 1, other, teacher.rows - 1)
        if found and was_taught_by(one, other, context):
            return found, role
    return (), ""
