"""The loop on screen, drawn from data."""

import itertools
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QToolButton

from explorer.document import Document, Mask
from explorer.numerics.evaluation.outcomes import Outcome
from explorer.questions.detection.drawing import GREEDY, RATE, TEMPERATURE, THRESHOLD
from explorer.questions.detection.pair_of_models import DetectorPair
from explorer.questions.detection.replaced_tokens.options import (
    CORRUPTION,
    CURVES,
    WEIGHT,
    Replacement,
)
from explorer.questions.detection.replaced_tokens.picture.layout import arrange_loop
from explorer.questions.detection.replaced_tokens.picture.rows import rows_of
from explorer.questions.detection.replaced_tokens.question import QUESTION, ReplacedTokensRequest
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.page.page import Load
from explorer.ui.blocks.page.shown import Origin
from explorer.ui.sentence.tokens.editor import TokenEditor
from explorer.ui.theme.schemes import theme_of
from tests.questions.detection.answers import FILLER
from tests.ui.pages import kind_of, spot, words_on
from tests.ui.painted_texts import painted_texts

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def view(shown, judge_card, filler_card):
    made = shown(kind_of(QUESTION.name), 900, 700)
    made.set_models({"A": judge_card, "B": filler_card}, "A")
    return made


def shown(view, result, document):
    view.set_document(document)
    view.show_result(result, document)
    return view


def middle(view, *key):
    """The middle of a place on the page."""
    return spot(view, key if len(key) > 1 else key[0]).box.center().toPoint()


