"""The probe on screen: curves with their spread, the sentence, and what may not be concluded."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.document import Document
from explorer.questions.layers.probe.question import ProbeRequest
from explorer.ui.charts.block import ChartBlock
from explorer.ui.views.view import View
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, said_in, words_on

TEXT = "The chef cooked the meal in the kitchen."
ASKED = Document(TEXT).with_option("probe.label", "role").with_option("probe.withheld", True)


@pytest.fixture(scope="module")
def result():
    return tiny.ask(
        miniature("bert-miniature"), ProbeRequest(TEXT, label="role", withheld=True, texts=240)
    )


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("probe"))
    made.show_result(result, ASKED)
    return made


def charts(view, result):
    shown = replace(view.shown(), result=result)
    (block,) = (one for one in view.declared.blocks(shown) if isinstance(one, ChartBlock))
    return block.charts


def spots_on(view):
    """What a screen reader says of each row."""
    return [str(one) for one in view.page.page.spots]


def test_the_curves_are_means_and_their_bands_the_spread(view, result):
    accuracy, selectivity = charts(view, result)
    lines = {line.name: line for line in accuracy.lines}
    assert set(lines) == {"majority label", "control task", "withheld words", "probe"}
    for name, values in (
        ("probe", result.scores.accuracy),
        ("control task", result.scores.control),
        ("withheld words", result.withheld.accuracy),
    ):
        assert lines[name].y == pytest.approx(values.mean(axis=1))
        assert lines[name].band[0] == pytest.approx(values.min(axis=1))
        assert lines[name].band[1] == pytest.approx(values.max(axis=1))
    assert np.ptp(lines["majority label"].y) == 0
    assert selectivity.lines[0].y == pytest.approx(result.scores.selectivity.mean(axis=1))
    assert [line.name for line in charts(view, replace(result, withheld=None))[0].lines] == [
        "probe",
        "control task",
        "majority label",
    ]


def test_numbers_words_and_labels_are_told(view, result):
    words = words_on(view)
    assert (
        f"Role: {sum(result.counts)} words in 240 texts, {result.types} of them different" in words
    )
    for label, count in zip(result.labels, result.counts, strict=True):
        assert f"{label} {count}" in words
    rows = spots_on(view)
    for one in result.read:
        assert any(one.word in row and one.label in row for row in rows)
    assert "Hewitt and Liang 2019" in words


def test_few_words_are_said_to_say_nothing(view, result):
    few = replace(result, withheld=None, types=3, cut=2)
    said = said_in(view.declared, replace(view.shown(), result=few))
    assert "too few different words" in said
    assert "only 3 different words" in said
    assert "2 words are left out" in said
    assert "only" not in words_on(view)


def test_without_a_sentence_there_are_only_numbers(view, result):
    said = said_in(view.declared, replace(view.shown(), result=replace(result, read=())))
    assert "What the probe of" not in said
    assert "Layer by layer" in said


def test_it_waits_for_the_button(view: View):
    class Card:
        parameters = 1_000_000

    view.set_models({"A": Card()}, "A")
    assert view.on_demand(ASKED)
    assert "Press Run" in view.empty_hint(ASKED)
