"""Takes the measures of `measures.MEASURES` of a model that was trained by a plan."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.bias.items import world_items
from explorer.learning.bias.measures import MEASURES as OF_BIAS
from explorer.learning.bias.measures import found_by
from explorer.learning.bias.reading import ModelReader
from explorer.learning.bias.scores import scored
from explorer.learning.experiments.measures import PREFIX
from explorer.learning.experiments.reading import (
    body_of,
    layers_of,
    mention_read,
    order_read,
)
from explorer.learning.measured.floors import Report
from explorer.learning.measured.from_examples import answered_from
from explorer.learning.measured.held_out import HeldOut, held_out, measure
from explorer.learning.measured.predictions import Reading
from explorer.learning.objectives.planned import PlannedRecipe
from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import Objective
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs import beginning
from explorer.learning.texts.choosing import text_of
from explorer.learning.texts.training_text import HeldOutText
from explorer.learning.training import Between, TrainingRun

Floats = NDArray[np.float64]
READ: Final = 800
"""Texts that nobody is trained on, of which a linear classifier is asked."""
FOLLOWED: Final = 64
"""Of them, those whose states are followed from layer to layer."""


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model at the end of its training.

    Attributes:
        recipe: How it was trained, with its plan: a `PlannedRecipe`, or a `TuningRecipe`.
        tokenizer: Its tokenizer.
        model: Itself, in no training mode.
        curve: The last row of its curve: means of what was measured while it was trained.
        growth: `growth` before training.
    """

    recipe: Any
    tokenizer: Any
    model: Any
    curve: Mapping[str, float]
    growth: float


def take(one: TrainedModel, measures: Sequence[str]) -> dict[str, float]:
    """Every measure by its name, to six digits."""
    texts = functools.partial(unmet, one.recipe)
    at_places = functools.cache(lambda: beside_the_exact(one))
    steps = functools.cache(lambda: layer_steps(one.model, one.tokenizer, texts()))
    after = functools.cache(lambda shown: answered_from(one.model, one.tokenizer, shown))
    of_bias = functools.cache(lambda: bias_of(one))
    biases = {f"{PREFIX}{name}": functools.partial(_named, of_bias, name) for name in OF_BIAS}
    takes: Mapping[str, Callable[[], float]] = {
        "excess": lambda: at_places().excess,
        "accuracy": lambda: at_places().accuracy,
        "labels_right": lambda: labels_right(one),
        "order_read": lambda: order_read(one.model, one.tokenizer, texts()),
        "mention_read": lambda: mention_read(one.model, one.tokenizer, texts()),
        "examples_0": lambda: after(0),
        "examples_1": lambda: after(1),
        "examples_8": lambda: after(8),
        "examples_help": lambda: after(8) - after(0),
        "generator_right": lambda: one.curve["mlm_accuracy"],
        "replaced_found": lambda: one.curve["rtd_recall"],
        "parameters": lambda: sum(weight.numel() for weight in one.model.parameters()),
        "angle_spread": lambda: float(steps()[0].std()),
        "distance_spread": lambda: float(steps()[1].std() / steps()[1].mean()),
        "growth": lambda: one.growth,
        **biases,
    }
    return {name: round(float(takes[name]()), 6) for name in measures}


def beside_the_exact(one: TrainedModel) -> Report:
    """What it says of held-out texts, beside the exact answers."""
    plan = one.recipe.plan
    causal = plan.objective is Objective.CAUSAL
    asked = TrainingPlan(
        objective=Objective.CAUSAL if causal else Objective.MASKED,
        corpus=plan.corpus,
        path=plan.path,
        vocabulary=plan.vocabulary,
        rho=plan.rho,
    )
    return measure(one.model, one.tokenizer, _places(asked)).whole


def _named(found: Callable[[], Mapping[str, float]], name: str) -> float:
    return found()[name]