def outcomes(view):
    """What stays in sight, as a screen reader reads it."""
    return " ".join(node.name for node in view.stays.page.nodes)


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
    assert "in place of cooked" in rows[3].spoken(0.5)


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
    request = view.request_of(document.with_option(TEMPERATURE.key, 2.0))
    assert request == ReplacedTokensRequest(
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
    changed = document.with_option(THRESHOLD.key, 0.9)
    assert view.request_of(changed) == view.request_of(document)


def test_the_discriminator_is_found_in_either_slot(view, judge_card, filler_card):
    turned = {"A": replace(filler_card, slot="A"), "B": replace(judge_card, slot="B")}
    for active in "AB":
        view.set_models(turned, active)
        cast = view.of.cast(turned, active, Document("x"))
        assert cast == {"discriminator": "B", "generator": "A"}
        pair = DetectorPair(turned, active)
        assert (pair.discriminator, pair.generator) == ("B", "A")
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
    assert "2,200 pieces and the discriminator 1,600" in words_on(view)


def test_models_are_called_as_the_library_calls_them(
    view, judge_card, filler_card, judged, document
):
    named = (replace(judge_card, title="The judge"), replace(filler_card, title="The painter"))
    view.set_models({"A": named[0], "B": named[1]}, "A")
    shown(view, judged, document)
    texts = {text for _box, text in painted_texts(view, 900.0)}
    assert {"The judge", "The painter"} <= texts


def test_its_own_generator_is_one_click_away(view, judge_card, alone, document, qtbot):
    view.set_models({"A": judge_card}, "A")
    shown(view, alone, document)
    with qtbot.waitSignal(view.load_requested) as told:
        view.page.choose(next(s for s in view.page.page.spots if isinstance(s.act, Load)))
    assert told.args == ["filler", "B"]


def test_the_threshold_redraws_and_asks_nothing(view, judged, document, qtbot):
    shown(view, judged, document)
    assert outcomes(view).startswith(
        "1 hit (true positive), 1 miss (false negative), 1 false alarm (false positive), 2 correct"
    )
    view.set_document(document.with_option(THRESHOLD.key, 0.95))
    assert outcomes(view).startswith(
        "0 hits (true positives), 2 misses (false negatives), 0 false alarms (false positives), "
        "3 correct"
    )
    assert "Above 0.95" in spot(view, "threshold").words
    with qtbot.waitSignal(view.option_moved) as told:
        view.bar.fields[THRESHOLD.key].field.setValue(0.3)
    assert told.args == [THRESHOLD.key, 0.3]


def test_the_tables_outcomes_are_those_at_the_pages_threshold(view, judged, document):
    shown(view, judged, document)
    assert [row[-1] for row in view.table().rows].count("miss") == 1
    view.set_document(document.with_option(THRESHOLD.key, 0.95))
    assert [row[-1] for row in view.table().rows].count("miss") == 2
    assert "Threshold = 0.95" in view.caption()


def test_the_thresholds_line_is_dragged(view, judged, document, qtbot):
    shown(view, judged, document)
    at = arrange_loop(rows_of(judged), view.page.width())
    start = middle(view, "threshold")
    assert start.x() == pytest.approx(at.x_of(0.5), abs=1)
    end = QPoint(start.x() - round(at.bar.width * 0.25), start.y() + 20)
    qtbot.mousePress(view.page, LEFT, pos=start)
    with qtbot.waitSignal(view.option_moved) as told:
        qtbot.mouseMove(view.page, end)
    qtbot.mouseRelease(view.page, LEFT, pos=end)
    assert told.args[0] == THRESHOLD.key
    assert told.args[1] == pytest.approx(0.25, abs=0.02)
    with qtbot.assertNotEmitted(view.option_moved):
        qtbot.mouseMove(view.page, start)


def test_the_thresholds_line_stays_in_hand_while_the_page_is_drawn_anew(
    view, judged, document, qtbot
):
    shown(view, judged, document)
    # As the window does: every step of the line is a new document, and a new picture.
    view.option_moved.connect(
        lambda key, value: view.set_document(document.with_option(key, value))
    )
    at = arrange_loop(rows_of(judged), view.page.width())
    start = middle(view, "threshold")
    qtbot.mousePress(view.page, LEFT, pos=start)
    for step in range(1, 9):
        share = 0.05 * step
        qtbot.mouseMove(view.page, QPoint(start.x() - round(at.bar.width * share), start.y()))
        assert THRESHOLD.of(view.now) == pytest.approx(0.5 - share, abs=0.02)
    qtbot.mouseRelease(view.page, LEFT, pos=start)


def test_a_click_masks_a_token_or_takes_the_mask_away(view, judged, document, qtbot):
    shown(view, judged, document)
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(view.page, LEFT, pos=middle(view, "sentence", 2))
    assert told.args[0].on(document).masks == (Mask(0, 3), Mask(4, 8), Mask(9, 15))
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(view.page, LEFT, pos=middle(view, "masked", 3))
    assert told.args[0].on(document).masks == (Mask(0, 3),)
    with qtbot.assertNotEmitted(view.edit_requested):
        qtbot.mouseClick(view.page, LEFT, pos=middle(view, "row", 0))


def test_a_proposal_is_taken_by_a_click(view, judged, document, qtbot):
    shown(view, judged, document)
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.mouseClick(view.page, LEFT, pos=middle(view, "proposal", 3, 1))
    assert told.args[0].on(document).option(CORRUPTION)["words"] == [
        {"start": 9, "end": 15, "part": 0, "word": "burnt", "piece": "burnt", "was": "cooked"}
    ]


def test_a_word_is_typed_over_another(view, alone, document, qtbot):
    shown(view, alone, document.without_masks())
    qtbot.mouseDClick(view.page, LEFT, pos=middle(view, "corrupted", 2))
    editor = view.page.findChild(TokenEditor)
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
    canvas = view.page
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    assert "worst false alarm" in canvas.accessibleDescription()
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.current.key == ("chip", "Discard my replacements")
    qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert canvas.current.key == ("row", 0)
    for _ in range(5):
        qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert "soup, in place of meal" in canvas.accessibleDescription()
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.keyClick(canvas, Qt.Key.Key_Delete)
    assert told.args[0].on(document) == document.with_option(CORRUPTION, None)
    with qtbot.waitSignal(view.edit_requested) as told:
        qtbot.keyClick(canvas, Qt.Key.Key_M)
    assert Mask(20, 24) in told.args[0].on(document).masks
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert canvas.findChild(TokenEditor) is not None


def test_without_masks_it_says_that_chance_chose_and_how_to_choose(view, judged, document):
    said = "Nothing is masked, so 15 % of the tokens were chosen at random."
    shown(view, judged, document.without_masks())
    assert said in words_on(view)
    shown(view, judged, document.without_masks().with_mask(4, 8))
    assert said not in words_on(view)


def test_another_draw_leaves_the_users_words_and_a_chip_takes_them_back(
    view, judged, document, qtbot
):
    words = {"seed": 2, "words": [{"start": 20, "end": 24, "was": "meal", "word": "soup"}]}
    shown(view, judged, document.with_option(CORRUPTION, words))
    seed = view.bar.fields[CORRUPTION]
    assert seed.value() == 2
    with qtbot.waitSignal(view.option_changed) as told:
        view.findChild(QToolButton, f"{CORRUPTION}.next").click()
    kept = [{"start": 20, "end": 24, "part": 0, "word": "soup", "piece": "", "was": "meal"}]
    assert told.args == [CORRUPTION, {"seed": 3, "words": kept}]
    with qtbot.waitSignal(view.edit_requested) as told:
        view.page.choose(spot(view, ("chip", "Discard my replacements")))
    after = told.args[0].on(view.now)
    assert after.option(CORRUPTION) == {"seed": 2, "words": []}
    shown(view, judged, after)
    assert not [one for one in view.page.page.spots if one.spoken == "Discard my replacements"]


def test_how_tokens_are_drawn_is_set_above_the_loop(view, judged, document, qtbot):
    shown(view, judged, document.without_masks())
    with qtbot.waitSignal(view.option_moved) as told:
        view.bar.fields[TEMPERATURE.key].field.setValue(3.2)
    assert told.args == [TEMPERATURE.key, 3.2]
    with qtbot.waitSignal(view.option_changed) as told:
        view.bar.fields[GREEDY.key].click()
    assert told.args == [GREEDY.key, True]
    with qtbot.waitSignal(view.option_moved) as told:
        view.bar.fields[RATE.key].setValue(40)
    assert told.args == [RATE.key, 0.4]
    assert view.bar.fields[RATE.key].isEnabled()
    view.set_document(document)
    assert not view.bar.fields[RATE.key].isEnabled()


def test_losses_follow_lambda_without_asking(view, judged, document, qtbot):
    shown(view, judged, document)
    total = 2.41 + 50 * judged.losses.discriminator
    assert f"total {total:.2f}" in words_on(view)
    view.set_document(document.with_option(WEIGHT.key, 1.0))
    total = 2.41 + judged.losses.discriminator
    assert f"total {total:.2f}" in words_on(view)
    with qtbot.waitSignal(view.option_moved) as told:
        view.bar.fields[WEIGHT.key].setValue(20)
    assert told.args == [WEIGHT.key, 20.0]


def test_how_many_tokens_teach_something(view, judged, alone, document):
    shown(view, judged, document)
    assert "a factor of 3.5 here" in words_on(view)
    shown(view, replace(alone, masked_tokens=0), document)
    assert "would learn nothing" in words_on(view)


def test_tooltips_explain_what_is_under_the_mouse(view, judged, document):
    shown(view, judged, document)
    words = view.page.spot_at(middle(view, "corrupted", 3)).words
    assert "it replaces cooked" in words
    assert "true positive" in words
    words = view.page.spot_at(middle(view, "proposal", 3, 2)).words
    assert "cooked: rank 9" in words
    assert "It was in the sentence" in words


def test_restored_answers_and_cleared_views(view, judged, document):
    shown(view, judged, document)
    assert view.table() == QUESTION.table(judged)
    view.clear()
    assert view.page.page is None
    assert view.figure(800, theme_of("light")) is None


def test_the_learning_curves_page_is_turned_to_and_back(view, judged, document, qtbot):
    shown(view, judged, document)
    with qtbot.waitSignal(view.option_changed) as told:
        view.bar.fields[CURVES.key].click()
    assert told.args == [CURVES.key, True]
    view.set_document(document.with_option(*told.args))
    assert words_on(view).startswith("Four short runs")
    # It asks nothing, and what leaves the program is the answer.
    assert view.request_of(view.now) == view.request_of(document)
    assert "token by token" in words_on(view, alone=True)
    view.set_document(document)
    assert "token by token" in words_on(view)


def test_a_pinned_answer_stands_beside_the_one_of_now(view, judged, document):
    shown(view, judged, document)
    view.pin()
    better = replace(
        judged, probability=(0.0, 0.3, 0.2, 0.4, 0.1, 0.2, 0.0), other=replace(FILLER, id="better")
    )
    shown(view, better, document)
    assert judged.probability[3] == pytest.approx(0.9241, abs=1e-4)
    assert "Pinned: 0.9241, now −0.524" in spot(view, ("row", 3)).words
    assert "Pinned Filler: 1 of 2 found, false alarms 1, loss " in words_on(view)
    assert "Now better: 0 of 2 found, false alarms 0" in words_on(view)
    table = view.table()
    assert table.column("pinned_replaced_probability")[3] == pytest.approx(judged.probability[3])
    assert table.column("change_of_replaced_probability")[3] == pytest.approx(
        0.4 - judged.probability[3]
    )
    assert "Compared with the pinned answer:" in view.caption()
    # Another sentence is not compared token for token.
    shown(view, replace(better, original=("[CLS]", *"abcde", "[SEP]")), document)
    assert "Pinned:" not in spot(view, ("row", 3)).words
    assert "The sentences differ" in words_on(view)
    view.unpin()
    assert "Pinned" not in words_on(view)
    assert "Pinned:" not in spot(view, ("row", 3)).words


def test_the_caption_tells_who_drew_and_how(view, judged, document):
    asked = document.with_option(TEMPERATURE.key, 2.0)
    models = {"discriminator": judged.model, "generator": FILLER}
    view.set_document(asked)
    view.show_result(judged, asked, Origin("2026-01-01", models=models))
    for said in (view.caption(), view.caption(rows=True, in_file=True)):
        assert "Corrupted: “the chef ate the soup”." in said
        assert "Temperature = 2" in said
        assert f"Generator: filler (family electra, fingerprint {'1' * 12}" in said


def test_a_screen_reader_finds_a_row_a_token(view, judged, document):
    shown(view, judged, document)
    row = spot(view, ("row", 3))
    assert [cell.text for cell in row.cells] == [
        "sentence cooked", "corrupted ate", "replaced with probability 0.924", "outcome hit (TP)",
    ]  # fmt: skip


def test_where_it_is_narrow_the_loop_is_smaller_and_its_places_lie_on_it(view, judged, document):
    shown(view, judged, document)
    blocks = list(view.declared.blocks(view.shown(alone=True)))
    page = page_of(blocks, 340)
    assert all(one.box.right() <= 341 for one in page.spots)
    wide = page_of(blocks, 1300)
    cards = [one.box.left() for one in wide.spots if "squares" not in one.words][-1:]
    assert cards[0] > 900  # the ROC stands beside the loop


def test_the_token_that_was_turned_to_is_framed_and_brought_into_sight(
    view, judged, document, qtbot
):
    shown(view, judged, document)
    qtbot.waitUntil(lambda: view.page.height() > 100)
    before = view.page.grab().toImage()
    view.show_position(3)
    assert view.page.grab().toImage() != before
    assert 3 in view.page.page.anchors
