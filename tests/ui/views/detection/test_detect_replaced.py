"""The loop on screen, drawn from data."""

import itertools
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from explorer.document import Document, Mask
from explorer.numerics.outcomes import Outcome
from explorer.questions.detection.replaced_tokens.page import DetectReplacedView
from explorer.questions.detection.replaced_tokens.question import (
    OPERATION,
    DetectReplaced,
    Replacement,
)
from explorer.ui.sentence.token_editor import TokenEditor
from explorer.ui.theme.schemes import theme_of
from explorer.ui.views.detection.loop_layout import arrange_loop
from explorer.ui.views.detection.loop_rows import rows_of
from tests.ui.views.detection.conftest import FILLER

LEFT = Qt.MouseButton.LeftButton
CORRUPTION = "replaced_tokens.corruption"


@pytest.fixture
def view(qtbot, judge_card, filler_card):
    window = QWidget()
    qtbot.addWidget(window)
    made = DetectReplacedView(window)
    made.set_models({"A": judge_card, "B": filler_card}, "A")
    made.resize(900, 700)
    window.resize(900, 700)
    window.show()
    qtbot.waitExposed(window)
    yield made
    window.close()


def shown(view, result, document):
    view.set_document(document)
    view.show_result(result, document)
    return view


def spot(view, column, row):
    """The middle of a token in a column of the canvas."""
    at = view.canvas.placed()
    return at.chip_in(getattr(at, column), row).center().toPoint()


def test_rows_tell_the_whole_way_of_a_token(judged):
    rows = rows_of(judged)
    assert [row.corrupted for row in rows][1:6] == ["the", "chef", "ate", "the", "soup"]
    assert [row.masked for row in rows] == [False, True, False, True, False, False, False]
    assert [row.by_user for row in rows] == [False] * 5 + [True, False]
    assert rows[1].was_guessed
    assert not rows[3].was_guessed
    assert [row.verdict(0.5) for row in rows[1:6]] == [
        Outcome.CORRECT_REJECTION, Outcome.FALSE_ALARM, Outcome.HIT, Outcome.CORRECT_REJECTION,
        Outcome.MISS,
    ]  # fmt: skip
    # What stood there is shown even where it is not among the proposals.
    words = [(p.word, p.was_drawn, p.was_original) for p in rows[3].proposals]
    assert words == [("ate", True, False), ("burnt", False, False), ("cooked", False, True)]
    assert "guessed right" in rows[1].spoken(0.5)
    assert "in the place of cooked" in rows[3].spoken(0.5)


@pytest.mark.parametrize("width", [430, 560, 640, 900, 1400])
def test_nothing_overlaps_at_any_width(qapp, judged, width):
    at = arrange_loop(rows_of(judged), width)
    bands = [at.sentence, at.masked, at.generator, at.corrupted, at.judge, at.truth]
    bands = [band for band in bands if band is not None]
    for one, other in itertools.pairwise(bands):
        assert one.width > 15
        assert one.right < other.left
    assert at.width <= max(width, 470)
    tops = [box.top() for box in at.rows]
    assert tops == sorted(tops)
    for box, lines in zip(at.rows, at.lines, strict=True):
        for line in lines:
            assert box.top() - 1 <= line.top()
            assert line.bottom() <= box.bottom() + 1
    assert at.probability_at(at.x_of(0.37)) == pytest.approx(0.37)
    # What is left out first is left out where there is least room.
    assert at.masked is not None or width < 900
    assert at.with_words or width < 640
    assert not at.with_words or width > 430


def test_the_question_a_document_asks(view, judge_card, filler_card):
    both = {"A": judge_card, "B": filler_card}
    document = Document("the chef", masks=(Mask(0, 3),)).with_option(
        CORRUPTION, {"seed": 4, "words": [{"start": 4, "end": 8, "was": "chef", "word": "cat"}]}
    )
    pair = {"discriminator": "A", "generator": "B"}
    assert view.of.cast(both, "A", document) == pair
    request = view.request_of(document.with_option("replaced_tokens.temperature", 2.0))
    assert request == DetectReplaced(
        "the chef", masks=(Mask(0, 3),), seed=4, temperature=2.0,
        replacements=(Replacement(4, 8, "cat"),),
    )  # fmt: skip
    alone = document.with_option("replaced_tokens.without_generator", True)
    assert view.of.cast(both, "A", alone) == {"discriminator": "A"}
    assert view.request_of(alone).masks == ()
    # A word whose characters are no longer there is forgotten.
    assert view.request_of(document.with_text("the cook")).replacements == ()
    assert view.request_of(Document("  ")) is None
    view.set_models({"A": judge_card}, "A")
    assert view.of.cast({"A": judge_card}, "A", document) == {"discriminator": "A"}
    # What only redraws is no part of the question.
    changed = document.with_option("replaced_tokens.threshold", 0.9)
    assert view.request_of(changed) == view.request_of(document)


