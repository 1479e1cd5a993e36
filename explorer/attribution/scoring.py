"""Scores of what is explained by any method, for the page and for the benchmark."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.api.attribution import AttributionMethod, Scores
from explorer.api.family import Context, Encoded, LoadedModel, MachineFault, PluginFault
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class Effort:
    """How much is done.

    Attributes:
        steps: Points along the way of integrated gradients.
        samples: Orders that Shapley values are sampled from, each there and back.
        seed: Of the orders.
    """

    steps: int = 50
    samples: int = 25
    seed: int = 0


@dataclass(frozen=True)
class ScoresAsked:
    """What a method is given, as `explorer.api.attribution.MethodInput`.

    Attributes:
        explained: The number that is explained.
        own: The text's vectors (places x width).
        baseline: Those of the baseline; the same as the text's at places that are kept.
        units: What is scored.
        effort: How much is done.
    """

    explained: ExplainedAnswer
    own: Any
    baseline: Any
    units: Units
    effort: Effort = Effort()

    @property
    def model(self) -> LoadedModel:
        """Who answers."""
        return self.explained.model

    @property
    def encoded(self) -> Encoded:
        """The text as the model reads it."""
        return self.explained.query.encoded

    @property
    def place(self) -> int | None:
        """The position that is explained; None where the whole text is judged."""
        return next(iter(self.explained.query.asked), None)

    @property
    def context(self) -> Context:
        """Can stop the run."""
        return self.explained.context

    @property
    def steps(self) -> int:
        """Points along a way."""
        return self.effort.steps

    @property
    def samples(self) -> int:
        """How many are drawn."""
        return self.effort.samples

    @property
    def seed(self) -> int:
        """Of what is drawn."""
        return self.effort.seed

    def values(self, vectors: Any) -> Any:
        """The number for copies of the text, without gradients."""
        return self.explained.values(vectors)

    def gradients(self, vectors: Any) -> Any:
        """How it changes with the vectors of each copy."""
        if len(vectors) == 1 and vectors[0] is self.own:
            return self.explained.gradient(self.own)[None]
        return self.explained.gradients(vectors)

    def attention(self) -> Mapping[str, Any]:
        """The attention of the text."""
        return self.explained.attention()


@dataclass(frozen=True)
class ScoredUnits:
    """What a method found.

    Attributes:
        scores: One a unit.
        errors: Standard errors of sampled scores, one a unit; empty where nothing is sampled.
    """

    scores: Scores
    errors: Scores


def scored(method: AttributionMethod, asked: ScoresAsked) -> ScoredUnits:
    """Scores of units by one method.

    Args:
        method: Which.
        asked: Of what, and how much is done.

    Raises:
        UserMistake: The method needs gradients, and the model's number type is too coarse.
        Unavailable: The model lacks what the method needs.
        MachineFault: The answers are not numbers.
        PluginFault: What the method gives are no scores.
        Cancelled: The run was cancelled; checked before every layer.
    """
    found = method.score(asked)
    scores, errors = found if isinstance(found, tuple) else (found, ())
    return ScoredUnits(_by_unit(method, scores, asked), _by_unit(method, errors, asked, least=0))


def _by_unit(
    method: AttributionMethod, given: Any, asked: ScoresAsked, least: int | None = None
) -> Scores:
    """What a method gives, a number a unit."""
    if hasattr(given, "detach"):
        given = given.detach().cpu().double().numpy()
    try:
        numbers: Scores = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.full((1, 1), np.nan)
    if least == numbers.size:
        return numbers.reshape(0)
    wanted = len(asked.units) if method.by_unit else len(asked.own)
    if numbers.shape != (wanted,):
        raise PluginFault(
            N_("The method {title} gives numbers of shape {shape} in place of {count} scores."),
            title=Phrase(method.about.title),
            shape=str(numbers.shape),
            count=wanted,
        )
    if not np.isfinite(numbers).all():
        raise MachineFault(
            N_("The method {title} gives scores that are not numbers."),
            title=Phrase(method.about.title),
        )
    if method.by_unit:
        return numbers
    return np.array([numbers[list(unit)].sum() for unit in asked.units])
