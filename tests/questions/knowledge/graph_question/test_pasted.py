"""Questions as people paste them, with their choices."""

import pytest

from explorer.questions.knowledge.graph_question.pasted import taken_apart

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
