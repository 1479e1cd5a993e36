"""Learning curves on screen: what shares a chart, and what is said of seeds."""

import json

import numpy as np
import pytest

from explorer.api.question import Choices, Curves, Rows
from explorer.api.question.parts.cards import every_part
from explorer.document import Document
from explorer.learning.curves.seeds import band_of
from explorer.questions.learning.training_curves.concluded import LearningDifferenceRow
from explorer.questions.learning.training_curves.options import ALIKE, AXIS, FILE, SOURCES
from explorer.questions.learning.training_curves.parts import parts
from explorer.questions.learning.training_curves.published import PublishedTrainingRow
from explorer.questions.learning.training_curves.question import QUESTION, TrainingCurvesRequest
from explorer.ui.charts.block import ChartBlock
from tests.hf import tiny
from tests.ui.pages import kind_of, words_on


@pytest.fixture(scope="module")
def bundled():
    return tiny.ask(None, TrainingCurvesRequest(("bert-miniature", "albert-miniature")))


@pytest.fixture
def view(shown):
    return shown(kind_of("training_curves"))


def charts_in(result, **settings):
    """Panels by the titles of their cards."""
    cards = next(one for one in parts(result, **settings) if hasattr(one, "cards"))
    return {
        str(card.title): panel
        for card in cards.cards
        for one in card.parts
        if isinstance(one, Curves)
        for panel in one.panels
    }


def runs(folder, *seeds, name="loss", **more):
    for seed in seeds:
        place = folder / f"run-seed-{seed}"
        place.mkdir()
        rows = [{"step": n, name: seed / n, **more} for n in (1, 2, 3)]
        text = "".join(json.dumps(one) + "\n" for one in rows)
        (place / "metrics.jsonl").write_text(text, "utf-8")
    return str(folder)


def test_losses_of_different_objectives_never_share_an_axis(bundled):
    charts = charts_in(bundled)
    assert list(charts) == [
        "Loss: masked words",
        "Loss: next sentence",
        "Loss: order of sentences",
        "Accuracy: masked words",
        "Accuracy: next sentence",
        "Accuracy: order of sentences",
    ]
    masked = charts["Loss: masked words"]
    assert [str(one.name) for one in masked.curves] == ["bert-miniature", "albert-miniature"]
    assert len({one.colour for one in masked.curves}) == 2
    assert masked.curves[0].values == pytest.approx(bundled.records[0].columns[0].values)


def test_losses_that_name_no_objective_are_apart_until_somebody_says_that_they_are_alike(tmp_path):
    (tmp_path / "a.csv").write_text("step,loss\n1,2\n2,1\n3,1\n")
    (tmp_path / "b.csv").write_text("step,loss\n1,3\n2,2\n3,1\n")
    names = tuple(str(tmp_path / one) for one in ("a.csv", "b.csv"))
    result = tiny.ask(None, TrainingCurvesRequest(names))
    assert [len(one.curves) for one in charts_in(result).values()] == [1, 1]
    assert [len(one.curves) for one in charts_in(result, alike=True).values()] == [2]
    assert ALIKE in QUESTION.options


def test_one_seed_has_no_band_and_the_page_says_that_it_proves_nothing(view, bundled):
    view.show_result(bundled, Document(""))
    assert all(one.band is None for chart in charts_in(bundled).values() for one in chart.curves)
    assert "One seed proves nothing" in words_on(view)


def test_three_seeds_are_one_curve_with_its_interval(view, tmp_path):
    result = tiny.ask(None, TrainingCurvesRequest((runs(tmp_path, 1, 2, 3),)))
    (chart,) = charts_in(result).values()
    (curve,) = chart.curves
    assert "3 seeds" in str(curve.name)
    steps = np.array([1.0, 2.0, 3.0])
    band = band_of([(steps, seed / steps) for seed in (1, 2, 3)])
    assert curve.values == pytest.approx(band.mean)
    assert curve.band[0] == pytest.approx(band.low)
    assert curve.band[1] == pytest.approx(band.high)
    view.show_result(result, Document(""))
    assert "Bands are 95 % intervals" in words_on(view)
    assert "proves nothing" not in words_on(view)


def rows_in(result, kind, **settings):
    """What a table of the page holds."""
    every = (one for one in every_part(parts(result, **settings)) if isinstance(one, Rows))
    return next((one.rows for one in every if one.kind is kind), ())


