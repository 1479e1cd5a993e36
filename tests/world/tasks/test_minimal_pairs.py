"""Pairs of the small world: the good text is one of its own, the bad one none."""

import json
import re

import pytest

from explorer.questions.pairs.pair_files import shipped_in
from explorer.world.exact.inside import ExactReader
from explorer.world.scenes import small_world
from explorer.world.tasks.minimal_pairs import PHENOMENA, minimal_pairs

SHIPPED = [json.loads(line) for line in shipped_in().read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def reader():
    return ExactReader(small_world())


def options_of(text):
    """The words of a text; one that begins a sentence may be written without a capital."""
    found = re.findall(r"[\w']+|[.,?!]", text)
    options = [{one} for one in found]
    for at, word in enumerate(found):
        if at == 0 or found[at - 1] in ".?!":
            options[at].add(word[:1].lower() + word[1:])
    return options


def probability(text, reader):
    """Of a text, however its first words are written."""
    options = options_of(text)
    total = [[]]
    for choices in options:
        total = [[*one, word] for one in total for word in sorted(choices)]
    return sum(reader.probability(tuple(one)) for one in total)


def test_every_phenomenon_has_pairs():
    names = [one["phenomenon"] for one in SHIPPED]
    assert {name: names.count(name) for name in names} == dict.fromkeys(PHENOMENA, 40)


@pytest.mark.parametrize("number", range(0, 320, 13))
def test_the_good_text_is_of_the_world_and_the_bad_one_is_not(number, reader):
    pair = SHIPPED[number]
    assert probability(pair["sentence_good"], reader) > 0
    assert probability(pair["sentence_bad"], reader) == 0


def test_no_text_has_two_pairs_and_both_differ():
    good = [one["sentence_good"] for one in SHIPPED]
    assert len({*good}) == len(good)
    assert all(one["sentence_good"] != one["sentence_bad"] for one in SHIPPED)


def test_a_pair_differs_in_one_word_or_in_the_order_of_two():
    for one in SHIPPED:
        good, bad = (re.findall(r"[\w']+|[.,?!]", one[key].lower()) for key in one if "sent" in key)
        differing = sum(first != second for first, second in zip(good, bad, strict=True))
        assert differing == (2 if one["phenomenon"] == "word_order" else 1), one


def test_the_first_pairs_are_made_anew_as_they_were(reader):
    made = minimal_pairs(2, reader)
    assert len(made) == 2 * len(PHENOMENA)
    assert all(pair.probability > 0 for pair in made)
    shipped = {(one["sentence_good"], one["sentence_bad"]) for one in SHIPPED}
    first = made[0]
    assert (first.good, first.bad) in shipped