def test_the_discriminator_is_found_in_either_slot(view, judge_card, filler_card):
    turned = {"A": replace(filler_card, slot="A"), "B": replace(judge_card, slot="B")}
    for active in "AB":
        view.set_models(turned, active)
        cast = view.of.cast(turned, active, Document("x"))
        assert cast == {"discriminator": "B", "generator": "A"}
        assert (view.pair.discriminator, view.pair.generator) == ("B", "A")
    # Nobody judges: the active model is asked, and says why it can't.
    assert view.of.cast({"A": filler_card}, "A", Document("x")) == {"discriminator": "A"}
    # Two that judge and draw: the active one judges.
    versatile = replace(judge_card, operations=("replaced_tokens", "masked_tokens"))
    two = {"A": versatile, "B": replace(versatile, slot="B")}
    assert view.of.cast(two, "B", Document("x")) == {"discriminator": "B", "generator": "A"}


def test_another_vocabulary_is_no_generator_and_the_reason_is_said(
    view, judge_card, filler_card, judged, document
):
    strangers = {"A": judge_card, "B": replace(filler_card, vocabulary_size=2200)}
    view.set_models(strangers, "A")
    shown(view, judged, document)
    assert view.of.cast(strangers, "A", document) == {"discriminator": "A"}
    notice = view.findChild(QLabel, "pairNotice")
    assert "2,200 pieces and the discriminator 1,600" in notice.text()


def test_its_own_generator_is_one_click_away(view, judge_card, alone, document, qtbot):
    view.set_models({"A": judge_card}, "A")
    shown(view, alone, document)
    with qtbot.waitSignal(view.load_requested) as told:
        view.load_partner.click()
    assert told.args == ["filler", "B"]


def test_the_threshold_redraws_and_asks_nothing(view, judged, document, qtbot):
    shown(view, judged, document)
    outcomes = view.bar.outcomes
    assert outcomes.accessibleName().startswith("1 hit, 1 miss, 1 false alarm, 2 correct")
    view.set_document(document.with_option("replaced_tokens.threshold", 0.95))
    assert outcomes.accessibleName().startswith("0 hits, 2 misses, 0 false alarms, 3 correct")
    assert view.canvas.look.threshold == 0.95
    with qtbot.waitSignal(view.option_moved) as told:
        view.bar.threshold.slider.setValue(30)
    assert told.args == ["replaced_tokens.threshold", 0.3]


def test_the_thresholds_line_is_dragged(view, judged, document, qtbot):
    shown(view, judged, document)
    at = view.canvas.placed()
    y = int(at.rows[2].center().y())
    start, end = QPoint(int(at.x_of(0.5)), y), QPoint(round(at.x_of(0.25)), y)
    qtbot.mousePress(view.canvas, LEFT, pos=start)
    with qtbot.waitSignal(view.option_moved) as told:
        qtbot.mouseMove(view.canvas, end)
    qtbot.mouseRelease(view.canvas, LEFT, pos=end)
    assert told.args[0] == "replaced_tokens.threshold"
    assert told.args[1] == pytest.approx(0.25, abs=0.02)
    assert not view.canvas.look.dragging


def test_a_click_masks_a_token_or_takes_the_mask_away(view, judged, document, qtbot):
    shown(view, judged, document)
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(view.canvas, LEFT, pos=spot(view, "sentence", 2))
    assert told.args[0].on(document).masks == (Mask(0, 3), Mask(4, 8), Mask(9, 15))
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(view.canvas, LEFT, pos=spot(view, "masked", 3))
    assert told.args[0].on(document).masks == (Mask(0, 3),)
    with qtbot.assertNotEmitted(view.edit_requested):
        qtbot.mouseClick(view.canvas, LEFT, pos=spot(view, "sentence", 0))


def test_a_proposal_is_taken_by_a_click(view, judged, document, qtbot):
    shown(view, judged, document)
    box = view.canvas.placed().lines[3][1]
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(view.canvas, LEFT, pos=box.center().toPoint())
    assert told.args[0].on(document).option(CORRUPTION)["words"] == [
        {"start": 9, "end": 15, "part": 0, "word": "burnt", "piece": "burnt", "was": "cooked"}
    ]


def test_a_word_is_typed_over_another(view, alone, document, qtbot):
    shown(view, alone, document.without_masks())
    qtbot.mouseDClick(view.canvas, LEFT, pos=spot(view, "corrupted", 2))
    editor = view.canvas.findChild(TokenEditor)
    assert editor.text() == "chef"
    editor.setText("telescope")
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    (word,) = told.args[0].on(document.without_masks()).option(CORRUPTION)["words"]
    assert word["word"] == "telescope"
    assert word["was"] == "chef"


def test_the_keyboard_does_all_of_it(view, judged, document, qtbot):
    words = {"seed": 0, "words": [{"start": 20, "end": 24, "was": "meal", "word": "soup"}]}
    document = document.with_option(CORRUPTION, words)
    shown(view, judged, document)
    canvas = view.canvas
    canvas.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: canvas.look.focus == 0)
    for _ in range(5):
        qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert "soup, in the place of meal" in canvas.accessibleDescription()
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.keyClick(canvas, Qt.Key.Key_Delete)
    assert told.args[0].on(document) == document.with_option(CORRUPTION, None)
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.keyClick(canvas, Qt.Key.Key_M)
    assert Mask(20, 24) in told.args[0].on(document).masks
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert canvas.findChild(TokenEditor) is not None


