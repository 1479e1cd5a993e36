"""A pinned answer in the window: masks are compared by where they stand in the text."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from explorer.api.family import LoadOptions
from explorer.ui.views.frame.view_frame import FrameState
from tests.ui.fake_engine import CACHED
from tests.ui.late_answers import share_of, teach
from tests.ui.pages import mask_cards

LEFT = Qt.MouseButton.LeftButton
NO_MASK = "The pinned answer has no mask here, so no difference is shown."
OTHER_TEXT = (
    "The pinned answer is of another text and has no mask at this very place, so no difference is "
    "shown."
)


@pytest.fixture
def running(engine, start):
    teach(engine)
    return start()


def asker_of(running, question):
    return running.bench.asking.askers[question]


def pin(running, question, qtbot):
    """Show a view, wait for its answer, press its pin."""
    running.window.view_area.bring_forward(question)
    wait(running, question, qtbot)
    frame = asker_of(running, question).frame
    qtbot.mouseClick(frame.pin_button, LEFT)
    return asker_of(running, question).view


def wait(running, question, qtbot):
    """For the answer to the question of now."""
    asker = asker_of(running, question)
    qtbot.waitUntil(
        lambda: (
            running.bench.asking.is_idle
            and asker.frame.state is FrameState.RESULT
            and asker.view.document.text == running.bench.state.document.text
            and asker.view.document.masks == running.bench.state.document.masks
        )
    )


def click_token(running, qtbot, text):
    strip = running.window.sentence.strip
    qtbot.waitUntil(lambda: any(p.text == text for p in strip.pieces))
    index = next(i for i, p in enumerate(strip.pieces) if p.text == text)
    qtbot.mouseClick(strip, LEFT, pos=strip.box_of(index).center().toPoint())


def type_at_start(running, qtbot, words):
    editor = running.window.sentence.editors[0]
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(editor, words)


def type_at_end(running, qtbot, words):
    editor = running.window.sentence.editors[0]
    editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(editor, words)


def changes(card):
    return card.changes


def test_a_mask_before_the_pinned_one_takes_nothing_from_it(running, qtbot):
    view = pin(running, "masked_tokens", qtbot)
    click_token(running, qtbot, "chef")
    qtbot.waitUntil(lambda: len(mask_cards(view)) == 2)
    chef, cooked = mask_cards(view).values()
    assert chef.said[-1] == NO_MASK
    assert set(changes(chef)) == {""}
    assert "matched as written" in cooked.said[-1]
    assert changes(cooked)[0].startswith("±0.0000")
    table = view.table()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    first, second = mask_cards(view)
    assert {row["change_of_probability"] for row in rows if row["mask"] == first} == {None}
    assert {row["change_of_probability"] for row in rows if row["mask"] == second} == {0.0}


def test_typing_elsewhere_leaves_a_mask_the_same(running, qtbot):
    view = pin(running, "masked_tokens", qtbot)
    type_at_start(running, qtbot, "Yesterday ")
    wait(running, "masked_tokens", qtbot)
    (card,) = mask_cards(view).values()
    assert "matched as written" in card.said[-1]
    assert changes(card)[0].startswith("±0.0000")


def test_another_word_under_the_mask_is_the_same_place(running, qtbot):
    view = pin(running, "masked_tokens", qtbot)
    running.bench.edits.put_words(9, 15, "burned", 0)
    running.bench.edits.mask(9, 15, 0)
    wait(running, "masked_tokens", qtbot)
    (card,) = mask_cards(view).values()
    difference = share_of("burned") - share_of("cooked")
    assert difference != 0
    assert changes(card)[0].startswith(f"{difference:+.4f}".replace("-", "−"))


def test_where_the_text_is_another_around_it_no_difference_is_shown(running, qtbot):
    view = pin(running, "masked_tokens", qtbot)
    type_at_start(running, qtbot, "Yesterday ")
    type_at_end(running, qtbot, " Too")
    wait(running, "masked_tokens", qtbot)
    (card,) = mask_cards(view).values()
    assert card.said[-1] == OTHER_TEXT
    assert set(changes(card)) == {""}


def test_own_words_are_compared_gap_by_gap(running, qtbot):
    running.bench.edits.set_option("candidate_words.words", "soup")
    view = pin(running, "candidate_words", qtbot)
    click_token(running, qtbot, "chef")
    qtbot.waitUntil(lambda: len(view.result.gaps) == 2)
    table = view.table()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [row["pinned_probability"] for row in rows] == [
        None,
        pytest.approx(share_of("cooked")),
    ]
    said = [spot.words for spot in view.page.page.spots if spot.key and spot.key[0] == "word"]
    assert "Pinned answer" not in said[0]
    assert f"Pinned answer: {share_of('cooked'):.4f}" in said[1]


def test_soft_targets_are_compared_mask_by_mask(running, qtbot):
    bench = running.bench
    bench.models.load("B", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: "B" in bench.models.cards)
    view = pin(running, "soft_targets", qtbot)
    click_token(running, qtbot, "chef")
    qtbot.waitUntil(lambda: len(view.result.masks) == 2)
    table = view.table()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert {row["pinned_student"] for row in rows if row["mask"] == 1} == {None}
    assert {row["change_of_student"] for row in rows if row["mask"] == 2} == {0.0}
    told = {spot.key[-1]: spot.words for spot in view.page.page.spots if spot.key}
    assert "Pinned: " not in told["made"]
    bench.edits.set_option("soft_targets.mask", 1)
    told = {spot.key[-1]: spot.words for spot in view.page.page.spots if spot.key}
    assert "Pinned: " in told["made"]


def test_fillings_of_other_masks_are_not_compared(running, qtbot):
    click_token(running, qtbot, "meal")
    view = pin(running, "joint_decoding", qtbot)
    fillings = [s.words for s in view.page.page.spots if s.key and s.key[0] == "filling"]
    assert all("Pinned" in words for words in fillings)
    type_at_start(running, qtbot, "Yesterday ")
    wait(running, "joint_decoding", qtbot)
    fillings = [s.words for s in view.page.page.spots if s.key and s.key[0] == "filling"]
    assert all("Pinned" in words for words in fillings)
    running.bench.edits.clear_masks()
    click_token(running, qtbot, "chef")
    click_token(running, qtbot, "kitchen")
    wait(running, "joint_decoding", qtbot)
    fillings = [s.words for s in view.page.page.spots if s.key and s.key[0] == "filling"]
    assert fillings
    assert not any("inned" in words for words in fillings)
    table = view.table()
    assert {row[table.columns.index("change_of_joint")] for row in table.rows} == {None}
