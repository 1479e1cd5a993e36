"""Heads that are clicked, and what is said of the predictions."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.api import HeadPlace
from explorer.document import Document, Mask
from explorer.questions.attention.head_ablation.page import SwitchOffView, said_of
from explorer.questions.attention.head_ablation.question import Changes, SwitchOff
from explorer.ui.theme.schemes import theme_of
from explorer.ui.views.taking_apart.change_rows import rows_of_mask, rows_of_tokens, signed
from tests.ui.views.taking_apart import answers

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(qtbot):
    made = SwitchOffView()
    qtbot.addWidget(made)
    made.resize(820, 560)
    made.set_models({"A": answers.card()}, "A")
    made.show()
    qtbot.waitExposed(made)
    return made


def spot(view, key):
    return next(one for one in view.page.page.spots if one.key == key)


def click(view, qtbot, key):
    place = spot(view, key).box.center().toPoint()
    qtbot.mouseClick(view.page, LEFT, pos=place)


def test_it_asks_where_something_can_be_predicted(view):
    masked = Document("a soup", masks=(Mask(2, 6),))
    assert view.request_of(Document("")) is None
    assert view.request_of(Document("a soup")) is None
    assert view.request_of(masked) == SwitchOff("a soup", masks=(Mask(2, 6),))
    view.set_models({"A": answers.card(operations=("replaced_tokens", "head_ablation"))}, "A")
    assert view.request_of(Document("a soup")) == SwitchOff("a soup")


def test_heads_that_a_smaller_model_has_not_are_left_out(view):
    heads = [["encoder", 2, 3], ["encoder", 3, 0], ["encoder", 0, 4]]
    document = answers.DOCUMENT.with_option("head_ablation.heads", heads)
    assert view.request_of(document).heads == (HeadPlace("encoder", 2, 3),)


def test_a_click_switches_a_head_off_and_on(view, qtbot):
    view.show_result(answers.switch_off_result(), answers.DOCUMENT)
    with qtbot.waitSignal(view.edit_requested) as told:
        click(view, qtbot, ("encoder", "head", 1, 3))
    document = told.args[0].on(answers.DOCUMENT)
    assert document == answers.DOCUMENT.with_option("head_ablation.heads", [["encoder", 1, 3]])
    result = answers.switch_off_result([("encoder", 1, 3)])
    view.show_result(result, document)
    assert "1 of 12 heads is off: layer 1: 3." in said_of(result)
    assert "head 3: off" in spot(view, ("encoder", "head", 1, 3)).words
    with qtbot.waitSignal(view.edit_requested) as told:
        click(view, qtbot, ("encoder", "head", 1, 3))
    assert told.args[0].on(document) == answers.DOCUMENT


def test_a_layers_number_takes_all_its_heads(view, qtbot):
    document = answers.DOCUMENT.with_option("head_ablation.heads", [["encoder", 2, 1]])
    view.show_result(answers.switch_off_result([("encoder", 2, 1)]), document)
    with qtbot.waitSignal(view.edit_requested) as told:
        click(view, qtbot, ("encoder", "layer", 2))
    everything = [["encoder", 2, head] for head in range(4)]
    document = told.args[0].on(document)
    assert document.option("head_ablation.heads") == everything
    view.show_result(
        answers.switch_off_result([tuple(one) for one in everything]),
        document,
    )
    assert said_of(view.result) == "4 of 12 heads are off: layer 2: all."
    with qtbot.waitSignal(view.edit_requested) as told:
        click(view, qtbot, ("encoder", "layer", 2))
    assert told.args[0].on(document) == answers.DOCUMENT


def test_stacks_are_told_apart(view):
    stacks = (("encoder", 2, 2), ("decoder", 2, 2), ("cross", 2, 2))
    off = [("encoder", 0, 0), ("cross", 1, 0), ("cross", 1, 1)]
    result = answers.switch_off_result(off, stacks=stacks)
    view.show_result(result, answers.DOCUMENT)
    assert "encoder layer 0: 0; from the decoder to the encoder layer 1: all" in said_of(result)
    assert spot(view, ("cross", "head", 1, 1)).words.startswith("Layer 1, head 1: off")
    assert spot(view, ("decoder", "head", 1, 1)).words.startswith("Layer 1, head 1: on")


def test_measuring_is_asked_for_once_a_text(view, qtbot):
    view.tools()
    with qtbot.waitSignal(view.option_changed) as told:
        view.measure.click()
    assert told.args == ["head_ablation.every", True]
    document = answers.DOCUMENT.with_option(*told.args)
    assert view.request_of(document).every
    view.set_document(document)
    view.show_result(answers.switch_off_result(effects=True), document)
    assert "−1" in spot(view, ("encoder", "head", 0, 0)).words
    # Another head off: the effects of this text are known.
    again = document.with_option("head_ablation.heads", [["encoder", 0, 0]])
    asked = view.request_of(again)
    assert not asked.every
    assert asked.heads == (HeadPlace("encoder", 0, 0),)
    view.show_result(answers.switch_off_result([("encoder", 0, 0)]), again)
    assert view.effects[0].values[2, 3] == pytest.approx(0.5)
    # Another text: they are not.
    assert view.request_of(again.with_text("a soup [MASK]")).every
    view.set_document(answers.DOCUMENT)
    view.show_result(answers.switch_off_result(), answers.DOCUMENT)
    assert view.effects == ()


def test_a_large_models_heads_wait_for_the_button(view):
    document = answers.DOCUMENT.with_option("head_ablation.every", True)
    assert not view.on_demand(document)
    view.set_models({"A": answers.card(parameters=10**8)}, "A")
    assert view.on_demand(document)
    assert not view.on_demand(answers.DOCUMENT)


def test_the_buttons_follow_the_document(view, qtbot):
    view.tools()
    view.set_document(answers.DOCUMENT)
    assert not view.all_on.isEnabled()
    document = answers.DOCUMENT.with_option("head_ablation.heads", [["encoder", 0, 0]])
    view.set_document(document.with_option("head_ablation.every", True))
    assert view.measure.isChecked()
    with qtbot.waitSignal(view.option_changed) as told:
        view.all_on.click()
    assert told.args == ["head_ablation.heads", None]


def test_words_before_and_after():
    rows = rows_of_mask(answers.MASK)
    assert [(row.label, row.before, row.after, row.marked) for row in rows] == [
        ("soup", 0.5, 0.2, True),
        ("tea", 0.3, 0.6, False),
        ("hat", 0.00001, 0.00002, False),
    ]
    assert "Before: 0.5000, rank 1" in rows[0].words
    assert "After: 0.2000, rank 2" in rows[0].words
    missing = dataclasses.replace(answers.WORDS[1], after=None, rank_after=None)
    mask = dataclasses.replace(answers.MASK, words=(missing,))
    assert "not found by the search" in rows_of_mask(mask)[0].words


@pytest.mark.parametrize(
    ("change", "said"),
    [(0, "0"), (0.3, "+0.3000"), (-0.12345, "−0.1235"), (1e-6, "+0.0000"), (-1e-6, "−0.0000")],
)
def test_a_change_has_its_sign(change, said):
    assert signed(change) == said


def test_tokens_of_a_discriminator():
    before = np.linspace(0, 0.5, answers.COUNT, dtype=np.float32)
    changes = Changes(answers.TOKENS, (), before, before[::-1].copy())
    rows = rows_of_tokens(changes)
    assert [row.label for row in rows] == ["the", "[MASK]", "was", "hot"]
    assert rows[0].before == pytest.approx(0.1)
    assert rows[0].after == pytest.approx(0.4)
    assert rows_of_tokens(answers.CHANGES) == ()


@pytest.mark.parametrize("width", [420, 900, 1300])
@pytest.mark.parametrize("effects", [False, True])
def test_pictures_at_every_width(view, width, effects):
    document = answers.DOCUMENT.with_option("head_ablation.every", effects or None)
    view.show_result(answers.switch_off_result([("encoder", 1, 1)], effects=effects), document)
    figure = view.figure(width, theme_of("dark"))
    assert figure.width == width
    boxes = [one.box for one in view._page_at(width).spots]
    assert all(box.left() >= 0 and box.right() <= width + 0.5 for box in boxes)
    heads = [one for one in view._page_at(width).spots if one.key and one.key[1] == "head"]
    assert len(heads) == 12
    assert not any(a.box.intersects(b.box) for a in heads for b in heads if a is not b)
