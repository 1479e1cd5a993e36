from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDoubleSpinBox

from explorer.numerics.layers import OWN
from explorer.questions.distillation.distillation_losses import layers, measures, settings
from explorer.questions.distillation.distillation_losses.settings import (
    KL,
    LossSettings,
    settings_of,
)
from explorer.questions.distillation.distillation_losses.terms import layers_learnt, terms
from explorer.ui.blocks.columns import Columns
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.limits import round_up
from explorer.ui.matrices.block import MatrixView
from explorer.ui.theme.schemes import theme_of
from tests.questions.distillation import answers
from tests.ui.pages import kind_of

DOCUMENT = answers.DOCUMENT
TEMPERATURE, SQUARED = settings.TEMPERATURE.key, settings.SQUARED.key
WEIGHTS, DISTIL = settings.WEIGHTS.key, settings.DISTIL.key
MAP, MEASURE = settings.MAP.key, settings.MEASURE.key


@pytest.fixture
def view(shown):
    made = shown(kind_of("distillation_losses"))
    made.set_document(DOCUMENT)
    made.show_result(answers.losses(), DOCUMENT)
    return made


def tooltips(view):
    return [spot.words for spot in view.page.page.spots if spot.words]


def cells_of(view):
    """The cells of the layers that can be chosen, by student's and teacher's layer."""
    found = [spot for spot in view.page.page.spots if spot.key and spot.key[0] == "map"]
    return {spot.key[1:]: spot for spot in found if spot.act is not None}


def blocks_of(view):
    """All blocks of the page, those in cards too."""
    for block in view.declared.blocks(view.shown()):
        if isinstance(block, Columns):
            yield from (inner for card in block.cards for inner in card.blocks)
        else:
            yield block


def test_what_only_changes_the_sum_asks_nothing_anew(view):
    before = view.request_of(DOCUMENT)
    changed = (
        DOCUMENT.with_option(WEIGHTS, [1, 1, 1])
        .with_option(SQUARED, False)
        .with_option(DISTIL, KL)
        .with_option(MAP, "last")
        .with_option(MEASURE, "cka")
    )
    assert view.request_of(changed) == before
    assert settings_of(changed) == LossSettings(
        squared=False, weights=(1.0, 1.0, 1.0), distil=KL, map_kind="last"
    )


@pytest.mark.parametrize("nonsense", [[1, 2], ["a", 1, 2], 7, [-1, 0, 0], [True, 1, 1]])
def test_weights_that_are_none_are_the_papers(nonsense):
    document = DOCUMENT.with_option(WEIGHTS, nonsense)
    assert settings_of(document).weights == (5.0, 2.0, 1.0)


def test_every_loss_is_a_row_with_its_formula(view):
    every = terms(view.result, LossSettings())
    rows = [row for block in blocks_of(view) if isinstance(block, BarTable) for row in block.rows]
    shown = [row.words for row in rows]
    assert [words for words in tooltips(view) if words in shown] == shown
    for term, words in zip(every, shown, strict=True):
        assert term.title in words
        assert term.formula in words
        if term.value is None:
            assert term.why in words
    assert any("Without T²" in words for words in shown)


def test_weights_are_edited_and_drawn(view, qtbot):
    field = view.findChild(QDoubleSpinBox, f"{WEIGHTS}.0")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "3.5")
    with qtbot.waitSignal(view.option_moved) as moved:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert moved.args == [WEIGHTS, [3.5, 2.0, 1.0]]
    view.set_document(DOCUMENT.with_option(WEIGHTS, [3.5, 2.0, 1.0]))
    total = next(words for words in tooltips(view) if words.startswith("Weighted sum"))
    assert "3.5 T² · distillation" in total


def test_t_squared_is_a_switch(view, qtbot):
    with qtbot.waitSignal(view.option_changed) as changed:
        view.bar.fields[SQUARED].click()
    assert changed.args == [SQUARED, False]
    view.set_document(DOCUMENT.with_option(SQUARED, False))
    assert not view.bar.fields[SQUARED].isChecked()
    first = tooltips(view)[0]
    assert "T²" not in first
    with qtbot.waitSignal(view.option_changed) as changed:
        view.bar.fields[SQUARED].click()
    assert changed.args == [SQUARED, None]


def test_the_temperature_of_the_losses_is_asked_anew(view, qtbot):
    with qtbot.waitSignal(view.option_moved) as moved:
        view.bar.fields[TEMPERATURE].setValue(4.0)
    assert moved.args == [TEMPERATURE, 4.0]


def test_a_click_on_a_cell_makes_the_map_the_users_own(view, qtbot):
    cells = cells_of(view)
    assert set(cells) == {(m, n) for m in (1, 2) for n in (1, 2, 3, 4)}
    assert "learns from this one" in cells[1, 2].words
    (matrix,) = view.findChildren(MatrixView)
    layout = matrix.layout_now()
    with qtbot.waitSignal(view.edit_requested) as told:
        place = layout.box(1, 3).center().toPoint()
        qtbot.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=place)
    document = told.args[0].on(DOCUMENT)
    assert told.args[0].name == "change map"
    assert document == DOCUMENT.with_option(MAP, [2, 3])
    view.set_document(document)
    assert view.bar.fields[MAP].currentData() == OWN
    assert layers_learnt(view.result, settings_of(document)) == (3, 4)
    cells = cells_of(view)
    assert "The student's layer learns from this one." in cells[1, 3].words
    assert "Click to let" in cells[1, 2].words
    hidden = next(words for words in tooltips(view) if words.startswith("Hidden loss"))
    assert "Σₘ" in hidden


