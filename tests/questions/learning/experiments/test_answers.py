"""What is told of a claim: its runs, their means, what may be concluded."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Context
from explorer.learning.experiments.definition import (
    Foretold,
    PublishedWays,
    bundled_experiments,
    experiment_names,
)
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.findings import ClaimVerdict
from explorer.questions.learning.experiments.compute import answer, run
from explorer.questions.learning.experiments.headline import headline
from explorer.questions.learning.experiments.parts import WayDots, parts
from explorer.questions.learning.experiments.question import CLAIM, QUESTION, ExperimentsRequest
from tests.made_experiments import CONTROL, experiment, results

OLD, NEW = (0.52, 0.61, 0.43), (0.50, 0.58, 0.42)


def answered(tried=None, **measured):
    made = results(measured) if measured else None
    return answer(tried or experiment(), made)


def test_every_run_is_told_with_mean_and_interval():
    found = answered(old=OLD, new=NEW)
    assert found.measures == ("excess",)
    old, new = found.of("excess")
    assert (old.seeds, old.values) == ((0, 1, 2), OLD)
    assert new.mean == pytest.approx(np.mean(NEW))
    half = 4.302652729749 * np.std(NEW, ddof=1) / np.sqrt(3)
    assert new.low == pytest.approx(np.mean(NEW) - half)
    assert QUESTION.table(found).rows == tuple(
        ("bundled", way, "excess", seed, value)
        for way, values in (("old", OLD), ("new", NEW))
        for seed, value in enumerate(values)
    )
    assert QUESTION.summary(found)["seeds"] == 3


@pytest.mark.parametrize(
    ("new", "expected", "said"),
    [
        (tuple(old - 0.1 for old in OLD), ClaimVerdict.BORNE_OUT, "Our runs bear the claim out."),
        (
            tuple(old + 0.1 for old in OLD),
            ClaimVerdict.NOT_BORNE_OUT,
            "Our runs do not bear the claim out.",
        ),
        ((0.42, 0.71, 0.43), ClaimVerdict.NOTHING, "Nothing can be said from our runs."),
    ],
)
def test_the_verdict_is_said_in_words(new, expected, said):
    found = answered(old=OLD, new=new)
    assert found.verdict is expected
    assert said in [getattr(one, "text", "") for one in parts(found)]
    (row,) = next(one for one in parts(found) if getattr(one, "rows", ())).rows
    assert row.verdict == expected.value
    assert row.foretold == "the new way < the old way"
    assert row.told.startswith(f"excess loss: {expected.value} (")
    assert bool(headline(found).sentence) == (expected is not ClaimVerdict.NOTHING)


def test_the_headline_has_the_surest_difference_at_equal_seeds():
    third = tuple(old - 0.3 - 0.05 * n for n, old in enumerate(OLD))
    sure = (OLD[0] - 0.2, OLD[1] - 0.2, OLD[2] - 0.201)
    tried = experiment(
        Foretold("third", "old", "excess"),
        Foretold("new", "old", "excess"),
        ways=("old", "new", "third"),
    )
    found = answered(tried, old=OLD, new=sure, third=third)
    half = 4.302652729749 * np.std([0.2, 0.2, 0.201], ddof=1) / np.sqrt(3)
    low, high = -0.2003333 - half, -0.2003333 + half
    assert headline(found).sentence == (
        "From “the old way” to “the new way”, excess loss changes by −0.200 nats "
        f"(from −{-low:.3f} to −{-high:.3f}; 3 seeds)."
    )


def test_shares_are_in_percent():
    made = results({"old": OLD, "new": [one + 0.1 for one in OLD]}, "accuracy")
    found = answer(experiment(Foretold("new", "old", "accuracy")), made)
    assert "words right changes by +10.0 % (from" in headline(found).sentence
    (row,) = next(one for one in parts(found) if getattr(one, "rows", ())).rows
    assert row.foretold == "the new way > the old way"
    assert row.difference == "+10.0"


def test_a_claim_that_nobody_tried_says_how_to_try_it():
    found = answered()
    said = " ".join(getattr(one, "text", "") for one in parts(found))
    assert "This claim has not been tried yet" in said
    assert "To try it: python -m explorer.learning.experiments made --short" in said
    assert not headline(found).sentence
    assert QUESTION.table(found).rows == ()


def test_what_nobody_looked_up_is_marked():
    one = PublishedWays("GLUE", "Nobody 2026, table 1", "2026-11", {"new": 81.5, "old": 80.0})
    two = replace(one, source="Nobody 2026, table 2 (not checked)")
    found = answered(replace(experiment(), published=(one, two)), old=OLD, new=NEW)
    shown, other = found.published
    assert (shown.source, shown.values) == ("Nobody 2026, table 1", (80.0, 81.5))
    assert shown.titles == ("the old way", "the new way")
    cards = next(one for one in parts(found) if hasattr(one, "cards")).cards
    said = [card.parts[1].text for card in cards if len(card.parts) > 1]
    assert said[0] == "Published: Nobody 2026, table 1, 2026-11."
    assert said[1].startswith("Published: Nobody 2026, table 2, 2026-11. Not checked: ")
    assert (shown.is_checked, other.is_checked) == (True, False)


def test_the_control_says_whether_it_fails():
    tried = replace(experiment(), control=CONTROL)
    for others, holds, verdict in (
        (OLD, False, ClaimVerdict.BORNE_OUT),
        ([one - 0.2 for one in OLD], True, ClaimVerdict.NOTHING),
    ):
        made = results({"old": OLD, "new": [one - 0.1 for one in OLD]})
        control = results({"old": OLD, "new": others}, control=True)
        found = answer(tried, replace(made, runs=made.runs + control.runs))
        assert found.verdict is verdict
        assert found.control.holds is holds
        said = " ".join(getattr(one, "text", "") for one in parts(found))
        assert ("our runs prove nothing" in said) is holds
        assert "Nobody learns. " in said
        titles = [one.title for one in parts(found) if hasattr(one, "rows")]
        assert titles == ["What follows, at equal seeds", "Control: nothing is learnt"]
    assert "Control, not run yet" in " ".join(
        getattr(one, "text", "") for one in parts(answer(tried, made))
    )


def test_what_was_made_is_told_with_its_size():
    found = answered(old=OLD, new=NEW)
    said = [getattr(one, "text", "") for one in parts(found)][-1]
    assert said == (
        "The short form: 3 seeds, 300 steps at most. Made by python -m made on 2026-11-29 "
        "(torch 2.9.1)."
    )
    whole = answer(experiment(), results({"old": OLD, "new": NEW}, short=False))
    assert [getattr(one, "text", "") for one in parts(whole)][-1].startswith("3 seeds, 300 steps")


def test_dots_have_a_row_a_way_in_files():
    cards = next(one for one in parts(answered(old=OLD, new=NEW)) if hasattr(one, "cards"))
    (dots,) = cards.cards[0].parts
    assert isinstance(dots, WayDots)
    rows = dots.table().rows
    assert [row[1] for row in rows] == ["the old way", "the new way"]
    assert rows[0][2] == pytest.approx(np.mean(OLD))


def test_each_definition_is_a_claim_that_can_be_chosen():
    assert [entry.value for entry in CLAIM.entries] == list(experiment_names())
    assert CLAIM.default in experiment_names()
    for entry in CLAIM.entries[:2]:
        found = run(None, ExperimentsRequest(entry.value), Context())
        path = bundled_experiments() / f"{entry.value}.toml"
        assert found.sentence == read_experiment(path).claim == entry.tip
        assert found.title == entry.title


def test_fewer_than_three_seeds_are_no_result():
    found = answered(old=OLD[:2], new=NEW[:2])
    cards = next(one for one in parts(found) if hasattr(one, "cards")).cards
    assert {way.about for way in cards[0].parts[0].ways} == {"2 of 3 seeds: no result"}
    assert not headline(found).sentence


def test_no_interval_of_a_share_goes_beyond_all_of_it():
    made = results({"old": (0.02, 0.2, 0.01), "new": (0.99, 0.8, 0.98)}, "accuracy")
    old, new = answer(experiment(Foretold("new", "old", "accuracy")), made).of("accuracy")
    assert (old.low, new.high) == (0.0, 1.0)
    assert old.high > 0.2
    assert new.low < 0.8
