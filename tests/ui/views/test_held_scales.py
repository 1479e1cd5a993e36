"""While a series is moved through, pictures of two of its frames can be laid beside each other."""

import gc
import weakref
from dataclasses import replace

import numpy as np

from explorer.api.question import ModelStamp
from explorer.document import Document
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarRow
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.limits import limits_of
from explorer.ui.theme.schemes import theme_of
from explorer.ui.views import page_of_question
from explorer.ui.views.held_scales import HeldScales, film_of
from tests.stored_runs.recorded import RECORDED
from tests.ui.views.test_one_scale import chart, matrix


def table(axis):
    return BarTable([BarRow("a word", bars=(Bar(0.1),))], axis=axis)


def ends(block):
    return limits_of(block.charts[0])


def test_every_frame_reaches_as_far_as_those_that_were_seen():
    scales = HeldScales()
    first = scales.of_frame("a film", [ChartBlock((chart(2.0),)), matrix(high=0.5)])
    assert ends(first[0]) == limits_of(chart(2.0))
    strong = scales.of_frame("a film", [ChartBlock((chart(7.0),)), matrix(high=3.0)])
    again = scales.of_frame("a film", [ChartBlock((chart(2.0),)), matrix(high=0.5)])
    assert ends(strong[0]) == ends(again[0]) == limits_of(chart(7.0))
    assert again[1].matrix.content.scale.high == strong[1].matrix.content.scale.high == 3.0
    assert np.array_equal(again[0].charts[0].series[0].x, chart(2.0).series[0].x)


def test_another_film_begins_anew_and_what_is_no_film_is_left_alone():
    scales = HeldScales()
    scales.of_frame("a film", [ChartBlock((chart(7.0),))])
    (other,) = scales.of_frame("another", [ChartBlock((chart(2.0),))])
    assert ends(other) == limits_of(chart(2.0))
    blocks = [ChartBlock((chart(1.0),)), table(BarAxis(0.2))]
    assert scales.of_frame(None, blocks) is blocks
    assert not scales.is_held


def test_what_one_frame_does_not_show_is_held_for_the_next():
    scales = HeldScales()
    small, large = ChartBlock((chart(2.0),)), ChartBlock((chart(7.0),))
    scales.of_frame("a film", [small, large])
    scales.of_frame("a film", [small])
    scales.of_frame("a film", [])
    assert ends(scales.of_frame("a film", [small, small])[1]) == limits_of(chart(7.0))


def test_shares_have_all_of_their_range_from_the_first_frame_on():
    scales, amount = HeldScales(), table(BarAxis(0.2, titled=False))
    shares, moved, powers, same = scales.of_frame(
        "a film", [table(BarAxis(0.2)), amount, table(BarAxis(0.3, powers=4)), matrix()]
    )
    assert shares == table(BarAxis(1.0))
    assert (moved, powers) == (amount, table(BarAxis(0.3, powers=4)))
    assert same.matrix.content.scale.high == 1.0
    (percent,) = scales.of_frame("another", [matrix(high=0.4, in_percent=True)])
    assert (percent.matrix.content.scale.low, percent.matrix.content.scale.high) == (0.0, 1.0)
    (about_zero,) = scales.of_frame("a third", [matrix(high=0.4, in_percent=True, diverging=True)])
    assert about_zero.matrix.content.scale.high == 0.4


def test_a_picture_keeps_the_scales_of_its_moment():
    scales = HeldScales()
    scales.of_frame("a film", [ChartBlock((chart(2.0),))])
    then = scales.as_now()
    scales.of_frame("a film", [ChartBlock((chart(7.0),))])
    assert ends(then.fit([ChartBlock((chart(1.0),))])[0]) == limits_of(chart(2.0))


def test_of_a_thousand_frames_one_is_kept():
    scales, seen = HeldScales(), []
    for number in range(1000):
        block = ChartBlock((chart(float(1 + number % 7)),))
        seen.append(weakref.ref(block.charts[0].series[0]))
        scales.of_frame("a film", [block])
    del block
    gc.collect()
    assert sum(one() is not None for one in seen) == 1


def test_a_film_is_of_one_series_one_question_and_the_other_models(tmp_path):
    frames = [tmp_path / f"checkpoint-{step}" for step in (1, 2)]
    for one in frames:
        one.mkdir()
    here = [ModelStamp(str(one), "bert", one.name, "cpu", "float32") for one in frames]
    other = ModelStamp("bert-miniature", "bert", "f", "cpu", "float32")
    asked = Document("a text")

    def film(*models, now=asked):
        return film_of(Origin("", models=dict(zip("ab", models, strict=False))), asked, now)

    assert film(other) is None
    assert film() is None
    assert film(here[0]) == film(here[1]) is not None
    assert film(here[0], other) == film(here[1], other) != film(here[0])
    assert film(here[0], other) != film(here[0], replace(other, fingerprint="g"))
    assert film(here[0], now=asked.with_option("a", 1)) != film(here[0])
    hub = [replace(other, id=f"owner/name@step{step}") for step in (1, 10)]
    assert film(hub[0]) == film(hub[1]) != film(here[0])
    assert film(replace(other, id="owner/name@main")) is None


def test_every_page_has_scales_that_hold(qapp):
    """What is fitted once is fitted, and is still drawn."""
    drawn = 0
    for name, run in RECORDED.items():
        page = page_of_question(run.summary.operation)
        if page is None or run.result is None:
            continue
        blocks = page.alone(Shown(run.result, run.document, run.document))
        scales = HeldScales()
        scales.take(blocks)
        held = scales.fit(blocks)
        scales.take(held)
        assert all(one is its for one, its in zip(scales.fit(held), held, strict=True)), name
        assert page_of(held, 900).figure(theme_of("light")).height > 0
        drawn += 1
    assert drawn > 40
