"""Batches of sentences about people of whom only a graph says what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.learning.batches.chunked import ChunkedBatches, padded
from explorer.objectives import IGNORED
from explorer.objectives.knowledge.entity_autoencoder import NONE, disturb
from explorer.world import graph

MASKED: Final = 0.25
"""Of the tokens: sentences are short, and what stands beside a mask must not be guessed too."""
TWO: Final = 0.5
"""Of the texts, those that tell of two people."""
MOST_LONG: Final = 5


@dataclass(frozen=True, slots=True)
class EntityTextRow:
    """A text in pieces.

    Attributes:
        tokens: with special tokens and masks.
        labels: what stood under each mask; IGNORED elsewhere.
        entities: number of the entity at its name; NONE elsewhere.
    """

    tokens: Sequence[int]
    labels: Sequence[int]
    entities: Sequence[int]


class EntityBatches(ChunkedBatches[EntityTextRow]):
    """Texts about one person or two.

    Args:
        tokenizer: in whose pieces every word of these sentences is whole.
        examples: rows in a batch.
        seed: seed of what is drawn.
    """

    def __init__(self, tokenizer: Any, examples: int, seed: int) -> None:
        super().__init__(examples, seed)
        self.tokenizer = tokenizer
        self._numbers: Mapping[str, int] = tokenizer.get_vocab()
        self._people = {one.id: number for number, one in enumerate(graph.people())}

    def draw(self, number: int, rng: np.random.Generator) -> EntityTextRow:  # noqa: ARG002
        """A text of the usual length."""
        return self._of(2 if rng.random() < TWO else 1, rng)

    def draw_long(self, count: int, rng: np.random.Generator) -> list[EntityTextRow]:
        """Those about many people."""
        return [self._of(MOST_LONG, rng) for _ in range(count)]

    def _of(self, count: int, rng: np.random.Generator) -> EntityTextRow:
        tokens, labels, entities = [self.tokenizer.cls_token_id], [IGNORED], [NONE]
        for _ in range(count):
            said = graph.draw(rng)
            hidden = rng.random(len(said.words)) < MASKED
            if not hidden.any():
                hidden[int(rng.integers(len(hidden)))] = True
            for place, word in enumerate(said.words):
                number = self._numbers[word.lower()]
                tokens.append(self.tokenizer.mask_token_id if hidden[place] else number)
                labels.append(number if hidden[place] else IGNORED)
                entities.append(NONE if place else self._people[said.person.id])
        return EntityTextRow(
            [*tokens, self.tokenizer.sep_token_id], [*labels, IGNORED], [*entities, NONE]
        )

    def size(self, row: EntityTextRow) -> int:
        """Its tokens."""
        return len(row.tokens)

    def tensors(self, rows: Sequence[EntityTextRow], step: int) -> Mapping[str, Any]:
        """Tensors input_ids, attention_mask, labels, entity_ids, entity_labels, candidates."""
        import torch

        entities = padded([row.entities for row in rows], NONE).numpy()
        made = disturb(entities, np.random.default_rng((self.seed, 7, step)))
        labels = padded([row.labels for row in rows], IGNORED)
        # Beside a wrong person the right word can't be learned, only that people may be wrong.
        labels[torch.from_numpy(made.wrong.any(axis=1))] = IGNORED
        return {
            "input_ids": padded([row.tokens for row in rows], self.tokenizer.pad_token_id),
            "attention_mask": padded([np.ones_like(row.tokens) for row in rows], 0),
            "labels": labels,
            "entity_ids": torch.from_numpy(made.seen),
            "entity_labels": torch.from_numpy(made.labels),
            "candidates": torch.from_numpy(made.candidates),
        }