def bias_of(one: TrainedModel) -> Mapping[str, float]:
    """Every measure of bias of the smallest world's pairs of pronouns, by its name."""
    reader = ModelReader(one.model, one.tokenizer)
    scores = [(item, scored(item, reader)) for item in world_items()]
    found = {name: found_by(name, scores) for name in OF_BIAS}
    return {name: each.value for name, each in found.items() if each is not None}


def labels_right(one: TrainedModel) -> float:
    """How often a fine-tuned model is right of what is held out."""
    return float(one.recipe.judged(one.model, one.tokenizer).accuracy)


@functools.lru_cache(maxsize=4)
def _places(plan: TrainingPlan) -> HeldOut:
    """Where words are asked for: the same places of all models of a text and a vocabulary."""
    recipe = recipe_of(plan)
    tokenizer = recipe.make_tokenizer()
    if plan.objective is Objective.CAUSAL:
        return held_out(recipe.text, tokenizer, Reading.LEFT, end=tokenizer.eos_token)
    return held_out(recipe.text, tokenizer)


def unmet(recipe: PlannedRecipe) -> Sequence[HeldOutText]:
    """Texts that no model met."""
    plan = recipe.plan
    return _unmet(TrainingPlan(corpus=plan.corpus, path=plan.path, rho=plan.rho))


@functools.lru_cache(maxsize=4)
def _unmet(plan: TrainingPlan) -> tuple[HeldOutText, ...]:
    return tuple(text_of(plan).held_out(READ))


def growth(model: Any, tokenizer: Any, texts: Sequence[HeldOutText]) -> float:
    """How many times longer the states are after the last layer than before the first.

    A norm behind the last layer, as GPT-2 has one, is not looked through.
    """
    found: list[Any] = []
    norm = getattr(body_of(model), "ln_f", None)
    hook = norm and norm.register_forward_pre_hook(lambda _norm, inputs: found.append(inputs[0]))
    states = layers_of(model, tokenizer, texts[:FOLLOWED])
    if hook:
        hook.remove()
    lengths = np.linalg.norm(states, axis=-1).mean(axis=1)
    last = found[0].double().norm(dim=-1).mean() if found else lengths[-1]
    return float(last / lengths[0])


def layer_steps(model: Any, tokenizer: Any, texts: Sequence[HeldOutText]) -> tuple[Floats, Floats]:
    """Of each layer the mean angle in degrees, and distance, between states before and after it.

    Lan et al. 2020, figure 1, has both.
    """
    states = layers_of(model, tokenizer, texts[:FOLLOWED])
    before, after = states[:-1], states[1:]
    lengths = np.linalg.norm(before, axis=-1) * np.linalg.norm(after, axis=-1)
    cosines = np.clip((before * after).sum(axis=-1) / lengths, -1.0, 1.0)
    distances = np.linalg.norm(after - before, axis=-1)
    return np.degrees(np.arccos(cosines)).mean(axis=1), distances.mean(axis=1)


@dataclass(frozen=True, slots=True)
class BegunTraining:
    """A model before its first step, or on its way.

    Attributes:
        run: Its training.
        growth: `growth` before the first step; 0 of a text that has no grammar.
    """

    run: TrainingRun[Any]
    growth: float

    def ended(self) -> TrainedModel:
        """The model as it is at the end of its training."""
        run = self.run
        run.model.eval()
        rows = run.curve.rows or [{}]
        return TrainedModel(run.recipe, run.tokenizer, run.model, rows[-1], self.growth)


def begun(plan: RunPlan, meanwhile: Between | None = None) -> BegunTraining:
    """A training by a plan before its first step.

    Args:
        plan: That.
        meanwhile: What is done after each step of a teacher that is trained first.
    """
    run = beginning.begun(plan, meanwhile=meanwhile)
    recipe = run.recipe
    run.model.eval()
    texts = unmet(recipe) if isinstance(recipe, PlannedRecipe) else ()
    before = growth(run.model, run.tokenizer, texts) if texts else 0.0
    run.curve.every = max(1, plan.steps // 10)
    return BegunTraining(run, before)