def test_a_kind_of_map_is_chosen(view, qtbot):
    for place, value, learnt in ((1, "last", (3, 4)), (2, "own", (2, 4)), (0, None, (2, 4))):
        with qtbot.waitSignal(view.option_changed) as changed:
            view.bar.fields[MAP].activated.emit(place)
        assert changed.args == [MAP, value]
        chosen = DOCUMENT.with_option(MAP, value)
        assert layers_learnt(view.result, settings_of(chosen)) == learnt
    odd = DOCUMENT.with_option(MAP, ["x", True, 8])
    assert settings_of(odd).own_map == (0, 0, 9)
    assert layers_learnt(view.result, settings_of(odd)) == (2, 4)


@pytest.mark.parametrize("measure", measures.MEASURES, ids=lambda one: one.key)
def test_each_measure_is_a_grid_of_its_numbers(view, measure):
    view.set_document(DOCUMENT.with_option(MEASURE, measure.key))
    values = measures.values_of(view.result.layers, measure)
    cells = [spot for spot in view.page.page.spots if measure.title in spot.words]
    assert len(cells) == values.size
    assert f"{values[-1, -1]:.4f}" in cells[-1].words
    assert view.bar.fields[MEASURE].currentData() == measure.key


def test_models_with_other_heads_say_why_there_is_no_attention(view):
    result = answers.losses(answers.layer_losses(same_heads=False))
    view.show_result(result, DOCUMENT)
    view.set_document(DOCUMENT.with_option(MEASURE, "attention_mse"))
    assert not cells_of(view)
    assert any("4 and 2 heads" in words for words in tooltips(view))


def test_what_is_infinite_says_so_and_is_no_number(view):
    result = answers.losses()
    divergences = result.layers.attention_kl.copy()
    student, teacher = 0, layers_learnt(result, settings_of(DOCUMENT))[0] - 1
    divergences[student, teacher] = np.nan
    result = replace(result, layers=replace(result.layers, attention_kl=divergences))
    (term,) = [one for one in terms(result, settings_of(DOCUMENT)) if "mobilebert_att" in one.key]
    assert (term.value, str(term.why)) == (None, settings.INFINITE)
    view.set_document(DOCUMENT.with_option(MEASURE, "attention_kl"))
    view.show_result(result, DOCUMENT)
    assert any("It is infinite" in words for words in tooltips(view))
    assert not any("nan" in str(cell) for row in view.table().rows for cell in row[:7])


def test_without_layers_or_masks_the_rest_is_there(view):
    view.show_result(answers.losses(layers=False, notes=("Different tokens.",)), DOCUMENT)
    assert not view.bar.widgets[MAP].isEnabled()
    assert not cells_of(view)
    assert any("can't be compared token by token" in words for words in tooltips(view))
    view.show_result(answers.losses(masked=False), DOCUMENT)
    assert view.bar.widgets[MAP].isEnabled()
    assert cells_of(view)
    assert not any("gradient" in words for words in tooltips(view))
    view.clear()
    assert view.page.page is None
    assert view.table() is None
    assert view.figure(400, theme_of("dark")) is None


def test_the_gradient_is_drawn_with_and_without_t_squared(view):
    found = view.result.predictions
    (charts,) = [block for block in blocks_of(view) if isinstance(block, ChartBlock)]
    without, with_it = charts.charts[0].series
    np.testing.assert_array_equal(without.y, found.gradient_curve)
    np.testing.assert_allclose(with_it.y, found.gradient_curve * found.temperatures**2)


def test_the_table_follows_the_settings(view):
    document = DOCUMENT.with_option(SQUARED, False).with_option(MAP, "last")
    view.set_document(document)
    table = view.table()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert not any(row["times_t_squared"] for row in rows)
    hidden = [
        row for row in rows if row["loss"] == "Hidden loss" and row["student_layer"] is not None
    ]
    assert [row["teacher_layer"] for row in hidden] == [2, 3]


def test_round_numbers_hold_what_they_must():
    for value, expected in ((0.04, 0.04), (7.4, 8.0), (1.0, 1.0), (0.011, 0.015), (0.0, 1.0)):
        assert round_up(value) == pytest.approx(expected)
        assert round_up(value) >= value


def test_colours_span_what_there_is():
    scale_of = layers.colours_of
    alike = measures.MEASURES[2]
    values = np.array([[0.91, 0.86], [1.0, 0.97]])
    assert (scale_of(values, alike).low, scale_of(values, alike).high) == (0.85, 1.0)
    ones = scale_of(np.ones((2, 2)), alike)
    assert ones.low < ones.high
    apart = scale_of(values, measures.MEASURES[0])
    assert (apart.low, apart.high) == (0.0, 1.0)
    assert scale_of(np.zeros((2, 2)), measures.MEASURES[0]).high == 1.0


def test_the_heading_cites_what_the_papers_have(view):
    """Neither DistilBERT's weights nor its T are in the paper, and MobileBERT's numbers unread."""
    drawn = " ".join(str(vars(block)) for block in blocks_of(view) if hasattr(block, "__dict__"))
    assert "weights and T are those of the released training" in drawn
    assert "section 3.5, equation" not in drawn
