"""The prediction that edits are compared by: at a mask, of the next token, or about a token."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Context,
    Direction,
    Discriminator,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    UserMistake,
)
from explorer.document import MASK_LITERAL, Document
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.predict.masked_text import check_masked, refuse_pair
from explorer.hf.predict.predictions import begins_unspaced, prediction_of
from explorer.questions.cause.edits.question import PredictionKind
from explorer.questions.layers.reading import pieces_of
from explorer.text import N_
from explorer.text.pieces import dotted

Row = NDArray[np.float32]
"""Log-probabilities of everything that may be predicted."""

ORIGINAL, REPLACED = "original", "replaced"


class Followed(ABC):
    """A prediction that can be asked for in one edit of the text and in another.

    Attributes:
        kind: What it is.
        encoded: The user's text as the model sees it.
        position: Of the token asked about; that behind the last one for the next token.
        first_unseen: Position of the first token that the model does not go by; None where it
            sees all.
    """

    kind: PredictionKind
    encoded: Encoded
    position: int
    first_unseen: int | None = None

    @abstractmethod
    def rows(self, documents: Sequence[Document], context: Context) -> list[Row | None]:
        """What is predicted in each text; None where the place asked about is not there."""

    @abstractmethod
    def number_of(self, word: str) -> int:
        """Where a word's logarithm stands in a row.

        Raises:
            UserMistake: It stands nowhere.
        """

    @abstractmethod
    def name_of(self, number: int) -> str:
        """The word whose logarithm stands there."""


def followed(
    model: LoadedModel, document: Document, position: int | None, context: Context
) -> Followed:
    """The prediction that is asked about.

    Args:
        model: Who predicts.
        document: The user's text.
        position: Of the token asked about, where there is a choice; None for the usual one.
        context: Can stop it.

    Raises:
        UserMistake: Nothing is masked and the model fills masks; there is a second text for a
            model that reads one; or no token is left to judge.
        Unavailable: The model predicts nothing.
    """
    predictor: Predictor | None = model.ports.get(Predictor)
    encoded = model.encode(document.text, document.pair, document.masks)
    if predictor is None or (
        Discriminator in model.ports
        and predictor.direction is not Direction.CAUSAL
        and not encoded.mask_positions
    ):
        return TokenVerdict(model, encoded, position, context)
    refuse_pair(predictor, document.pair)
    if predictor.direction is not Direction.CAUSAL:
        check_masked(encoded)
    return Predicted(model, encoded, position)


class Predicted(Followed):
    """The word at a mask, or the next one."""

    def __init__(self, model: LoadedModel, encoded: Encoded, position: int | None) -> None:
        self._model, self._predictor = model, model.port(Predictor)
        self.encoded, masks = encoded, encoded.mask_positions
        self.kind = PredictionKind.MASK if masks else PredictionKind.NEXT
        self._count = len(masks)
        self._number = masks.index(position) if position in masks else 0
        self.position = masks[self._number] if masks else len(encoded.tokens)
        if self._predictor.direction is Direction.CAUSAL:
            self.first_unseen = self.position
        if encoded.left_out is not None and self.kind is PredictionKind.NEXT:
            raise UserMistake(
                N_("The text is longer than the model takes, so it has no next token."),
                N_("Shorten it, or mask a word."),
            )
        # How a word is written at the place: with a space before it or without.
        self._unspaced = bool(masks) and begins_unspaced(encoded.tokens, self.position)

    def rows(self, documents: Sequence[Document], context: Context) -> list[Row | None]:
        """As `Followed.rows`."""
        context.check()
        inputs = [self._encoded(one) for one in documents]
        there = [one for one in inputs if one is not None]
        places = [one.mask_positions[self._number] for one in there]
        if self._number and self._predictor.direction is not Direction.BOTH:
            # What stands at the masks before is the model's own guess, text by text.
            rows = [
                rows_at_masks(self._predictor, one, context, (place,))
                for one, place in zip(there, places, strict=True)
            ]
        else:
            queries = [Query(one, (at,)) for one, at in zip(there, places, strict=True)]
            rows = self._predictor.log_probabilities(queries, context)
        found = iter(rows)
        return [None if one is None else next(found)[0].cpu().numpy() for one in inputs]

    def _encoded(self, document: Document) -> Encoded | None:
        if self.kind is PredictionKind.NEXT:
            document = replace(document, text=document.text + MASK_LITERAL)
        encoded = self._model.encode(document.text, document.pair, document.masks)
        whole = len(encoded.mask_positions) == max(self._count, 1)
        return encoded if whole and encoded.left_out == self.encoded.left_out else None

    def number_of(self, word: str) -> int:
        """As `Followed.number_of`."""
        known, _missing = pieces_of(self._model, (word,))
        if word not in known:
            raise UserMistake(
                N_("“{word}” is no single piece of this model's vocabulary."),
                N_("Ask about another word."),
                word=word,
            )
        return known[word]

    def name_of(self, number: int) -> str:
        """As `Followed.name_of`."""
        shown = prediction_of(self._model, number, 0.0, 0, unspaced=self._unspaced)
        return dotted(shown.word or shown.token, shown.glue)


class TokenVerdict(Followed):
    """Whether a token was replaced, as a discriminator judges it."""

    kind = PredictionKind.REPLACED

    def __init__(
        self, model: LoadedModel, encoded: Encoded, position: int | None, context: Context
    ) -> None:
        self._model, self._judge = model, model.port(Discriminator)
        self.encoded = encoded
        own = [n for n, one in enumerate(encoded.tokens) if not one.special]
        if not own:
            raise UserMistake(N_("There is no word to judge."), N_("Type a sentence."))
        if position not in own:
            logits = self._judge.logits(encoded, context).tolist()
            position = max(own, key=lambda n: logits[n])
        self.position = position
        self._token = encoded.tokens[position]
        # What follows it stays where it is, counted from the end.
        self._behind = len(encoded.tokens) - position

    def rows(self, documents: Sequence[Document], context: Context) -> list[Row | None]:
        """As `Followed.rows`."""
        found: list[Row | None] = []
        for document in documents:
            context.check()
            encoded = self._model.encode(document.text, document.pair, document.masks)
            at = self._at(encoded)
            if at is None:
                found.append(None)
                continue
            logit = float(self._judge.logits(encoded, context)[at])
            found.append(-np.logaddexp(0.0, [logit, -logit]).astype(np.float32))
        return found

    def _at(self, encoded: Encoded) -> int | None:
        """Where the token is: as far from the beginning or from the end as it was."""
        if encoded.left_out != self.encoded.left_out:
            return None
        for at in (self.position, len(encoded.tokens) - self._behind):
            one = encoded.tokens[at] if 0 <= at < len(encoded.tokens) else None
            if one is not None and (one.text, one.part) == (self._token.text, self._token.part):
                return at
        return None

    def number_of(self, word: str) -> int:
        """As `Followed.number_of`."""
        if word.casefold() not in (ORIGINAL, REPLACED):
            raise UserMistake(
                N_("A discriminator tells “replaced” from “original”, and predicts no words."),
                N_("Leave the word empty."),
            )
        return int(word.casefold() == REPLACED)

    def name_of(self, number: int) -> str:
        """As `Followed.name_of`."""
        return REPLACED if number else ORIGINAL