def test_another_draw_lets_the_users_words_go(view, judged, document, qtbot):
    words = {"seed": 2, "words": [{"start": 20, "end": 24, "was": "meal", "word": "soup"}]}
    shown(view, judged, document.with_option(CORRUPTION, words))
    assert view.controls.seed.value() == 2
    with qtbot.waitSignal(view.option_changed) as told:
        view.findChild(QToolButton, "anotherDraw").click()
    assert told.args == [CORRUPTION, {"seed": 3, "words": []}]
    with qtbot.waitSignal(view.option_changed) as told:
        view.controls.drop.click()
    assert told.args == [CORRUPTION, {"seed": 2, "words": []}]


def test_how_tokens_are_drawn_is_set_above_the_loop(view, judged, document, qtbot):
    shown(view, judged, document.without_masks())
    with qtbot.waitSignal(view.option_moved) as told:
        view.controls.temperature.slider.setValue(75)
    assert told.args == ["replaced_tokens.temperature", 3.2]
    with qtbot.waitSignal(view.option_changed) as told:
        view.controls.greedy.click()
    assert told.args == ["replaced_tokens.greedy", True]
    with qtbot.waitSignal(view.option_moved) as told:
        view.controls.rate.setValue(40)
    assert told.args == ["replaced_tokens.rate", 0.4]
    assert not view.controls.rate.isHidden()
    view.set_document(document)
    assert view.controls.rate.isHidden()


def test_losses_follow_lambda_without_asking(view, judged, document, qtbot):
    shown(view, judged, document)
    total = 2.41 + 50 * judged.losses.discriminator
    assert f"total {total:.2f}" in view.losses.picture.measure.spoken
    view.set_document(document.with_option("replaced_tokens.weight", 1.0))
    total = 2.41 + judged.losses.discriminator
    assert f"total {total:.2f}" in view.losses.picture.measure.spoken
    with qtbot.waitSignal(view.option_moved) as told:
        view.weight.slider.setValue(20)
    assert told.args == ["replaced_tokens.weight", 20.0]


def test_how_many_tokens_teach_something(view, judged, alone, document):
    shown(view, judged, document)
    assert "3.5 times as many here" in view.signals.picture.measure.spoken
    shown(view, replace(alone, masked_tokens=0), document)
    assert "would learn nothing" in view.signals.picture.measure.spoken


def test_tooltips_explain_what_is_under_the_mouse(view, judged, document):
    shown(view, judged, document)
    words, _ = view.canvas.tooltip_at(spot(view, "corrupted", 3))
    assert "in the place of cooked" in words
    words, _ = view.canvas.tooltip_at(view.canvas.placed().lines[3][2].center().toPoint())
    assert "cooked: rank 9" in words
    assert "It stood in the sentence" in words


def test_restored_answers_and_cleared_views(view, judged, document):
    shown(view, judged, document)
    assert view.table() == OPERATION.table(judged)
    view.clear()
    assert view.canvas.rows == ()
    assert view.figure(800, theme_of("light")) is None


def test_the_learning_curves_page_is_turned_to_and_back(view, judged, document, qtbot):
    shown(view, judged, document)
    view.learned.click()
    assert view.curves.isVisible()
    assert view.curves.about.text()
    view.learned.click()
    assert view.canvas.isVisible()


def test_a_pinned_answer_stands_beside_the_one_of_now(view, judged, document):
    shown(view, judged, document)
    view.pin()
    better = replace(
        judged, probability=(0.0, 0.3, 0.2, 0.4, 0.1, 0.2, 0.0), other=replace(FILLER, id="better")
    )
    shown(view, better, document)
    row = view.canvas.rows[3]
    assert row.pinned == judged.probability[3]
    assert "Pinned: 0.9241, now -0.524" in row.told()
    assert view.comparison.text().startswith("Pinned filler: 1 of 2 found, 1 false alarm, loss ")
    assert "Now better: 0 of 2 found, 0 false alarms" in view.comparison.text()
    table = view.table()
    assert table.columns[-2:] == ("pinned_probability", "difference")
    assert table.rows[3][-1] == pytest.approx(0.4 - judged.probability[3])
    assert "Pinned filler" in view.caption()
    # Another sentence is not compared token for token.
    shown(view, replace(better, original=("[CLS]", *"abcde", "[SEP]")), document)
    assert view.canvas.rows[3].pinned is None
    assert "The sentences differ" in view.comparison.text()
    view.unpin()
    assert view.comparison.isHidden()
    assert view.canvas.rows[3].pinned is None


def test_the_caption_tells_who_drew_and_how(view, judged, document):
    shown(view, judged, document.with_option("replaced_tokens.temperature", 2.0))
    said = view.caption()
    assert "Corrupted: “the chef ate the soup”." in said
    assert "Threshold 0.50." in said
    assert "Generator: filler, drawn at temperature 2." in said
