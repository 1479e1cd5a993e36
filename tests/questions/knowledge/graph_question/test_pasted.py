"""Questions as people paste them, with their choices."""

import pytest

from explorer.questions.knowledge.graph_question.pasted import taken_apart
from explorer.questions.knowledge.graph_question.question import (
    GraphQuestionRequest,
    asked_of,
    of_row,
)

Q = "I dug the ground. With what?"


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        (f"{Q} A) trowel B) excavator", ("trowel", "excavator")),
        (f"{Q} (a) a trowel; (b) an excavator.", ("a trowel", "an excavator")),
        (f"{Q}\nA. trowel\nB. excavator\nC. pan", ("trowel", "excavator", "pan")),
        (f"{Q} 1: trowel 2: excavator", ("trowel", "excavator")),
        (f"{Q}\n- trowel\n- excavator", ("trowel", "excavator")),
        (f"{Q}\ntrowel\n\nexcavator\n", ("trowel", "excavator")),
        (f"{Q} trowel, excavator or pan", ("trowel", "excavator", "pan")),
        (f"{Q} trowel / excavator", ("trowel", "excavator")),
    ],
)
def test_choices_are_taken_off(text, choices):
    assert taken_apart(text) == (Q, choices)


@pytest.mark.parametrize(
    "text",
    [
        "",
        Q,
        "I dug the ground with a trowel.",
        "A) trowel",
        "Vitamin A) is good.",
        "B) trowel C) pan",
        f"{Q} A) trowel",
        f"{Q} trowel",
        "Is it one? " + "word " * 40 + ", and " + "more " * 40,
    ],
)
def test_a_text_without_a_list_has_none(text):
    assert taken_apart(text) == (text.strip(), ())


def test_named_choices_go_before_listed_ones_and_the_list_is_no_part_of_the_question():
    assert asked_of(f"{Q} A) trowel B) pan", ("excavator", "needle")) == (
        Q,
        ("excavator", "needle"),
    )
    assert asked_of(Q, ("excavator",)) == (Q, ("excavator",))
    assert asked_of(f"{Q} A) trowel B) pan", ("excavator",)) == (Q, ("trowel", "pan"))


def test_a_row_of_a_file_is_asked_of_its_own_choices_where_it_lists_any():
    own = GraphQuestionRequest(f"{Q} A) trowel B) pan", ("excavator", "needle"))
    assert asked_of(own.text, of_row(own, 2).choices) == (Q, ("trowel", "pan"))
    bare = GraphQuestionRequest(Q, ("excavator", "needle"))
    assert of_row(bare, 2) == bare
