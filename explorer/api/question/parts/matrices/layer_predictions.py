"""What a head reads in every layer at every place: the numbers that a lens shows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.prediction import Prediction
from explorer.api.question.headline import Headline
from explorer.api.question.options.options import Choice, Entry, Option
from explorer.api.question.parts.part import SILENT, Part, chosen
from explorer.api.question.rows.layer_names import layer_phrase
from explorer.api.question.rows.rows import TOKENS, Cell, Table, column
from explorer.api.question.standing_out import beyond, largest_cell
from explorer.api.tokens import Token
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits, in_percent
from explorer.text.pieces import drawn, visible

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class ChosenWord:
    """A word that is followed through the layers.

    Attributes:
        word: As a person writes it.
        id: Of its piece.
        probabilities: Shape [layers, places], float32.
        ranks: Shape [layers, places], int32; 1 for the most probable piece.
    """

    word: str
    id: int
    probabilities: Floats
    ranks: NDArray[np.int32]


@dataclass(frozen=True)
class LensGrid:
    """Predictions of every layer; the last row is the model's own prediction.

    Attributes:
        layers: Names of the rows: "emb.", "0", ..., "decoder 1".
        places: Positions of the tokens that can be asked about; one a column.
        ids: Shape [layers, places, k], int32: the most probable pieces, most probable first.
        probabilities: Shape [layers, places, k], float32.
        entropies: Shape [layers, places], float32, in nats.
        divergences: Shape [layers, places], float32, in nats: KL(last row || this row).
        kept: Shape [layers, places, k], float32: what each layer gives the pieces that are most
            probable in the last row.
        ranks: Shape [layers, places], int32: of the last row's most probable piece.
        pieces: Each piece of `ids` once, by rising number; what they hold as a probability and a
            rank means nothing.
        chosen: Words that were asked for.
        alone: Every token was hidden alone: the model predicts what is hidden from it only.
    """

    layers: tuple[str, ...]
    places: tuple[int, ...]
    ids: NDArray[np.int32]
    probabilities: Floats
    entropies: Floats
    divergences: Floats
    kept: Floats
    ranks: NDArray[np.int32]
    pieces: tuple[Prediction, ...]
    chosen: tuple[ChosenWord, ...] = ()
    alone: bool = False

    @cached_property
    def _by_number(self) -> Mapping[int, Prediction]:
        """A large grid looks up thousands of cells."""
        return {piece.id: piece for piece in self.pieces}

    def best(self, layer: int, column: int) -> tuple[Prediction, ...]:
        """The most probable pieces of a layer in a column."""
        pairs = zip(self.ids[layer, column], self.probabilities[layer, column], strict=True)
        return tuple(
            replace(self._by_number[int(number)], probability=float(chance), rank=rank)
            for rank, (number, chance) in enumerate(pairs, start=1)
        )

    def column(self, position: int) -> int | None:
        """The column of a token; None where it can't be asked about."""
        return self.places.index(position) if position in self.places else None


SMALL = 0.05
"""A step that does not stand out."""

SHOW = Choice(
    N_("Colour"),
    "probability",
    redraws=True,
    entries=(
        Entry("probability", N_("Probability"), N_("Of the word in the cell")),
        Entry("entropy", N_("Entropy"), N_("Of the layer's distribution, in nats")),
        Entry(
            "divergence",
            N_("KL to the last layer"),
            N_("KL(last layer ‖ this layer), in nats: 0 where both predict the same"),
        ),
        Entry(
            "rank",
            N_("Rank of the last word"),
            N_("Rank of the last layer's top word in this layer; 1 is the top"),
        ),
    ),
    key="show",
)
"""What cells are coloured by."""


@dataclass(frozen=True)
class LensRow:
    """A prediction of a layer at a place."""

    layer: str = column(N_("layer"), key=True)
    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible)
    rank: int = column(N_("rank"), compared=False)
    word: str = column(N_("word"), key=True)
    piece: str = column(N_("piece"), shown=False, compared=False)
    id: int = column(N_("id"), shown=False, compared=False)
    probability: float = column(N_("probability"), written=in_digits)
    entropy: float = column(N_("entropy"), unit=N_("nats"), digits=3)
    divergence: float = column(N_("KL to the last layer"), unit=N_("nats"), digits=3)
    rank_of_last: int = column(N_("Rank of the last word"))


