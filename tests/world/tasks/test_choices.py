"""Questions with five choices: one fits, and withheld pairs are right in no training."""

import itertools

import pytest

from explorer.world.tables import ACTIVITIES
from explorer.world.tasks.choices import (
    ALWAYS_WITHHELD,
    CHOICES,
    WITHHELD_SHARE,
    is_withheld,
    questions,
    tasks,
)


def drawn(withheld, count=400, seed=5):
    return list(itertools.islice(questions(seed, withheld=withheld), count))


@pytest.mark.parametrize("withheld", [False, True])
def test_one_choice_fits_and_the_split_is_kept(withheld):
    fitting = {}
    for one in ACTIVITIES:
        fitting.setdefault(one.verb, set()).update(tool for _, tool in one.tools)
    for one in drawn(withheld):
        assert len(set(one.choices)) == CHOICES
        right = one.choices[one.right]
        assert is_withheld(one.verb, right) == withheld
        assert one.text.endswith("With what?")
        if "dug the ground" not in one.text:
            assert right in fitting[one.verb]


def test_the_same_seed_asks_the_same_and_another_one_others():
    assert drawn(True) == drawn(True)
    assert drawn(True) != drawn(True, seed=6)
    assert len({one.text for one in drawn(False)}) > 150


def test_no_tool_is_only_ever_wrong_in_training():
    many = drawn(False, 3000)
    right = {one.choices[one.right] for one in many}
    offered = {choice for one in many for choice in one.choices}
    possible = {tool for task in tasks() for tool in task.tools if not is_withheld(task.verb, tool)}
    assert offered <= possible
    assert right <= offered


def test_about_as_many_pairs_are_withheld_as_is_said():
    pairs = {(task.verb, tool) for task in tasks() for tool in task.tools}
    share = sum(is_withheld(*pair) for pair in pairs) / len(pairs)
    assert abs(share - WITHHELD_SHARE) < 0.1
    assert pairs >= ALWAYS_WITHHELD
