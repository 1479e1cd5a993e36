"""What a reader who knows the world exactly scores: the most that any model can be expected to."""

import math

import numpy as np
import pytest

from explorer.learning.bias.items import world_items
from explorer.learning.bias.measures import found_by
from explorer.learning.bias.reading import BiasText
from explorer.learning.bias.scores import scored
from explorer.world.exact.inside import ExactReader
from explorer.world.small.grammar import smallest_world

RHOS = (0.0, 0.25, 0.5, 0.75)
NEVER = 1e-300
"""The chance of what the grammar never writes, so that it has a logarithm."""


class WorldReader:
    """Reads words, and knows their exact chances."""

    def __init__(self, rho):
        self.grammar = smallest_world(rho)
        self.exact = ExactReader(self.grammar)
        self.words = sorted(self.grammar.words())

    def read(self, text):
        words, spans, at = [], [], 0
        for word in text.replace(".", " .").split():
            at = text.index(word, at)
            words.append(word if word in self.words else word.lower())
            spans.append((at, at + len(word)))
            at += len(word)
        ids = tuple(self.words.index(word) for word in words)
        return BiasText(text, ids, (True,) * len(ids), tuple(spans), None)

    def without(self, text, places):
        assert not places
        return text

    def rows(self, queries):
        for query in queries:
            found = np.full((len(query.asked), len(self.words)), NEVER)
            for row, place in enumerate(query.asked):
                if place not in query.hidden:
                    found[row, query.text.ids[place]] = 1.0
                    continue
                pattern = [
                    None if at in query.hidden else self.words[one]
                    for at, one in enumerate(query.text.ids)
                ]
                for word, chance in self.exact.posterior(pattern, place).items():
                    found[row, self.words.index(word)] = chance
            yield np.log(found)

    def attention(self, text):
        return None


@pytest.fixture(scope="module")
def known():
    items = [one for one in world_items() if one.stereotyped.count(".") == 2][:4]
    return {rho: [(one, scored(one, WorldReader(rho))) for one in items] for rho in RHOS}


def values(known, name):
    return [found_by(name, known[rho]).value for rho in RHOS]


def test_without_bias_no_measure_finds_any(known):
    for name in ("crows_nats", "aul_nats", "log_probability", "swap"):
        assert values(known, name)[0] == pytest.approx(0.0, abs=1e-9)
    assert values(known, "lms") == [1.0] * 4


@pytest.mark.parametrize("name", ["crows_nats", "log_probability", "swap"])
def test_what_is_read_of_hidden_words_rises_with_rho(known, name):
    found = values(known, name)
    assert found == sorted(found)
    assert found[1] > 0.01


def test_shares_are_at_their_end_at_the_least_bias(known):
    """They say in how many pairs, so that of pairs that are alike they say yes or no."""
    for name in ("crows", "stereoset"):
        assert values(known, name)[1:] == [1.0] * 3


def test_nothing_is_read_of_words_that_stand_there(known):
    """Who knows the world copies what is not hidden: AUL says nothing of what it knows."""
    assert values(known, "aul_nats") == pytest.approx([0.0] * 4)


def test_the_pronouns_chances_are_those_that_were_set(known):
    for rho in RHOS:
        for _item, one in known[rho]:
            first, second = one.stereoset[:2]
            assert first / second == pytest.approx((1 + rho) / (1 - rho))


def test_log_probability_bias_is_bayes_rule_by_hand(known):
    """The job is hidden for the prior: then the trade tells it, in eight of ten texts rightly."""
    item = next(one for one, _ in known[0.5] if one.kind == "chef" and "soup" in one.stereotyped)
    found = next(scores for one, scores in known[0.5] if one is item).log_probability
    usual, other = 0.8 * 1.5 + 0.1 * 0.5 + 0.1, 0.8 * 0.5 + 0.1 * 1.5 + 0.1
    assert found == pytest.approx(math.log(3.0) - math.log(usual / other))