@dataclass(frozen=True)
class LayerPredictions(Part):
    """A grid over the tokens that it was read from.

    Attributes:
        tokens: The input as the model saw it.
        grid: The numbers.
        missing: Words that were to be followed and are no single piece of the vocabulary.
        remark: What else must be known of the grid; "" for nothing.
    """

    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (SHOW, chosen(N_("Place")))
    TITLES: ClassVar[Mapping[str, str]] = {
        "position": N_("position"),
        "word": N_("word"),
        "probability": N_("probability"),
        "from_layer": N_("from which layer"),
        "divergence_before_last": N_("KL one layer before"),
        "agreement_before_last": N_("agreement one layer before"),
    }

    tokens: tuple[Token, ...]
    grid: LensGrid
    missing: tuple[str, ...] = ()
    remark: str = ""

    def column(self, place: int | None = None) -> int:
        """The column of a place; of the first mask, or the last one, where there is none."""
        masked = (number for number, token in enumerate(self.tokens) if token.masked)
        for position in (place, *masked):
            column = None if position is None else self.grid.column(position)
            if column is not None:
                return column
        return len(self.grid.places) - 1

    def agreement(self) -> list[float]:
        """For every layer the share of places where it has the last row's most probable piece."""
        ids = self.grid.ids
        shares: list[float] = (ids[:, :, 0] == ids[-1, :, 0]).mean(axis=1).tolist()
        return shares

    def settled(self, column: int) -> int:
        """The first layer from which on the most probable piece stays the last row's."""
        same = self.grid.ids[:, column, 0] == self.grid.ids[-1, column, 0]
        changed = np.flatnonzero(~same)
        return int(changed[-1]) + 1 if len(changed) else 0

    def by_layer(self) -> Mapping[str, Any]:
        """What --json prints of it: layers, and predictions by layer and position.

        A position that can't be asked about, as the first of a model that reads from the left, has
        an empty list.
        """
        grid = self.grid
        columns = {place: column for column, place in enumerate(grid.places)}
        return {
            "layers": grid.layers,
            "cells": [
                [
                    grid.best(layer, columns[place]) if place in columns else ()
                    for place in range(len(self.tokens))
                ]
                for layer in range(len(grid.layers))
            ],
        }

    def table(self) -> Table:
        """One row a layer, a place and a prediction."""
        grid = self.grid
        rows = [
            LensRow(
                *(name, place, self.tokens[place].text, one.rank, one.word, one.token, one.id),
                one.probability,
                float(grid.entropies[layer, column]),
                float(grid.divergences[layer, column]),
                int(grid.ranks[layer, column]),
            )
            for layer, name in enumerate(grid.layers)
            for column, place in enumerate(grid.places)
            for one in grid.best(layer, column)
        ]
        return Table.of(LensRow, rows)

    def summary(self) -> Mapping[str, Cell]:
        """At the first mask, or the last place: what is predicted, and from which layer on."""
        grid, column = self.grid, self.column()
        (best, *_rest) = grid.best(len(grid.layers) - 1, column)
        before = max(0, len(grid.layers) - 2)
        return {
            "position": grid.places[column],
            "word": best.word,
            "probability": best.probability,
            "from_layer": grid.layers[self.settled(column)],
            "divergence_before_last": float(grid.divergences[before].mean()),
            "agreement_before_last": self.agreement()[before],
        }

    def headline(self) -> Headline:
        """Where a layer changes most what the last one's first word has.

        Masks alone are looked at where there are any: what stands in the text is read off it, and
        what a special token predicts was never trained.
        """
        grid, tokens = self.grid, self.tokens
        columns = [n for n, place in enumerate(grid.places) if tokens[place].masked]
        if not columns:
            columns = [n for n, place in enumerate(grid.places) if not tokens[place].special]
        last = len(grid.layers) - 1
        if not columns or not last:
            return SILENT
        chances = grid.kept[:, columns, 0]
        steps = np.diff(chances, axis=0)
        row, at = largest_cell(abs(steps))
        column = columns[at]
        values = {
            "layer": layer_phrase(grid.layers[row + 1]),
            "position": str(grid.places[column]),
            "word": drawn(grid.best(last, column)[0]),
            "before": in_percent(float(chances[row, at])),
            "after": in_percent(float(chances[row + 1, at])),
        }
        if abs(steps[row, at]) < SMALL:
            return SILENT
        if steps[row, at] > 0:
            code = N_(
                "“{word}” at position {position} gains most in {layer}: it rises from {before} to "
                "{after}."
            )
        else:
            code = N_(
                "“{word}” at position {position} changes most in {layer}: it falls from {before} "
                "to {after}."
            )
        strength = beyond(abs(float(steps[row, at])), SMALL, 1.0)
        return Headline(Phrase(code, **values), grid.places[column], strength=strength)
