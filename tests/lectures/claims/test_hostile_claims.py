"""Claims that mean ill: each ends soon, in little memory and with one sentence or a verdict."""

import pytest

from tests.lectures.hostile_claims import HOSTILE, judged_apart
from tests.processor import a_pass


@pytest.fixture(scope="module")
def longest():
    """A pass goes through as many items as a claim may work on; lists of lists cost about four."""
    return 8 * a_pass()


@pytest.fixture(scope="module")
def judged():
    return judged_apart()


def test_every_one_is_answered_in_words(judged):
    assert [one["claim"] for one in judged] == list(HOSTILE)
    assert len(set(HOSTILE)) == len(HOSTILE) > 100
    verdicts = {"True", "False"}
    for one in judged:
        said = one["said"]
        assert said in verdicts or said.startswith("The claim "), one
        assert len(said) < 2 * len(one["claim"]) + 400, one


def test_none_takes_long(longest, judged):
    longest = max(longest, 8 * a_pass())  # the clock of a shared processor changes in between
    assert [one for one in judged if one["seconds"] > longest] == []


def test_none_takes_much_memory(judged):
    assert max(one["mb"] for one in judged) < 50
