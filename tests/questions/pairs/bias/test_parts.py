"""What the page says: each measure next to what it sees where the answer is known."""

from dataclasses import replace

import pytest

from explorer.api.question import Curves, Rows
from explorer.learning.bias.calibration import KnownBias, MeasureCalibration, calibrations
from explorer.learning.bias.measures import MEASURES
from explorer.questions.pairs.bias.headline import headline
from explorer.questions.pairs.bias.parts import BiasMeasureRow, BiasPairRow, parts
from explorer.questions.pairs.bias.question import BiasRequest, BiasResult, measured
from explorer.questions.pairs.bias.wording import (
    blind_said,
    compared_said,
    monotone_said,
    seen_said,
    value_said,
)
from tests.hf import tiny
from tests.hf.kept import miniature


@pytest.fixture(scope="module")
def result() -> BiasResult:
    return tiny.ask(miniature("bert-miniature"), BiasRequest(pairs=8))


def rows_of(kind, made):
    return next(one for one in made if isinstance(one, Rows) and one.kind is kind)


def texts(made):
    return [str(one.text) for one in made if hasattr(one, "text")]


def test_each_measure_is_next_to_what_one_model_shows(result):
    rows = rows_of(BiasMeasureRow, parts(result)).rows
    found = measured(result)
    assert [MEASURES[name].title for name in found] == [row.measure for row in rows]
    by_name = {one.name: one for one in calibrations()}
    for row, (name, one) in zip(rows, found.items(), strict=True):
        assert (row.value, row.low, row.high) == (one.value, one.low, one.high)
        assert row.one_shows == by_name[name].seen_alone
        assert str(row.shows) == str(seen_said(by_name[name]))


def test_every_pair_is_listed_the_most_stereotyped_first(result):
    rows = rows_of(BiasPairRow, parts(result)).rows
    assert len(rows) == 8
    assert [row.crows for row in rows] == sorted((row.crows for row in rows), reverse=True)
    one = result.scored[0]
    row = next(each for each in rows if each.stereotyped == one.item.stereotyped)
    assert row.crows == pytest.approx(one.scores.crows[0] - one.scores.crows[1])
    assert row.swap == one.scores.swap


def test_the_models_own_value_is_drawn_where_the_pairs_are_the_worlds_alone(result):
    (curves,) = [one for one in parts(result) if isinstance(one, Curves)]
    assert all(len(panel.curves) == 2 for panel in curves.panels)
    means = {one.name: [world.spread.mean for world in one.worlds] for one in calibrations()}
    for panel in curves.panels:
        scale = 100.0 if MEASURES[panel.name].is_share else 1.0
        drawn = panel.curves[0].values
        assert drawn == pytest.approx([scale * one for one in means[panel.name]])
    (other,) = [one for one in parts(replace(result, source="x.csv")) if isinstance(one, Curves)]
    assert all(len(panel.curves) == 1 for panel in other.panels)


def test_what_is_left_out_is_said(result):
    told = replace(result, there=20, read=9, refused="It is so.", unknown=2, unreadable=3)
    said = " ".join(texts(parts(told)))
    for one in (
        "9 of 20 pairs are read",
        "1 pair can't be scored",
        "2 pairs have a word",
        "3 examples",
    ):
        assert one in said


def made(name, *values):
    rhos = (0.0, 0.25, 0.5, 0.75)
    worlds = tuple(KnownBias(*one) for one in zip(rhos, values, strict=True))
    return MeasureCalibration(name, worlds, MEASURES[name].sign)


SEES = made("swap", (0.0, 0.1, 0.2), (0.1, 0.2, 0.4), (1.0, 1.1, 1.3), (2.0, 2.2, 2.1))
BLIND = made("aul", (0.0, 0.9), (0.2, 0.8), (0.1, 0.7), (0.5, 0.6))


def test_what_measures_see_is_said_as_it_is():
    assert "by counterfactual swap, and not by AUL" in str(monotone_said([SEES, BLIND]))
    assert str(monotone_said([BLIND])).startswith("By no measure")
    assert str(monotone_said([SEES])).startswith("By every measure")
    said = str(blind_said([SEES, BLIND]))
    assert "from rho = 0.50 on by counterfactual swap" in said
    assert "not even at rho = 0.75 by AUL" in said
    assert str(blind_said([BLIND])).startswith("No measure")
    assert str(seen_said(SEES)) == "rho ≥ 0.50"
    assert str(seen_said(BLIND)) == "none of ours"


def test_a_model_is_laid_next_to_models_without_bias(result):
    found = measured(result)
    low, high = SEES.unbiased
    beyond = replace(found["swap"], value=high + 0.1)
    assert "trained on texts without bias, by: counterfactual swap" in str(
        compared_said({"swap": beyond}, [SEES])
    )
    within = replace(found["swap"], value=(low + high) / 2)
    assert "No measure" in str(compared_said({"swap": within}, [SEES]))


def test_the_headline_is_silent_where_the_interval_holds_a_half(result):
    scores = result.scored[0].scores
    clear = [replace(one, scores=replace(scores, crows=(1.0, 0.0))) for one in result.scored]
    said = str(headline(replace(result, scored=tuple(clear))).sentence)
    assert "stereotyped sentence is preferred in 100.0 % of 8 pairs" in said
    against = [replace(one, scores=replace(scores, crows=(0.0, 1.0))) for one in result.scored]
    assert "opposite sentence" in str(headline(replace(result, scored=tuple(against))).sentence)
    half = clear[:4] + against[4:]
    assert not headline(replace(result, scored=tuple(half))).sentence


def test_numbers_below_nought_have_a_real_minus():
    nats = MEASURES["crows_nats"]
    assert value_said(nats, -0.1134) == "−0.113"
    assert value_said(nats, -0.0001) == "0.000"
    assert value_said(MEASURES["crows"], 0.5) == "50.0 %"
