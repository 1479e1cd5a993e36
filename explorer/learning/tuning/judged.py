"""What a fine-tuned model says of held-out texts, and how well that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.tuning.batches import AT_ONCE, encoded, padded_rows
from explorer.learning.tuning.labelled import ExampleText
from explorer.numerics.evaluation.calibration import (
    expected_calibration_error,
    reliability_curve,
)
from explorer.numerics.evaluation.clustered_rates import wilson


@dataclass(frozen=True)
class Judged:
    """A model's answers.

    Attributes:
        right: The labels' numbers, shape [texts].
        probabilities: What the model gives each label, shape [texts, labels].
    """

    right: NDArray[np.int64]
    probabilities: NDArray[np.float64]

    @property
    def said(self) -> NDArray[np.int64]:
        """The likeliest label of each text."""
        return np.asarray(self.probabilities.argmax(-1), dtype=np.int64)

    @property
    def accuracy(self) -> float:
        """How often that is right."""
        return float((self.said == self.right).mean())

    @property
    def interval(self) -> tuple[float, float]:
        """Where the accuracy is with a confidence of 95 % (Wilson)."""
        found = wilson(self.accuracy, len(self.right))
        return float(found[0]), float(found[1])

    @property
    def loss(self) -> float:
        """Mean cross-entropy in nats."""
        told = self.probabilities[np.arange(len(self.right)), self.right]
        return float(-np.log(np.maximum(told, 1e-12)).mean())

    @property
    def confusion(self) -> NDArray[np.int64]:
        """How often a label (row) was said to be another one (column), shape [labels, labels]."""
        labels = self.probabilities.shape[1]
        found = np.zeros((labels, labels), dtype=np.int64)
        np.add.at(found, (self.right, self.said), 1)
        return found

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the labels that are there or were said."""
        table = self.confusion
        hits = np.diag(table)
        among = table.sum(0) + table.sum(1)
        there = among > 0
        return float((2 * hits[there] / among[there]).mean())

    @property
    def calibration_error(self) -> float | None:
        """By how much the model is surer, or less sure, than it is right."""
        sure = self.probabilities.max(-1)
        return expected_calibration_error(reliability_curve(sure, self.said == self.right))


def judge(model: Any, tokenizer: Any, texts: Sequence[ExampleText], length: int) -> Judged:
    """Ask a model of texts; it is left as it was.

    Args:
        model: Of classes of texts.
        tokenizer: Its own.
        texts: With their right labels.
        length: Tokens of a text that are read.
    """
    import torch

    rows = encoded(tokenizer, texts, length)
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]["input_ids"]))
    found: list[Any] = [None] * len(rows)
    trains = model.training
    model.eval()
    device = next(model.parameters()).device
    with torch.no_grad():
        for start in range(0, len(order), AT_ONCE):
            places = order[start : start + AT_ONCE]
            batch = padded_rows(tokenizer, [rows[at] for at in places])
            logits = model(**{name: one.to(device) for name, one in batch.items()}).logits
            shares = torch.softmax(logits.double(), -1).cpu().numpy()
            for place, told in zip(places, shares, strict=True):
                found[place] = told
    model.train(trains)
    return Judged(np.array([one.label for one in texts], dtype=np.int64), np.stack(found))
