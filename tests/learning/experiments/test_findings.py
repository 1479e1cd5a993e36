"""What may be concluded of a claim."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.learning.experiments.definition import (
    Foretold,
    bundled_experiments,
    experiment_names,
)
from explorer.learning.experiments.definition_file import read_experiment
from explorer.learning.experiments.findings import (
    ClaimVerdict,
    findings,
    judged,
    of_control,
    spread_of,
    verdict,
)
from explorer.learning.experiments.kept_results import results_of
from tests.made_experiments import CONTROL, FORETOLD, experiment, results

BORNE, NOT, NOTHING = ClaimVerdict.BORNE_OUT, ClaimVerdict.NOT_BORNE_OUT, ClaimVerdict.NOTHING
OLD = (0.50, 0.61, 0.42, 0.55)
RISES = Foretold("new", "old", "accuracy")


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((-0.20, -0.21, -0.19, -0.20), BORNE),
        ((0.20, 0.21, 0.19, 0.20), NOT),
        ((-0.20, 0.21, -0.19, 0.20), NOTHING),
        ((-0.001, -0.002, 0.004, 0.001), NOTHING),
    ],
)
def test_less_loss_is_better(steps: tuple[float, ...], expected: ClaimVerdict) -> None:
    new = [old + step for old, step in zip(OLD, steps, strict=True)]
    (found,) = findings(experiment(), results({"old": OLD, "new": new}))
    assert found.verdict is expected
    assert verdict((found,)) is expected


def test_more_accuracy_is_better() -> None:
    new = [old + 0.2 + 0.001 * old for old in OLD]
    for ways, expected in (({"old": OLD, "new": new}, BORNE), ({"old": new, "new": OLD}, NOT)):
        (found,) = findings(experiment(RISES), results(ways, "accuracy"))
        assert found.verdict is expected


def test_differences_are_taken_at_equal_seeds() -> None:
    """Seeds differ by more than ways do, and scipy's paired interval says so."""
    stats = pytest.importorskip("scipy.stats")
    new = [old - 0.02 - 0.01 * old for old in OLD]
    made = results({"old": OLD, "new": new})
    (found,) = findings(experiment(), made)
    paired = stats.ttest_rel(new, OLD).confidence_interval(0.95)
    assert found.difference is not None
    assert found.verdict is BORNE
    assert found.difference.mean == pytest.approx(float(np.mean(np.subtract(new, OLD))))
    assert found.difference.low == pytest.approx(paired.low)
    assert found.difference.high == pytest.approx(paired.high)
    # Of unpaired ways nothing could be said.
    ours, theirs = (spread_of(made, way, "excess") for way in ("new", "old"))
    assert ours is not None
    assert theirs is not None
    assert ours.high is not None
    assert theirs.low is not None
    assert ours.high > theirs.low


def test_fewer_than_three_seeds_say_nothing() -> None:
    for count in (0, 1, 2):
        new = [old - 0.2 for old in OLD[:count]]
        (found,) = findings(experiment(), results({"old": OLD, "new": new}))
        assert found.verdict is NOTHING
        assert (found.difference is None) == (count == 0)


def test_only_seeds_of_both_ways_count() -> None:
    made = results({"old": OLD, "new": [old - 0.2 for old in OLD[:3]]})
    (found,) = findings(experiment(), made)
    assert found.difference is not None
    assert found.difference.count == 3


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((0.001, -0.002, 0.001, 0.0), BORNE),
        ((0.20, 0.21, 0.19, 0.20), NOT),
        ((-0.20, -0.21, -0.19, -0.20), NOT),
        ((0.05, -0.06, 0.03, -0.04), NOTHING),
    ],
)
def test_alike_is_within_a_margin(steps: tuple[float, ...], expected: ClaimVerdict) -> None:
    new = [old + step for old, step in zip(OLD, steps, strict=True)]
    alike = Foretold("new", "old", "excess", within=0.03)
    (found,) = findings(experiment(alike), results({"old": OLD, "new": new}))
    assert found.verdict is expected


def test_a_claim_is_borne_out_where_all_of_it_is() -> None:
    third = Foretold("third", "old", "excess")
    tried = experiment(FORETOLD, third, ways=("old", "new", "third"))
    better, worse = ([old + step for old in OLD] for step in (-0.2, 0.2))
    unclear = [0.4, 0.7, 0.5, 0.5]
    for last, expected in ((better, BORNE), (unclear, ClaimVerdict.IN_PART), (worse, NOT)):
        made = results({"old": OLD, "new": better, "third": last})
        assert verdict(findings(tried, made)) is expected
    made = results({"old": OLD, "new": unclear, "third": unclear})
    assert verdict(findings(tried, made)) is NOTHING


def test_a_claim_that_holds_in_its_control_is_not_borne_out() -> None:
    tried = replace(experiment(), control=CONTROL)
    better = [old - 0.2 for old in OLD]
    made = results({"old": OLD, "new": better})
    assert judged(tried, made) is BORNE
    assert of_control(tried, made) is None
    for others, expected in ((better, NOTHING), (OLD, BORNE)):
        control = results({"old": OLD, "new": others}, control=True)
        both = replace(made, runs=made.runs + control.runs)
        assert judged(tried, both) is expected
        assert both.values("old", "excess") == made.values("old", "excess")
    two = results({"old": OLD[:2], "new": better[:2]}, control=True)
    assert of_control(tried, replace(made, runs=made.runs + two.runs)) is None


@pytest.mark.parametrize("name", experiment_names())
def test_a_verdict_turns_round_where_results_are_exchanged(name: str) -> None:
    """What two ways came to is given to each other: what was better is worse then."""
    path = bundled_experiments() / f"{name}.toml"
    tried = read_experiment(path)
    made = results_of(tried, path)
    turned = {BORNE: NOT, NOT: BORNE, NOTHING: NOTHING}
    for number, one in enumerate(tried.foretold if made else ()):
        assert made is not None
        other = {one.way: one.than, one.than: one.way}
        runs = tuple(replace(run, way=other.get(run.way, run.way)) for run in made.runs)
        before = findings(tried, made)[number].verdict
        after = findings(tried, replace(made, runs=runs))[number].verdict
        assert after is (before if one.within is not None else turned[before])


@pytest.mark.parametrize("name", experiment_names())
def test_no_bundled_claim_holds_in_its_control(name: str) -> None:
    path = bundled_experiments() / f"{name}.toml"
    tried = read_experiment(path)
    made = results_of(tried, path)
    control = None if made is None else of_control(tried, made)
    assert control is None or verdict(control) is not BORNE
