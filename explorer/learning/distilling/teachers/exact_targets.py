"""Batches of masked words with the exact distribution of each: a perfect teacher's answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from explorer.learning.batches.pairs import PairExample
from explorer.learning.distilling.matching import NOWHERE
from explorer.learning.objectives.masked import PlannedPairs
from explorer.objectives import IGNORED
from explorer.objectives.pairs.next_sentence import alone
from explorer.world.exact.inside import ExactReader

TARGETS: Final = "targets"
"""The tensor of a batch that has them, as logits [places, vocabulary]."""


class WholeTexts(PlannedPairs):
    """Documents from their beginning to their end, one in a row, so that exact answers are known.

    They are the same ones whoever teaches.
    """

    def draw(self, number: int, rng: np.random.Generator) -> PairExample:  # noqa: ARG002
        """A document, cut to the model's length."""
        return self._row(number % len(self.documents), number // len(self.documents))

    def draw_long(self, count: int, rng: np.random.Generator) -> list[PairExample]:
        """Documents like the others, as few as would be long."""
        return [self._row(self.documents.near(rng), int(rng.integers(2**31))) for _ in range(count)]

    def _row(self, place: int, reading: int) -> PairExample:
        pair = alone(self.documents[place])
        return PairExample(alone([pair.first[: self.reading.length - 2]]), place, reading)


class ExactBatches(WholeTexts):
    """The same with the exact distribution at each masked piece.

    Attributes:
        reader: Of the text's grammar, in the student's pieces; set before the first batch.
        tokenizer: The student's.
    """

    reader: ExactReader
    tokenizer: Any

    def tensors(self, rows: Sequence[PairExample], step: int) -> Mapping[str, Any]:
        """With `TARGETS`."""
        batch = super().tensors(rows, step)
        return {**batch, TARGETS: exact_targets(self.reader, self.tokenizer, batch)}


def exact_targets(reader: ExactReader, tokenizer: Any, batch: Mapping[str, Any]) -> Any:
    """Log-probabilities of the pieces at each selected token given all others, as logits.

    Args:
        reader: Of the grammar, in the tokenizer's pieces.
        tokenizer: Its pieces.
        batch: Every selected token is [MASK]; each row is one text, maybe cut at its end.

    Raises:
        ValueError: No text of the grammar fits a row.
    """
    import torch

    found: list[dict[str, float]] = []
    for numbers, labels, seen in zip(
        batch["input_ids"], batch["labels"], batch["attention_mask"], strict=True
    ):
        end = int(seen.sum()) - 1
        pieces = tokenizer.convert_ids_to_tokens(numbers[1:end].tolist())
        hidden = (labels[1:end] != IGNORED).tolist()
        pattern = [None if masked else piece for piece, masked in zip(pieces, hidden, strict=True)]
        found += _answers(reader, pattern)
    targets = torch.full((len(found), len(tokenizer)), NOWHERE)
    for row, answer in enumerate(found):
        places = tokenizer.convert_tokens_to_ids(list(answer))
        targets[row, places] = torch.tensor(list(answer.values())).log()
    return targets


def _answers(reader: ExactReader, pattern: Sequence[str | None]) -> list[dict[str, float]]:
    blanks = [place for place, piece in enumerate(pattern) if piece is None]
    found = [reader.masses(pattern, blank) for blank in blanks]
    if blanks and not found[0]:  # it was cut
        found = [reader.masses(pattern, blank, open_end=True) for blank in blanks]
    if blanks and not found[0]:
        raise ValueError("No text of the grammar fits the pattern.")
    return [
        {piece: mass / sum(masses.values()) for piece, mass in masses.items()} for masses in found
    ]
