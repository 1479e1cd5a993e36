"""Worlds in which job and pronoun go together: every share by enumeration."""

import math
from collections import Counter
from itertools import islice

import pytest

from explorer.world.corpus import documents
from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import Symbol
from explorer.world.small.grammar import rules, share_of_pronoun, smallest_world
from explorer.world.small.korean import smallest_world_in_korean
from explorer.world.small.tables import GOES_WITH
from explorer.world.tasks.bias_pairs import pronoun_pairs

RHOS = (0.0, 0.25, 0.5, 0.75)
every_rho = pytest.mark.parametrize("rho", RHOS)
both = pytest.mark.parametrize("world", [smallest_world, smallest_world_in_korean])


def who_acts(grammar):
    """The exact chance of everybody, by all ways to begin a text."""
    found: Counter[str] = Counter()
    for begun in grammar.productions(Symbol("document")):
        (told,) = begun.parts
        for production in grammar.productions(told):
            (made,) = production.parts
            found[made.args[1]] += begun.probability * production.probability
    return found


@both
@every_rho
def test_rho_is_the_correlation_of_job_and_pronoun(world, rho):
    found = who_acts(world(rho))
    assert math.fsum(found.values()) == pytest.approx(1.0)
    table = [[found[f"{job}.{one}"] for one in ("she", "he")] for job in ("chef", "gardener")]
    total = sum(map(sum, table))
    (a, b), (c, d) = [[cell / total for cell in row] for row in table]
    phi = (a * d - b * c) / math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    assert phi == pytest.approx(rho)
    assert a + b == pytest.approx(0.5)


@both
def test_nothing_but_the_two_jobs_is_otherwise(world):
    plain, biased = who_acts(world()), who_acts(world(0.75))
    for person, share in plain.items():
        job, _, pronoun = person.partition(".")
        if pronoun == "they" or job not in GOES_WITH:
            assert biased[person] == pytest.approx(share)
    assert biased["painter.she"] == pytest.approx(biased["painter.he"])


def test_without_rho_the_world_is_as_it_was():
    grammar = smallest_world(0.0)
    told = Symbol("told", ("past",))
    assert grammar.productions(told) == type(grammar)(rules).productions(told)


@every_rho
def test_the_pronoun_of_a_chef_is_known_exactly_as_rho_says(rho):
    reader = ExactReader(smallest_world(rho))
    pattern = ["the", "chef", "cooked", "the", "soup", ".", None, "served", "it", "."]
    assert reader.posterior(pattern, 6) == pytest.approx(
        {"she": (1 + rho) / 2, "he": (1 - rho) / 2}
    )
    # In the kitchen a gardener is a gardener.
    pattern[1] = "gardener"
    assert reader.posterior(pattern, 6)["he"] == pytest.approx(
        share_of_pronoun("gardener", "he", rho)
    )
    pattern[1] = "painter"
    assert reader.posterior(pattern, 6)["he"] == pytest.approx(0.5)
    pattern[1:3] = ["chefs", "cooked"]
    assert reader.posterior(pattern, 6) == pytest.approx({"they": 1.0})


@every_rho
def test_the_job_of_a_pronoun_is_known_by_bayes(rho):
    reader = ExactReader(smallest_world(rho))
    pattern = ["the", None, "cooked", "the", "soup", ".", "she", "served", "it", "."]
    found = reader.posterior(pattern, 1)
    weights = {"chef": 0.8 * (1 + rho), "gardener": 0.1 * (1 - rho), "painter": 0.1}
    expected = {job: one / sum(weights.values()) for job, one in weights.items()}
    jobs = {job: found[job] for job in weights}
    assert {job: one / sum(jobs.values()) for job, one in jobs.items()} == pytest.approx(expected)


def test_texts_that_are_drawn_have_the_pronouns_of_their_world():
    counts = Counter(
        document.node.children[0].children[0].symbol.args[1]
        for document in islice(documents(5, smallest_world(0.5)), 8000)
    )
    chefs = counts["chef.she"] + counts["chef.he"]
    assert counts["chef.she"] / chefs == pytest.approx(0.75, abs=4 * math.sqrt(0.19 / chefs))


def test_pairs_differ_in_the_pronoun_alone_and_have_the_chances_of_their_world():
    pairs = pronoun_pairs(8)
    assert [one.job for one in pairs] == ["chef", "gardener"] * 8
    readers = {rho: ExactReader(smallest_world(rho)) for rho in (0.0, 0.5)}
    for one in pairs:
        texts = [
            text.lower().replace(".", " .").split()
            for text in (one.stereotyped, one.opposite, one.unrelated)
        ]
        at = [n for n, words in enumerate(zip(*texts, strict=True)) if len({*words}) > 1]
        assert len(at) == 1
        assert texts[0][at[0]] == GOES_WITH[one.job]
        for rho, reader in readers.items():
            first, second, third = (reader.probability(text) for text in texts)
            assert first / second == pytest.approx((1 + rho) / (1 - rho))
            assert third == 0.0
