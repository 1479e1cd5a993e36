"""Labelled examples as batches: each epoch reads all of them once, in an order of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.tuning.forms.form import TaskForm, longest


class LabelledBatches(TrainingBatches):
    """The same examples again and again.

    Args:
        form: of the task.
        tokenizer: cuts them.
        examples: what is learnt from.
        size: examples of a batch; the last one of an epoch may have fewer.
        seed: of the orders.
        length: tokens of an example that are read.

    Attributes:
        an_epoch: batches in which all are read once.
    """

    def __init__(
        self,
        form: TaskForm,
        tokenizer: Any,
        examples: Sequence[Any],
        size: int,
        seed: int,
        length: int,
    ) -> None:
        self._form = form
        self._tokenizer = tokenizer
        self._size = size
        self._seed = seed
        self._rows = form.rows(tokenizer, examples, length)
        self._order: tuple[int, Any] = (-1, None)
        self.an_epoch = -(-len(examples) // size)

    def batch(self, step: int) -> Mapping[str, Any]:
        """The tensors of a step, as the form has them."""
        epoch, number = divmod(step, self.an_epoch)
        if self._order[0] != epoch:
            rng = np.random.default_rng((self._seed, epoch))
            self._order = (epoch, rng.permutation(len(self._rows)))
        places = self._order[1][number * self._size : (number + 1) * self._size]
        return self._form.tensors(self._tokenizer, [self._rows[place] for place in places])


def count_cut(form: TaskForm, tokenizer: Any, examples: Sequence[Any], length: int) -> int:
    """How many examples are longer than what is read."""
    # Cut just after that, or the library warns of it.
    rows = form.rows(tokenizer, examples, length + 1)
    return sum(longest(row) > length for row in rows)
