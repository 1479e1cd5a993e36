import dataclasses

import pytest

from explorer.api.question import UserMistake
from explorer.learning.distilling.choices import (
    LayerMapping,
    NamedLosses,
    StudentStart,
    TaughtBy,
)
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.plan.choices import Objective
from tests.learning.distilling.small_plans import TINY, planned


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"teacher": "nobody"}, "There is no model nobody to learn from"),
        ({"teacher": "electra-miniature-discriminator"}, "has no logits over its pieces"),
        ({"teacher": "bert-answers-miniature"}, "has no logits over its pieces"),
        ({"teacher": "t5-miniature"}, "writes any number of pieces where a student fills in one"),
        ({"teacher": "deberta-v3-miniature"}, "has no logits over its pieces"),
        ({"teacher": "kagnet-miniature"}, "has no logits over its pieces"),
        ({"teacher": "gpt3-175b"}, "has no logits over its pieces"),
        (
            {"teacher": "deberta-v1-miniature", "attention": 1.0, "width": 128, "heads": 4},
            "attention scores of deberta-v1-miniature can't be read",
        ),
        (
            {"teacher": "xlm-miniature", "start": StudentStart.FIRST},
            "The student is a BERT and xlm-miniature is none",
        ),
        ({"teacher": "gpt2-miniature"}, "predicts the next piece"),
        (
            {"teacher": "bert-miniature", "objective": Objective.CAUSAL},
            "bert-miniature fills masks",
        ),
        ({"teacher": "bert-miniature", "length": 512}, "reads 128 tokens at most"),
        ({"path": "here.txt", "targets": TaughtBy.EXACT}, "exact answers of a text file"),
        (
            {"targets": TaughtBy.EXACT, "objective": Objective.CAUSAL},
            "exact answers taught are those of masked words",
        ),
        ({"heads": 3}, "3 heads can't share a width of 16"),
        ({"start": StudentStart.EVERY, "width": 8}, "only if it is as wide, 16 with 2 heads"),
        ({"start": StudentStart.FIRST, "layers": 3}, "masked has 2 layers"),
        (
            {"teacher": "albert-miniature", "start": StudentStart.FIRST},
            "The student is a BERT and albert-miniature is none",
        ),
        (
            {"hidden": 1.0, "projected": False, "width": 8},
            "8 and 16 wide can't be matched without a projection",
        ),
        ({"losses": NamedLosses.MOBILEBERT, "layers": 2, "width": 8}, "without a projection"),
        ({"losses": NamedLosses.MOBILEBERT}, "give the student 2 layers as well"),
        ({"losses": NamedLosses.DISTILBERT, "width": 8}, "compares states of one width"),
        (
            {"teacher": "bert-miniature", "attention": 1.0},
            "bert-miniature has 4 heads a layer, the student 2",
        ),
        ({"attention": 1.0, "objective": Objective.CAUSAL}, "attention scores of causal can't"),
        (
            {"teacher": "albert-miniature", "attention": 1.0, "width": 192, "heads": 6},
            "attention scores of albert-miniature can't be read",
        ),
        (
            {"hidden": 1.0, "layer_map": LayerMapping.OWN, "own_map": "2"},
            "has no layer 2: its layers are 0 to 1",
        ),
        (
            {"hidden": 1.0, "layer_map": LayerMapping.OWN, "own_map": "0, 1"},
            "is no map: name a layer of masked for each of the student's 1",
        ),
        ({"hidden": 1.0, "layer_map": LayerMapping.OWN, "own_map": "one"}, "is no map"),
        ({"hidden": 1.0, "layers": 3}, "2 layers, fewer than the student"),
    ],
)
def test_what_can_not_be_distilled_is_refused_in_a_sentence(changed, said):
    with pytest.raises(UserMistake, match=said):
        planned(**changed).check()


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"targets": TaughtBy.EXACT},
        {"targets": TaughtBy.LABELS},
        {"targets": TaughtBy.EXACT, "hidden": 1.0, "projected": False, "width": 8},
        {"losses": NamedLosses.TINYBERT, "width": 8},
        {"teacher": "bert-miniature", "start": StudentStart.EVERY, "width": 128, "heads": 4},
        {"objective": Objective.CAUSAL, "hidden": 1.0},
        {"teacher": "gpt2-miniature", "objective": Objective.CAUSAL},
        {"hidden": 1.0, "layer_map": LayerMapping.OWN, "own_map": "1"},
        {"teacher": "deberta-v1-miniature", "hidden": 1.0},
        {"teacher": "deberta-v3-miniature-generator"},
        {"teacher": "xlm-miniature", "hidden": 1.0},
    ],
)
def test_the_others_are_not(changed):
    planned(**changed).check()


def test_a_plan_survives_json_and_what_changes_nothing_does_not_tell_two_apart():
    plan = planned(losses=NamedLosses.TINYBERT, layer_map=LayerMapping.LAST)
    assert DistilPlan.from_json(plan.to_json()) == plan
    for one, other in (
        ({"targets": TaughtBy.EXACT}, {"teacher_steps": 7, "hidden": 3.0}),
        ({"targets": TaughtBy.LABELS}, {"temperature": 4.0, "alpha": 0.5}),
        ({"losses": NamedLosses.DISTILBERT}, {"temperature": 4.0, "layer_map": LayerMapping.LAST}),
        ({"teacher": "bert-miniature"}, {"teacher_layers": 9, "vocabulary": 300}),
    ):
        assert planned(**one).fingerprint == planned(**one, **other).fingerprint
    assert TINY.fingerprint != planned(temperature=2.0).fingerprint


def test_a_folder_is_named_by_its_whole_path_and_a_bundled_model_by_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text("[]")
    assert planned(teacher="mine").anchored().teacher == str(tmp_path / "mine")
    assert planned(teacher="bert-miniature").anchored().teacher == "bert-miniature"
    with pytest.raises(UserMistake, match=r"config of the teacher .* can't be read"):
        planned(teacher="mine").check()


def test_a_teacher_is_trained_first_only_where_it_teaches():
    (needed,) = TINY.needs
    assert (needed.layers, needed.width, needed.steps) == (2, 16, 4)
    for changed in ({"targets": TaughtBy.EXACT}, {"teacher": "bert-miniature"}):
        assert dataclasses.replace(TINY, **changed).needs == ()
