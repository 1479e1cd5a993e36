import argparse
import dataclasses
from types import SimpleNamespace

import pytest

from explorer.api.question import UserMistake
from explorer.command_line.asking.request_arguments import add_arguments, given
from explorer.document import Document
from explorer.learning.plan.choices import (
    Corpus,
    Fate,
    ModelFamily,
    Norms,
    Objective,
    PairObjective,
    SelectionUnit,
    Tables,
)
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.plan.presets import PRESETS
from explorer.learning.texts.choosing import text_of
from explorer.world.small.grammar import smallest_world
from explorer.world.small.korean import smallest_world_in_korean

OTHER = TrainingPlan(
    selected=0.4, fate=Fate.MASK, unit=SelectionUnit.WORDS, steps=50, documents=100
)


@pytest.mark.parametrize("plan", [*PRESETS.values(), OTHER])
def test_a_plan_survives_json(plan):
    assert TrainingPlan.from_json(plan.to_json()) == plan


def test_what_is_no_plan_is_refused():
    with pytest.raises(ValueError, match="objective"):
        TrainingPlan.from_json('{"objective": "none of them"}')


def test_a_document_asks_a_plan():
    document = Document("").with_option("train.unit", "words").with_option("train.steps", 7)
    assert TrainingPlan.of(document) == TrainingPlan(unit=SelectionUnit.WORDS, steps=7)


def test_what_changes_nothing_does_not_tell_two_runs_apart():
    still = dataclasses.replace(TrainingPlan(), dynamic=False)
    assert still.fingerprint == TrainingPlan().fingerprint, "no text is met twice"
    capped = dataclasses.replace(still, documents=100)
    assert capped.fingerprint != dataclasses.replace(capped, dynamic=True).fingerprint


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"objective": Objective.CAUSAL, "family": ModelFamily.BERT},
            "BERT can't learn “next piece”",
        ),
        (
            {"family": ModelFamily.GPT2},
            "GPT-2 can't learn .*choose the family BERT, ALBERT or ELECTRA",
        ),
        ({"embedding_width": 16}, "BERT's pieces are as wide as its layers"),
        ({"family": ModelFamily.ALBERT, "norms": Norms.PRE}, "no ALBERT with its norms there"),
        ({"objective": Objective.DROPPED, "norms": Norms.POST}, "no T5 with its norms there"),
        ({"objective": Objective.BOUNDARY, "norms": Norms.PRE}, "no SpanBERT with its norms"),
        (
            {"family": ModelFamily.ELECTRA, "pairs": PairObjective.NEXT},
            "ELECTRA has no head for pairs",
        ),
        ({"objective": Objective.DROPPED, "selected": 0.6}, "Half of a text is dropped at most"),
        (
            {"adversarial": 1.0, "norms": Norms.PRE},
            "The adversarial loss needs a norm over the embeddings",
        ),
        ({"width": 60, "heads": 8}, "8 heads can't share a width of 60"),
        ({"selected": 0.7}, "--selected can't be 0.7"),
        ({"steps": 0}, "--steps can't be 0"),
    ],
)
def test_what_can_not_be_trained_is_refused(changed, said):
    with pytest.raises(UserMistake, match=said):
        dataclasses.replace(TrainingPlan(), **changed).check()


def test_what_does_not_matter_is_neither_asked_nor_refused():
    plan = TrainingPlan(objective=Objective.CAUSAL, embedding_width=8, selected=0.3)
    plan.check()
    assert plan.settled() == TrainingPlan(objective=Objective.CAUSAL)
    masked = TrainingPlan()
    assert not any(map(masked.matters, ("generator", "detection_weight", "tables")))
    assert all(map(TrainingPlan(objective=Objective.REPLACED).matters, ("generator", "tables")))
    assert TrainingPlan(tables=Tables.SEPARATE).fingerprint == masked.fingerprint


def test_a_plan_that_asks_for_no_later_field_is_written_as_it_was_before_there_were_any():
    plain = TrainingPlan()
    assert plain.fingerprint == "0b28d26ccf539eac"
    assert not any(name in plain.to_json() for name in plain.later)
    told = TrainingPlan(adversarial=1.0)
    assert '"adversarial":1.0' in told.to_json()
    assert "adversarial_step" not in told.to_json()
    assert told.fingerprint != plain.fingerprint
    moved = dataclasses.replace(told, adversarial_step=0.1)
    assert TrainingPlan.from_json(moved.to_json()) == moved
    assert moved.fingerprint != told.fingerprint
    assert dataclasses.replace(moved, adversarial=0.0).fingerprint == plain.fingerprint


def test_job_and_pronoun_go_together_in_the_smallest_world_alone():
    plain, told = TrainingPlan(), TrainingPlan(rho=0.5)
    assert told.fingerprint != plain.fingerprint
    assert TrainingPlan.from_json(told.to_json()) == told
    assert text_of(told).grammar is smallest_world(0.5)
    assert text_of(plain).grammar is not text_of(told).grammar
    korean = dataclasses.replace(told, corpus=Corpus.KOREAN)
    assert text_of(korean).grammar is smallest_world_in_korean(0.5)
    usual = dataclasses.replace(told, corpus=Corpus.WORLD)
    assert not usual.matters("rho")
    assert usual.fingerprint == TrainingPlan(corpus=Corpus.WORLD).fingerprint
    with pytest.raises(UserMistake):
        TrainingPlan(rho=1.0).check()


def test_the_generator_is_parted_into_its_heads():
    assert TrainingPlan(width=96, heads=3, generator=0.25).generator_width == 24
    assert TrainingPlan(width=64, heads=8, generator=0.1).generator_width == 8


def test_the_command_line_has_every_field():
    question = SimpleNamespace(request=TrainingPlan, roles={}, name="train")
    parser = argparse.ArgumentParser()
    add_arguments(parser, question)
    typed = "--objective replaced --tables gradient-disentangled --selected 0.3 --no-dynamic"
    assert TrainingPlan(**given(parser.parse_args(typed.split()))) == TrainingPlan(
        objective=Objective.REPLACED, tables=Tables.DISENTANGLED, selected=0.3, dynamic=False
    )
    told = parser.format_help()
    for one in dataclasses.fields(TrainingPlan):
        assert f"--{one.name.replace('_', '-')}" in told
