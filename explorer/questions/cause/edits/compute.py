"""Puts other words into every place of a text, and compares what is predicted."""

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.api.question import (
    Context,
    Encoded,
    InputEmbeddings,
    LoadedModel,
    Predictor,
    UserMistake,
    check_text,
)
from explorer.document import Document
from explorer.hf.predict.rows import part_of, rows_at_once
from explorer.hf.text.vocabularies.neighbours import spelled_like
from explorer.numerics.losses import kl
from explorer.questions.cause.edits.followed import Followed, Row, followed
from explorer.questions.cause.edits.places import EditPlace, places_of
from explorer.questions.cause.edits.question import (
    EditEffect,
    EditsRequest,
    EditsResult,
    PredictionKind,
)
from explorer.questions.cause.edits.rules import EVERY_RULE, SYNONYM, edits_by
from explorer.questions.cause.edits.synonyms import fitting_words, synonyms
from explorer.text import N_

WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")
"""What rules tell apart of a text."""

AT_ONCE = 64
"""Edited texts whose distributions are held at a time; fewer for large vocabularies."""


@dataclass(frozen=True)
class EditTrial:
    """A word to put into a place.

    Attributes:
        place: Number of the place.
        put: The word.
        cosine: Between the vectors of the word and of the piece that is put; None for a word of the
            user's, or of a rule of grammar.
        rule: Which one says so; "" for none.
    """

    place: int
    put: str
    cosine: float | None = None
    rule: str = ""


def run(model: Any, request: EditsRequest, context: Context) -> EditsResult:
    """Ask about the text as it is, and about every edit of it.

    Raises:
        UserMistake: There is nothing to predict or to edit; a word is no single piece; or the
            model's vocabulary has no vectors.
        MachineFault: The model's numbers overflow.
        Cancelled: The run was cancelled; checked before every layer.
    """
    check_text(request.text)
    context.check()
    document = Document(request.text, request.pair, request.masks)
    prediction = followed(model, document, request.position, context)
    (before,) = prediction.rows([document], context)
    if before is None:
        raise UserMistake(N_("The place asked about is not in what the model reads."))
    places = _editable(document, prediction)
    context.check()
    trials = _trials(model, request, document, places, prediction, context)
    best = int(before.argmax())
    asked = prediction.number_of(request.word) if request.word else best
    other = prediction.number_of(request.against) if request.against else None
    if prediction.kind is PredictionKind.REPLACED:
        asked = asked if request.word else prediction.number_of("replaced")
        other = 1 - asked
    compared = PredictionBefore(prediction, before, asked, other)
    effects: list[EditEffect] = []
    at_once = min(AT_ONCE, rows_at_once(model))
    for start in range(0, len(trials), at_once):
        some = trials[start : start + at_once]
        edited = [_edited(document, places[one.place], one.put) for one in some]
        part = part_of(context, N_("trying edits"), start, len(trials))
        rows = prediction.rows(edited, part)
        pairs = zip(some, rows, strict=True)
        effects += [compared.effect(one, row) for one, row in pairs if row is not None]
    return EditsResult(
        model=model.stamp,
        tokens=prediction.encoded.tokens,
        kind=prediction.kind,
        position=prediction.position,
        word=request.word or prediction.name_of(asked),
        against="" if other is None else request.against or prediction.name_of(other),
        log_probability=float(before[asked]),
        difference=compared.difference(before),
        best=prediction.name_of(best),
        best_probability=math.exp(before[best]),
        words=tuple(one.word for one in places),
        edits=tuple(effects),
        skipped=len(trials) - len(effects),
        left_out=prediction.encoded.left_out,
    )


@dataclass(frozen=True)
class PredictionBefore:
    """What the prediction was before, which edits are compared with.

    Attributes:
        prediction: Which one.
        before: Log-probabilities without an edit.
        asked: Whose probability is followed.
        other: Whose logit is subtracted; None for none.
    """

    prediction: Followed
    before: Row
    asked: int
    other: int | None

    def difference(self, row: Row) -> float | None:
        """Between the logits of the two words, which is that of their log-probabilities."""
        if self.other is None:
            return None
        return float(np.float64(row[self.asked]) - np.float64(row[self.other]))

    def effect(self, trial: EditTrial, row: Row) -> EditEffect:
        """What comes of an edit."""
        best = int(row.argmax())
        now, was = self.difference(row), self.difference(self.before)
        return EditEffect(
            place=trial.place,
            put=trial.put,
            cosine=trial.cosine,
            log_probability=float(row[self.asked]),
            change=float(np.float64(row[self.asked]) - np.float64(self.before[self.asked])),
            difference=now,
            difference_change=None if now is None or was is None else now - was,
            divergence=float(kl(self.before[None], row[None])[0]),
            best=self.prediction.name_of(best),
            best_probability=math.exp(row[best]),
            rule=trial.rule,
        )


def _editable(document: Document, prediction: Followed) -> list[EditPlace]:
    """The words that may change the prediction: not the one asked about, nor what is not seen."""
    unseen = prediction.first_unseen
    return [
        one
        for one in places_of(document, prediction.encoded)
        if prediction.position not in one.positions
        and (unseen is None or one.positions[0] < unseen)
    ]


def _trials(
    model: LoadedModel,
    request: EditsRequest,
    document: Document,
    places: Sequence[EditPlace],
    prediction: Followed,
    context: Context,
) -> list[EditTrial]:
    """What is put where; no word in its own place."""
    words = tuple(dict.fromkeys(word.strip() for word in request.words if word.strip()))
    if words:
        return [
            EditTrial(number, word)
            for number, place in enumerate(places)
            for word in words
            if word != place.word.word
        ]
    if request.rule:
        return _by_rules(model, document, places, request.rule, prediction.encoded, context)
    return [
        EditTrial(one.place, one.put, one.near.cosine)
        for near in fitting_words(model, document, places, request.neighbours)
        for one in itertools.islice(near, request.neighbours)
    ]


def _by_rules(
    model: LoadedModel,
    document: Document,
    places: Sequence[EditPlace],
    rule: str,
    encoded: Encoded,
    context: Context,
) -> list[EditTrial]:
    """What a rule puts into each place, or every one that the model has what it takes for."""
    trials = [] if rule == SYNONYM else [*_by_rule(document, places, rule)]
    has_all = Predictor in model.ports and InputEmbeddings in model.ports
    if rule == SYNONYM or (rule == EVERY_RULE and has_all):
        trials += [
            EditTrial(one.place, one.put, one.near.cosine, SYNONYM)
            for one in synonyms(model, document, encoded, places, context)
        ]
    return sorted(trials, key=lambda one: one.place)


def _by_rule(document: Document, places: Sequence[EditPlace], rule: str) -> Iterator[EditTrial]:
    """What a rule, or every one, puts into each place; the whole text says what is right there."""
    texts = [[*WORD_OR_MARK.finditer(document.part(part))] for part in (0, 1)]
    for number, place in enumerate(places):
        where, found = place.word, texts[place.word.part]
        at = next((n for n, one in enumerate(found) if one.span() == (where.start, where.end)), -1)
        if at < 0:
            continue  # a word that is cut otherwise, as in a script without spaces
        for name, put in edits_by(rule, [one.group().casefold() for one in found], at):
            yield EditTrial(number, spelled_like(put, where.word), rule=name)


def _edited(document: Document, place: EditPlace, put: str) -> Document:
    where = place.word
    return document.with_words(where.start, where.end, put, where.part)
