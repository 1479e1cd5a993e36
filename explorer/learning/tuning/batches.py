"""Labelled texts as batches: each epoch reads all of them once, in an order of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.tuning.labelled import ExampleText

AT_ONCE: Final = 64
"""Texts that are judged together."""


class LabelledBatches(TrainingBatches):
    """The same texts again and again.

    Args:
        tokenizer: cuts them.
        texts: what is learnt from.
        size: texts of a batch; the last one of an epoch may have fewer.
        seed: of the orders.
        length: tokens of a text that are read.

    Attributes:
        an_epoch: batches in which all are read once.
        cut: texts that are longer than what is read.
    """

    def __init__(
        self, tokenizer: Any, texts: Sequence[ExampleText], size: int, seed: int, length: int
    ) -> None:
        self._tokenizer = tokenizer
        self._size = size
        self._seed = seed
        self._rows = encoded(tokenizer, texts, length)
        self._labels = np.array([one.label for one in texts], dtype=np.int64)
        self._order: tuple[int, Any] = (-1, None)
        self.an_epoch = -(-len(texts) // size)
        self.cut = count_cut(tokenizer, texts, length)

    def batch(self, step: int) -> Mapping[str, Any]:
        """The tensors of a step: what the tokenizer makes, and ``labels``, shape [rows]."""
        import torch

        epoch, number = divmod(step, self.an_epoch)
        if self._order[0] != epoch:
            rng = np.random.default_rng((self._seed, epoch))
            self._order = (epoch, rng.permutation(len(self._rows)))
        places = self._order[1][number * self._size : (number + 1) * self._size]
        rows = [self._rows[place] for place in places]
        return {
            **padded_rows(self._tokenizer, rows),
            "labels": torch.from_numpy(self._labels[places]),
        }


def encoded(
    tokenizer: Any, texts: Sequence[ExampleText], length: int
) -> list[dict[str, list[int]]]:
    """Texts in pieces, with what else the model is told of them, at most so many tokens each."""
    made = tokenizer(*_sides(tokenizer, texts), truncation=True, max_length=length)
    return [{name: made[name][at] for name in made} for at in range(len(texts))]


def count_cut(tokenizer: Any, texts: Sequence[ExampleText], length: int) -> int:
    """How many texts are longer than what is read."""
    made = tokenizer(*_sides(tokenizer, texts), truncation=True, max_length=length + 1)
    return sum(len(one) > length for one in made["input_ids"])


def _sides(tokenizer: Any, texts: Sequence[ExampleText]) -> tuple[list[str], ...]:
    """Texts, and second ones where there are any; a model without a separator reads them as one."""
    first = [one.text for one in texts]
    if all(one.pair is None for one in texts):
        return (first,)
    second = [one.pair or "" for one in texts]
    if tokenizer.sep_token is None:
        between = f" {tokenizer.eos_token} " if tokenizer.eos_token else " "
        return ([f"{one}{between}{other}" for one, other in zip(first, second, strict=True)],)
    return first, second


def padded_rows(tokenizer: Any, rows: Sequence[Mapping[str, list[int]]]) -> dict[str, Any]:
    """Rows as tensors, each as long as the longest, filled up at the right."""
    made = tokenizer.pad(
        [dict(one) for one in rows], padding=True, padding_side="right", return_tensors="pt"
    )
    return dict(made)
