"""A model beside the exact floor of its loss, in all and rule by rule.

Nothing can predict better than the exact distribution p on texts of the grammar, so

* floor = H(p), averaged over the places;
* loss = cross-entropy of the model's softmax q under p, averaged over the same places; and
  excess = loss - floor = KL(p, q) >= 0 is what the model has left to learn;
* best accuracy = the average of max p, accuracy = the average of p(argmax q).

All of them are expectations under p, exact for the sampled places; only the choice of places is a
sample, and the errors are the standard errors that come of it. Where so many places of each rule
were drawn, a place weighs as much as the rule writes, and the error is that of a stratified mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.measured.places import EvaluatedPiece, rules_at

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Report:
    """Averages over the places; losses in nats per place.

    Attributes:
        places: how many.
        loss: the model's.
        floor: the least there can be.
        accuracy: how often the model's likeliest piece is the true one.
        best_accuracy: how often that could be at best.
        loss_error: standard error of the loss.
        excess_error: standard error of the loss above the floor.
    """

    places: int
    loss: float
    floor: float
    accuracy: float
    best_accuracy: float
    loss_error: float
    excess_error: float = math.nan

    @property
    def excess(self) -> float:
        """Mean KL(p, q): what is left to learn."""
        return self.loss - self.floor

    @property
    def told_loss(self) -> str:
        """The loss as a card says it, with its standard error."""
        return with_error(self.loss, self.loss_error)


@dataclass(frozen=True, slots=True)
class Measurement:
    """A model at its places.

    Attributes:
        whole: Of all places, weighted as the rules write.
        rules: Of the places of each rule.
    """

    whole: Report
    rules: Mapping[str, Report]


def with_error(mean: float, error: float) -> str:
    """A mean and its standard error, to the digits that cards have."""
    return f"{mean:.3f} ± {error:.3f}"


def standard_error(values: Sequence[float] | Floats) -> float:
    """Of the mean of values, each from a document of its own; not a number where there is one."""
    if len(values) < 2:
        return math.nan
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))


def compare(tokenizer: Any, places: Sequence[EvaluatedPiece], logs: Floats) -> Report:
    """Predicted log-probabilities, shape [places, vocabulary], beside the floor."""
    return _Compared.of(tokenizer, places, logs).report()


def measured(tokenizer: Any, places: Sequence[EvaluatedPiece], logs: Floats) -> Measurement:
    """The same, and rule by rule."""
    found = _Compared.of(tokenizer, places, logs)
    named = [rule for rule in rules_at(places) if rule]
    return Measurement(found.report(), {rule: found.of_rule(rule).report() for rule in named})


@dataclass(frozen=True, slots=True)
class _Compared:
    """Numbers of each place, shape [places] each."""

    strata: tuple[str, ...]
    weights: Floats
    losses: Floats
    floors: Floats
    right: Floats
    best: Floats

    @classmethod
    def of(cls, tokenizer: Any, places: Sequence[EvaluatedPiece], logs: Floats) -> _Compared:
        losses: list[float] = []
        right: list[float] = []
        for place, row in zip(places, logs, strict=True):
            numbers = tokenizer.convert_tokens_to_ids(list(place.exact))
            losses.append(
                -math.fsum(p * row[n] for p, n in zip(place.exact.values(), numbers, strict=True))
            )
            best = tokenizer.convert_ids_to_tokens(int(row.argmax()))
            right.append(place.exact.get(best, 0.0))
        return cls(
            strata=tuple(place.rule for place in places),
            weights=np.array([place.weight for place in places]),
            losses=np.array(losses),
            floors=np.array([place.entropy for place in places]),
            right=np.array(right),
            best=np.array([max(place.exact.values()) for place in places]),
        )

    def of_rule(self, rule: str) -> _Compared:
        """The places of one rule."""
        kept = np.array([one == rule for one in self.strata])
        return _Compared(
            (rule,) * int(kept.sum()),
            self.weights[kept],
            self.losses[kept],
            self.floors[kept],
            self.right[kept],
            self.best[kept],
        )

    def report(self) -> Report:
        return Report(
            places=len(self.losses),
            loss=self._mean(self.losses),
            floor=self._mean(self.floors),
            accuracy=self._mean(self.right),
            best_accuracy=self._mean(self.best),
            loss_error=self._error(self.losses),
            excess_error=self._error(self.losses - self.floors),
        )

    def _mean(self, values: Floats) -> float:
        return math.fsum(self.weights * values) / math.fsum(self.weights)

    def _error(self, values: Floats) -> float:
        """Of a mean over strata, each of which has a share that is known."""
        total = math.fsum(self.weights)
        square = 0.0
        for rule in dict.fromkeys(self.strata):
            kept = np.array([one == rule for one in self.strata])
            share = math.fsum(self.weights[kept]) / total
            square += (share * standard_error(values[kept])) ** 2
        return math.sqrt(square)
