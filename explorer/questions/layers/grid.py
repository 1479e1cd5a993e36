"""What a head reads in every layer at every place: the numbers that a lens shows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api import Cell, Prediction, Table, Token

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


def derived(grid: LensGrid, tokens: tuple[Token, ...]) -> Mapping[str, Any]:
    """What --json prints of a grid: layers, and predictions by layer and position.

    A position that can't be asked about, as the first of a model that reads from the left, has an
    empty list.
    """
    columns = {place: column for column, place in enumerate(grid.places)}
    return {
        "layers": grid.layers,
        "cells": [
            [
                grid.best(layer, columns[place]) if place in columns else ()
                for place in range(len(tokens))
            ]
            for layer in range(len(grid.layers))
        ],
    }


def table(grid: LensGrid, tokens: tuple[Token, ...]) -> Table:
    """One row a layer, a place and a prediction."""
    rows: list[tuple[Cell, ...]] = []
    for layer, name in enumerate(grid.layers):
        for column, place in enumerate(grid.places):
            measured = (
                float(grid.entropies[layer, column]),
                float(grid.divergences[layer, column]),
                int(grid.ranks[layer, column]),
            )
            rows.extend(
                (
                    *(name, place, tokens[place].text, one.rank, one.word, one.token, one.id),
                    one.probability,
                    *measured,
                )
                for one in grid.best(layer, column)
            )
    names = ("layer", "position", "token", "rank", "word", "piece", "id", "probability")
    return Table((*names, "entropy", "divergence", "rank_of_last"), tuple(rows))


def agreement(grid: LensGrid) -> list[float]:
    """For every layer the share of places where it has the last row's most probable piece."""
    shares: list[float] = (grid.ids[:, :, 0] == grid.ids[-1, :, 0]).mean(axis=1).tolist()
    return shares


def settled(grid: LensGrid, column: int) -> int:
    """The first layer from which on the most probable piece stays the last row's."""
    same = grid.ids[:, column, 0] == grid.ids[-1, column, 0]
    changed = np.flatnonzero(~same)
    return int(changed[-1]) + 1 if len(changed) else 0
