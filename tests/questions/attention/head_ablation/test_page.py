"""Heads that are clicked, and what is said of the predictions."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import Qt

from explorer.api.question import HeadPlace
from explorer.api.question.parts.predictions.changes import PredictionChanges
from explorer.document import Document, Mask
from explorer.questions.attention.head_ablation.parts import said_of
from explorer.questions.attention.head_ablation.question import HeadAblationRequest
from explorer.ui.blocks.block import page_of
from explorer.ui.parts.predictions.changes import row_of_word, rows_of_tokens, signed
from explorer.ui.theme.schemes import theme_of
from tests.questions.attention import answers
from tests.ui.pages import choose, kind_of, spot

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(shown):
    made = shown(kind_of("head_ablation"), 820, 560)
    made.set_models({"A": answers.card()}, "A")
    return made


def click(view, qtbot, key):
    place = spot(view, key).box.center().toPoint()
    qtbot.mouseClick(view.page, LEFT, pos=place)


def test_it_asks_where_something_can_be_predicted(view):
    masked = Document("a soup", masks=(Mask(2, 6),))
    assert view.request_of(Document("")) is None
    assert view.request_of(Document("a soup")) is None
    assert view.request_of(masked) == HeadAblationRequest("a soup", masks=(Mask(2, 6),))
    view.set_models({"A": answers.card(questions=("replaced_tokens", "head_ablation"))}, "A")
    assert view.request_of(Document("a soup")) == HeadAblationRequest("a soup")


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
    assert "1 of 12 heads is off: layer 1, head 3." in said_of(result)
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
    assert said_of(view.result) == "4 of 12 heads are off: layer 2, all heads."
    with qtbot.waitSignal(view.edit_requested) as told:
        click(view, qtbot, ("encoder", "layer", 2))
    assert told.args[0].on(document) == answers.DOCUMENT


def test_stacks_are_told_apart(view):
    stacks = (("encoder", 2, 2), ("decoder", 2, 2), ("cross", 2, 2))
    off = [("encoder", 0, 0), ("cross", 1, 0), ("cross", 1, 1)]
    result = answers.switch_off_result(off, stacks=stacks)
    view.show_result(result, answers.DOCUMENT)
    said = "encoder layer 0, head 0; from the decoder to the encoder layer 1, all heads"
    assert said in said_of(result)
    assert spot(view, ("cross", "head", 1, 1)).words.startswith("Layer 1, head 1: off")
    assert spot(view, ("decoder", "head", 1, 1)).words.startswith("Layer 1, head 1: on")


def test_measured_heads_are_coloured_while_that_is_asked_for(view, qtbot):
    view.set_document(answers.DOCUMENT)
    with qtbot.waitSignal(view.option_changed) as told:
        view.bar.fields["head_ablation.every"].click()
    assert told.args == ["head_ablation.every", True]
    document = answers.DOCUMENT.with_option(*told.args)
    assert view.request_of(document).every
    view.set_document(document)
    view.show_result(answers.switch_off_result(effects=True), document)
    assert "Off alone: −1.0000 nats" in spot(view, ("encoder", "head", 0, 0)).words
    assert "Off alone: +0.5000 nats" in spot(view, ("encoder", "head", 2, 3)).words
    view.set_document(answers.DOCUMENT)
    view.show_result(answers.switch_off_result(), answers.DOCUMENT)
    assert "Off alone" not in spot(view, ("encoder", "head", 0, 0)).words


def test_a_large_models_heads_wait_for_the_button_once_a_text(view):
    document = answers.DOCUMENT.with_option("head_ablation.every", True)
    assert not view.on_demand(document)
    view.set_models({"A": answers.card(parameters=10**8)}, "A")
    assert view.on_demand(document)
    assert "Press Run" in view.empty_hint(document)
    assert not view.on_demand(answers.DOCUMENT)
    view.show_result(answers.switch_off_result(), document)
    assert view.on_demand(document)
    view.show_result(answers.switch_off_result(effects=True), document)
    # Another head off: what every head does alone is known of this text.
    again = document.with_option("head_ablation.heads", [["encoder", 0, 0]])
    assert not view.on_demand(again)
    assert view.on_demand(again.with_text("a soup [MASK]"))


def test_all_heads_are_switched_on_by_one_button(view, qtbot):
    keys = [one.key for one in view.page.page.spots] if view.page.page else []
    assert ("all", "on") not in keys
    document = answers.DOCUMENT.with_option("head_ablation.heads", [["encoder", 0, 0]])
    view.set_document(document)
    view.show_result(answers.switch_off_result([("encoder", 0, 0)]), document)
    with qtbot.waitSignal(view.edit_requested) as told:
        choose(view, ("all", "on"))
    assert told.args[0].name == "switch all heads on"
    assert told.args[0].on(document) == answers.DOCUMENT
    view.set_document(answers.DOCUMENT)
    assert ("all", "on") not in [one.key for one in view.page.page.spots]


def test_words_before_and_after():
    rows = [row_of_word(word, 0.6) for word in answers.MASK.words]
    assert [(row.label, *(bar.value for bar in row.bars), row.tag) for row in rows] == [
        ("soup", 0.5, 0.2, "original"),
        ("tea", 0.3, 0.6, ""),
        ("hat", 0.00001, 0.00002, ""),
    ]
    assert [row.cells[2] for row in rows] == ["−0.3000", "+0.3000", "+0.0000"]
    assert [row.shades[2] for row in rows] == pytest.approx([-0.5, 0.5, 0.0], abs=1e-4)
    assert "Before: 0.5000, rank 1" in rows[0].words
    assert "After: 0.2000, rank 2" in rows[0].words
    missing = row_of_word(dataclasses.replace(answers.WORDS[1], after=None, rank_after=None), 1.0)
    assert "After: not found by the search" in missing.words
    assert missing.cells == ("0.3000", "–", "")
    assert (missing.bars[1], missing.shades[2]) == (None, None)


@pytest.mark.parametrize(
    ("change", "said"),
    [(0, "0"), (0.3, "+0.3000"), (-0.12345, "−0.1235"), (1e-6, "+0.0000"), (-1e-6, "−0.0000")],
)
def test_a_change_has_its_sign(change, said):
    assert signed(change) == said


def test_tokens_of_a_discriminator():
    before = np.linspace(0, 0.5, answers.COUNT, dtype=np.float32)
    changes = PredictionChanges(answers.TOKENS, (), before, before[::-1].copy())
    rows, _scale = rows_of_tokens(changes)
    assert [row.label for row in rows] == ["the", "[MASK]", "was", "hot"]
    assert [bar.value for bar in rows[0].bars] == [pytest.approx(0.1), pytest.approx(0.4)]
    assert rows_of_tokens(answers.CHANGES)[0] == []


@pytest.mark.parametrize("width", [420, 900, 1300])
@pytest.mark.parametrize("effects", [False, True])
def test_pictures_at_every_width(view, width, effects):
    document = answers.DOCUMENT.with_option("head_ablation.every", effects or None)
    view.show_result(answers.switch_off_result([("encoder", 1, 1)], effects=effects), document)
    figure = view.figure(width, theme_of("dark"))
    assert figure.width == width
    spots = page_of(list(view.declared.blocks(view.shown())), width).spots
    assert all(one.box.left() >= 0 and one.box.right() <= width + 0.5 for one in spots)
    heads = [one for one in spots if one.key and one.key[1] == "head"]
    assert len(heads) == 12
    assert not any(a.box.intersects(b.box) for a in heads for b in heads if a is not b)
