"""What a fine-tuned model says of held-out examples, and how well that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.tuning.forms.form import AnsweredOne, longest
from explorer.numerics.evaluation.calibration import (
    expected_calibration_error,
    reliability_curve,
)
from explorer.numerics.evaluation.clustered_rates import rate_interval, wilson

if TYPE_CHECKING:
    from explorer.learning.tuning.forms.learnt import LabelledTexts

AT_ONCE: Final = 64
"""Examples that are judged together."""


@dataclass(frozen=True)
class Judged:
    """A model's answers.

    Attributes:
        texts: What was asked, with what is right.
        said: What the model says of each held-out example, as its form has it.
        loss: Mean cross-entropy in nats; NaN where it was read back from a file.
    """

    texts: LabelledTexts
    said: Sequence[Any]
    loss: float = math.nan

    @property
    def answered(self) -> list[tuple[AnsweredOne, ...]]:
        """Everything that was asked, example by example."""
        form, names = self.texts.form, self.texts.names
        pairs = zip(self.said, self.texts.held_out, strict=True)
        return [tuple(form.answered(said, example, names)) for said, example in pairs]

    @property
    def hits(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """How sure the model is of everything, and whether it is right."""
        every = [one for each in self.answered for one in each]
        shares = np.array([one.share for one in every], dtype=np.float64)
        return shares, np.array([one.is_right for one in every], dtype=np.bool_)

    @property
    def confusion(self) -> NDArray[np.int64] | None:
        """How often a label (row) was said to be another one (column), shape [labels, labels].

        None where there are no labels.
        """
        names = self.texts.names
        if not names:
            return None
        numbers = {name: number for number, name in enumerate(names)}
        found = np.zeros((len(names), len(names)), dtype=np.int64)
        for each in self.answered:
            for one in each:
                found[numbers[one.right], numbers[one.said]] += 1
        return found

    def measures(self) -> dict[str, float]:
        """What a frame is measured to be, by name; shares are from 0 to 1."""
        hits = np.array([sum(one.is_right for one in each) for each in self.answered])
        among = np.array([len(each) for each in self.answered])
        accuracy = float(hits.sum() / among.sum())
        alone = bool((among == 1).all())
        interval = wilson(accuracy, len(among)) if alone else rate_interval(hits, among)
        low, high = interval or (0.0, 1.0)
        found = {"loss": self.loss, "accuracy": accuracy} | {
            "accuracy_low": float(low),
            "accuracy_high": float(high),
            "texts": len(among),
            **self.texts.form.measures(self.said, self.texts.held_out, self.texts.names),
        }
        shares, right = self.hits
        error = expected_calibration_error(reliability_curve(shares, right.astype(np.float64)))
        return found if error is None else {**found, "calibration_error": error}

    @property
    def accuracy(self) -> float:
        """How often it is right."""
        return float(self.hits[1].mean())


def judge(model: Any, tokenizer: Any, texts: LabelledTexts, length: int) -> Judged:
    """Ask a model of what is held out; it is left as it was.

    Args:
        model: With a head of the texts' form.
        tokenizer: Its own.
        texts: What is held out has its right labels.
        length: Tokens of an example that are read.
    """
    import torch

    form = texts.form
    rows = form.rows(tokenizer, texts.held_out, length)
    order = sorted(range(len(rows)), key=lambda at: longest(rows[at]))
    found: list[Any] = [None] * len(rows)
    trains = model.training
    model.eval()
    device = next(model.parameters()).device
    with torch.no_grad():
        for start in range(0, len(order), AT_ONCE):
            places = order[start : start + AT_ONCE]
            batch = form.tensors(tokenizer, [rows[at] for at in places])
            told = form.ask(model, {name: one.to(device) for name, one in batch.items()})
            for place, one in zip(places, told, strict=True):
                found[place] = one
    model.train(trains)
    said, lost, asked = zip(*found, strict=True)
    return Judged(texts, said, math.fsum(lost) / max(1, sum(asked)))
