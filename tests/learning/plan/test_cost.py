"""What is told before a run, beside the model and the steps that come of the plan."""

import dataclasses

import pytest

from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.plan.choices import (
    LayerSharing,
    ModelFamily,
    Norms,
    Objective,
    PairObjective,
    Tables,
)
from explorer.learning.plan.cost import cost_of, parameters_of
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.step_work import StepWork, tokens_read

MIDDLE = TrainingPlan(layers=3, width=48, heads=4, batch=16, steps=10)
PLANS = {
    "bert": {},
    "pairs": {"pairs": PairObjective.NEXT},
    "before": {"norms": Norms.PRE, "pairs": PairObjective.ORDER},
    "attention": {"sharing": LayerSharing.ATTENTION},
    "albert": {"family": ModelFamily.ALBERT, "embedding_width": 16, "pairs": PairObjective.ORDER},
    "albert, feed-forward": {"family": ModelFamily.ALBERT, "sharing": LayerSharing.FEED_FORWARD},
    "electra": {"family": ModelFamily.ELECTRA, "embedding_width": 16},
    "adversarial": {"adversarial": 1.0, "pairs": PairObjective.NEXT},
    "replaced": {"objective": Objective.REPLACED},
    "separate": {"objective": Objective.REPLACED, "tables": Tables.SEPARATE, "generator": 0.25},
    "disentangled": {"objective": Objective.REPLACED, "tables": Tables.DISENTANGLED},
    "boundary": {"objective": Objective.BOUNDARY},
    "gpt2": {"objective": Objective.CAUSAL},
    "gpt1": {"objective": Objective.CAUSAL, "norms": Norms.POST},
    "t5": {"objective": Objective.DROPPED},
}


@pytest.mark.parametrize("changed", PLANS.values(), ids=PLANS)
def test_parameters_are_those_of_the_model(changed):
    plan = dataclasses.replace(MIDDLE, **changed)
    recipe = recipe_of(plan)
    tokenizer = recipe.make_tokenizer()
    ordinary = len(tokenizer) - (100 if plan.objective is Objective.DROPPED else 0)
    model = recipe.make_model(tokenizer)
    told = parameters_of(dataclasses.replace(plan, vocabulary=ordinary))
    assert told == sum(one.numel() for one in model.parameters())


@pytest.mark.parametrize(
    "name", ["bert", "pairs", "albert", "adversarial", "replaced", "boundary", "gpt2", "t5"]
)
def test_tokens_and_multiply_adds_are_about_those_of_the_run(name):
    run = recipe_of(dataclasses.replace(MIDDLE, steps=64, **PLANS[name])).begin()
    pieces = getattr(run.model, "generator", run.model) if name != "replaced" else None
    vocabulary = (pieces or run.model["generator"]).config.vocab_size
    told = cost_of(dataclasses.replace(run.recipe.plan, vocabulary=vocabulary))
    work = StepWork.of(run)
    batches = [run.batches.batch(step) for step in range(64)]
    assert told.tokens == pytest.approx(sum(map(tokens_read, batches)), rel=0.15)
    assert told.multiply_adds == pytest.approx(sum(map(work.multiply_adds, batches)), rel=0.2)


def test_of_a_file_the_most_is_told(tmp_path):
    plan = dataclasses.replace(MIDDLE, path=str(tmp_path / "any.txt"))
    told = cost_of(plan)
    assert told.is_most
    assert told.tokens > cost_of(MIDDLE).tokens
    assert not cost_of(MIDDLE).is_most
