import dataclasses

import pytest

from explorer.api.question import UserMistake
from explorer.document import Document
from explorer.learning.plan.choices import Fate, Unit
from explorer.learning.plan.plan import PRESETS, TrainingPlan

OTHER = TrainingPlan(selected=0.4, fate=Fate.MASK, unit=Unit.WORDS, steps=50, documents=100)


@pytest.mark.parametrize("plan", [*PRESETS.values(), OTHER])
def test_a_plan_survives_json(plan):
    assert TrainingPlan.from_json(plan.to_json()) == plan


def test_what_is_no_plan_is_refused():
    with pytest.raises(ValueError, match="objective"):
        TrainingPlan.from_json('{"objective": "none of them"}')


def test_a_document_asks_a_plan():
    document = Document("").with_option("train.unit", "words").with_option("train.steps", 7)
    assert TrainingPlan.of(document) == TrainingPlan(unit=Unit.WORDS, steps=7)


def test_what_changes_nothing_does_not_tell_two_runs_apart():
    still = dataclasses.replace(TrainingPlan(), dynamic=False)
    assert still.fingerprint == TrainingPlan().fingerprint, "no text is met twice"
    capped = dataclasses.replace(still, documents=100)
    assert capped.fingerprint != dataclasses.replace(capped, dynamic=True).fingerprint


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"width": 60, "heads": 8}, "8 heads can't share a width of 60"),
        ({"selected": 0.7}, "--selected can't be 0.7"),
        ({"steps": 0}, "--steps can't be 0"),
    ],
)
def test_what_can_not_be_trained_is_refused(changed, said):
    with pytest.raises(UserMistake, match=said):
        dataclasses.replace(TrainingPlan(), **changed).check()
