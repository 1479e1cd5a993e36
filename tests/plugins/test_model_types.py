"""Types of models that are made small from transformers' own classes, opened and asked."""

import pytest

from tests.plugins.model_types.listing import every_type
from tests.plugins.model_types.trying import try_type

TRIED = ("qwen3", "blenderbot", "mamba", "roformer", "bert-generation")
"""One that reads from the left, one with two stacks, one without attention, one that turns its
queries in an order of its own, and one whose plugin knows no tensor's role."""


@pytest.mark.parametrize("kind", TRIED)
def test_a_type_answers_or_says_why_not(kind, tmp_path):
    found = try_type(kind, tmp_path)
    assert found.faults == ()
    assert found.problem == ""
    assert found.answered > 8
    if found.off is not None:
        assert found.off < 1e-4


def test_every_type_is_known_by_a_class_that_predicts():
    assert len(every_type()) >= 60
    assert {"bert", "llama", "bart", "mamba"} <= set(every_type())