def test_what_may_be_concluded_of_two_plans_has_an_interval_or_nothing_may(view, tmp_path):
    folders = []
    for name, seeds, factor in (("a", (1, 2, 3), 1.0), ("b", (1, 2, 3), 1.5), ("c", (1, 2), 9.0)):
        for seed in seeds:
            place = tmp_path / name / f"run{name}-seed-{seed}"
            place.mkdir(parents=True)
            values = [factor * (4 + 0.01 * seed) / n for n in (1, 2, 3)]
            rows = [{"step": n, "loss_mlm": value} for n, value in enumerate(values, 1)]
            text = "".join(json.dumps(one) + "\n" for one in rows)
            (place / "metrics.jsonl").write_text(text, "utf-8")
        folders.append(str(tmp_path / name))
    result = tiny.ask(None, TrainingCurvesRequest(tuple(folders)))
    found = rows_in(result, LearningDifferenceRow)
    pair, *few = found
    assert pair.concluded == "the first is lower"
    expected = [-0.5 * (4 + 0.01 * seed) / 3 for seed in (1, 2, 3)]
    assert pair.difference == pytest.approx(np.mean(expected))
    assert pair.low < pair.difference < pair.high < 0
    assert pair.at == 3
    assert {one.concluded for one in few} == {"nothing: fewer than 3 seeds"}
    assert len(found) == 3
    view.show_result(result, Document(""))
    assert "What may be concluded" in words_on(view)


def test_published_figures_are_of_what_the_curves_are_of_and_say_who_looked_them_up(bundled):
    found = rows_in(bundled, PublishedTrainingRow)
    assert {str(one.measured) for one in found} <= set(charts_in(bundled))
    assert {one.checked for one in found} == {"looked up", "not checked"}
    assert all(one.source and one.date for one in found)
    bert = next(one for one in found if "batch of 256" in one.run)
    assert bert.value == pytest.approx(np.log(3.99))
    accuracies = rows_in(bundled, PublishedTrainingRow, show="accuracies")
    assert {str(one.measured).partition(":")[0] for one in accuracies} == {"Accuracy"}
    assert not rows_in(bundled, LearningDifferenceRow), "one seed each says nothing"


def test_two_seeds_are_two_curves(tmp_path):
    result = tiny.ask(None, TrainingCurvesRequest((runs(tmp_path, 1, 2),)))
    (one, two) = (
        curve for chart in charts_in(result, alike=True).values() for curve in chart.curves
    )
    assert one.band is two.band is None


def test_over_tokens_only_those_are_drawn_that_count_them(view, tmp_path):
    counted = runs(tmp_path, 4, name="loss_mlm", tokens=50)
    # Equal at every step: it did not grow, and counts nothing.
    result = tiny.ask(None, TrainingCurvesRequest((counted, "bert-miniature")))
    document = Document("").with_option(AXIS.key, "tokens")
    view.show_result(result, document)
    view.set_document(document)
    assert "Not drawn, as their files do not count tokens" in words_on(view)


def test_curves_are_taken_away_and_added_by_a_click(bundled):
    kept, more = (one for one in every_part(parts(bundled)) if isinstance(one, Choices))
    assert kept.choices[0].gesture.values == {SOURCES.key: ["albert-miniature"]}
    added = more.choices[0].gesture.values[SOURCES.key]
    assert added[:2] == ["bert-miniature", "albert-miniature"]
    assert len(added) == 3


def test_runs_of_one_folder_that_were_named_one_by_one_are_taken_away_one_by_one(tmp_path):
    runs(tmp_path, 1, 2)
    one, other = (str(tmp_path / f"run-seed-{seed}") for seed in (1, 2))
    kept, *_more = (
        part
        for part in every_part(parts(tiny.ask(None, TrainingCurvesRequest((one, other)))))
        if isinstance(part, Choices)
    )
    assert [choice.gesture.values for choice in kept.choices] == [
        {SOURCES.key: [other]},
        {SOURCES.key: [one]},
    ]
    result = tiny.ask(None, TrainingCurvesRequest((str(tmp_path), "bert-miniature")))
    kept, *_more = (part for part in every_part(parts(result)) if isinstance(part, Choices))
    assert [choice.gesture.values[SOURCES.key] for choice in kept.choices] == [
        ["bert-miniature"],
        [str(tmp_path)],
    ]


def test_a_file_that_is_dropped_stands_beside_the_others(view, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("step,loss\n1,2\n")
    edits = []
    view.edit_requested.connect(edits.append)
    document = Document("").with_option(SOURCES.key, ["bert-miniature"])
    view.set_document(document)
    assert FILE.takes(path)
    assert FILE.takes(tmp_path)
    assert not FILE.takes(tmp_path / "words.txt")
    view.bar.take_file(FILE, str(path))
    assert SOURCES.of(edits[0].on(document)) == ("bert-miniature", str(path))


def test_the_page_has_a_chart_for_each(view, bundled):
    view.show_result(bundled, Document(""))
    charts = [
        one
        for block in view.declared.blocks(view.shown())
        for card in getattr(block, "cards", ())
        for one in card.blocks
        if isinstance(one, ChartBlock)
    ]
    assert len(charts) == len(charts_in(bundled))
