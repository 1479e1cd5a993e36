"""Sentences that run from the right, and sentences of both directions."""

from itertools import chain, pairwise

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QLabel

from explorer.api.question import Token
from explorer.document import Document
from explorer.text.bidi import END, ISOLATE, MARKS
from explorer.ui.sentence.pieces import of_words, pieces_of_tokens
from explorer.ui.sentence.tokens.layout import MARGIN, RAIL, arrange
from explorer.ui.sentence.tokens.painting import Highlights, paint_tokens
from explorer.ui.sentence.tokens.popover import TokenPopover
from explorer.ui.sentence.tokens.strip import TokenStrip
from explorer.ui.theme.schemes import theme_of
from explorer.ui.typesetting.one_line import draw_text
from tests.ui.painted_texts import painted_texts

HEBREW = "הטבח בישל את הארוחה"
"""The chef cooked the meal."""
ARABIC = "طبخ الطباخ الوجبة"
MIXED = "הטבח קרא deep learning yesterday במטבח"


def seen(layout, pieces):
    """The words of each line as they stand from the left."""
    return [
        [pieces[i].text for i in sorted(line, key=lambda i: layout.boxes[i].left())]
        for line in layout.lines
    ]


def words_at(text, width=2000.0, pair=None):
    pieces = of_words(Document(text, pair))
    return pieces, arrange(pieces, width)


@pytest.mark.parametrize("text", [HEBREW, ARABIC])
def test_words_stand_from_the_right(qapp, text):
    pieces, layout = words_at(text, 600.0)
    assert seen(layout, pieces) == [text.split()[::-1]]
    assert layout.boxes[0].right() == pytest.approx(600 - MARGIN)


def test_english_stands_as_ever(qapp):
    pieces, layout = words_at("The chef cooked the meal", 600.0)
    assert seen(layout, pieces) == [["The", "chef", "cooked", "the", "meal"]]
    assert layout.boxes[0].left() == MARGIN
    assert not layout.leftward


def test_lines_are_broken_in_the_order_of_reading(qapp):
    pieces, layout = words_at(HEBREW, 150.0)
    assert len(layout.lines) > 1
    assert list(chain.from_iterable(layout.lines)) == list(range(len(pieces)))
    for line in layout.lines:
        rights = [layout.boxes[i].right() for i in line]
        assert rights == sorted(rights, reverse=True)
        assert rights[0] == pytest.approx(150 - MARGIN)
        assert all(layout.boxes[i].left() >= MARGIN - 0.01 for i in line)


def test_english_words_in_a_hebrew_sentence_are_read_from_the_left(qapp):
    pieces, layout = words_at(MIXED)
    assert seen(layout, pieces) == [["במטבח", "deep", "learning", "yesterday", "קרא", "הטבח"]]


def test_hebrew_words_in_an_english_sentence_are_read_from_the_right(qapp):
    pieces, layout = words_at("The words הטבח בישל mean cooked")
    assert seen(layout, pieces) == [["The", "words", "בישל", "הטבח", "mean", "cooked"]]


def test_numbers_and_masks_go_with_what_is_around_them(qapp):
    pieces, layout = words_at("הטבח בישל 12 ארוחות")
    assert seen(layout, pieces) == [["ארוחות", "12", "בישל", "הטבח"]]
    pieces, layout = words_at("הטבח read page 12 אתמול")
    assert seen(layout, pieces) == [["אתמול", "read", "page", "12", "הטבח"]]
    pieces, layout = words_at("הטבח deep [MASK] learning אתמול")
    assert seen(layout, pieces) == [["אתמול", "deep", "", "learning", "הטבח"]]


def test_nothing_overlaps_and_gaps_stay(qapp):
    for text in (HEBREW, MIXED, "The words הטבח בישל mean cooked"):
        _pieces, layout = words_at(text)
        boxes = sorted(layout.boxes, key=lambda box: box.left())
        gaps = [after.left() - before.right() for before, after in pairwise(boxes)]
        assert gaps == pytest.approx([gaps[0]] * len(gaps))
        assert gaps[0] > 0


def test_each_text_of_a_pair_has_its_own_side(qapp):
    _pieces, layout = words_at("The chef cooked", 600.0, HEBREW)
    first, second = layout.lines
    assert layout.boxes[first[0]].left() == MARGIN
    assert layout.boxes[second[0]].right() == pytest.approx(600 - MARGIN - RAIL)
    assert layout.from_right == {1}


def token(text, start, joined=False, special=False):
    end = start + len(text.removeprefix("##"))
    return Token(text, 7, start, end, special=special, joined=joined)


TOKENS = (
    Token("[CLS]", 1, 0, 0, special=True),
    token("הט", 0),
    token("##בח", 2, joined=True),
    token("בישל", 5),
    Token("[SEP]", 2, 9, 9, special=True),
)


def test_special_tokens_and_pieces_of_words_run_from_the_right_too(qapp):
    pieces = pieces_of_tokens(TOKENS, Document("הטבח בישל"))
    layout = arrange(pieces, 600.0)
    assert seen(layout, pieces) == [["[SEP]", "בישל", "בח", "הט", "[CLS]"]]
    assert layout.boxes[2].right() == pytest.approx(layout.boxes[1].left())
    wide, tight = layout.pads(pieces, 1)[::-1]
    assert wide > tight, "the room is where the word begins"


def test_the_pieces_of_a_number_are_read_from_the_left(qapp):
    pieces = pieces_of_tokens(
        (
            token("שנת", 0),
            token("20", 4),
            token("##2", 6, joined=True),
            token("##4", 7, joined=True),
            token("15", 9),
            token("בית", 12),
        ),
        Document("שנת 2024 15 בית"),
    )
    layout = arrange(pieces, 600.0)
    assert seen(layout, pieces) == [["בית", "15", "20", "2", "4", "שנת"]]
    assert layout.boxes[1].right() == pytest.approx(layout.boxes[2].left())
    wide, tight = layout.pads(pieces, 1)
    assert wide > tight, "the room is where the number begins"
    assert layout.beside(2, 1) == 3


def test_the_note_on_what_is_left_out_stands_at_the_left(qapp):
    pieces = of_words(Document(HEBREW))
    layout = arrange(pieces, 700.0, tail="not seen by the model")
    assert layout.tail is not None
    assert layout.tail.right() < min(box.left() for box in layout.boxes)


@pytest.fixture
def strip(qtbot):
    strip = TokenStrip()
    qtbot.addWidget(strip)
    strip.resize(600, 120)
    strip.set_plain_words(Document(MIXED))
    strip.show()
    return strip


def at(strip, index):
    return strip.box_of(index).center().toPoint()


def test_the_arrows_go_where_they_point(strip, qtbot):
    strip.go_to(0)
    walked = []
    for _ in range(5):
        qtbot.keyClick(strip, Qt.Key.Key_Left)
        walked.append(strip.pieces[strip.focus_index].text)
    assert walked == ["קרא", "yesterday", "learning", "deep", "במטבח"]
    qtbot.keyClick(strip, Qt.Key.Key_Left)
    assert strip.pieces[strip.focus_index].text == "במטבח"
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    assert strip.pieces[strip.focus_index].text == "deep"
    qtbot.keyClick(strip, Qt.Key.Key_Home)
    assert strip.focus_index == 0
    qtbot.keyClick(strip, Qt.Key.Key_End)
    assert strip.pieces[strip.focus_index].text == "במטבח"


def test_at_the_end_of_a_line_the_arrows_go_on_in_the_next(strip, qtbot):
    strip.set_plain_words(Document(HEBREW))
    strip.resize(150, 200)
    layout = strip.layout_at(150)
    first, second = layout.lines[:2]
    strip.go_to(first[-1])
    qtbot.keyClick(strip, Qt.Key.Key_Left)
    assert strip.focus_index == second[0]
    qtbot.keyClick(strip, Qt.Key.Key_Right)
    assert strip.focus_index == first[-1]


def test_a_click_masks_the_word_that_is_under_it(strip, qtbot):
    with qtbot.waitSignal(strip.mask_toggled) as toggled:
        qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=at(strip, 0))
    assert toggled.args == [0, 4, 0]


def test_a_drag_from_the_right_masks_a_span(strip, qtbot):
    strip.set_plain_words(Document(HEBREW))
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=at(strip, 0))
    qtbot.mouseMove(strip, at(strip, 2))
    with qtbot.waitSignal(strip.mask_span) as masked:
        qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=at(strip, 2) - QPoint(1, 0))
    start, end, _part = masked.args
    assert HEBREW[start:end] == "הטבח בישל את"


def test_what_is_painted_stands_where_it_is_clicked(qapp):
    pieces = of_words(Document(HEBREW))
    layout = arrange(pieces, 600.0)
    image = QImage(600, 60, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_tokens(painter, theme_of("light"), pieces, layout, Highlights())
    painter.end()
    white = image.pixelColor(1, 1)
    left = round(min(box.left() for box in layout.boxes))
    assert all(image.pixelColor(x, y) == white for x in range(left - 2) for y in range(60))
    assert any(image.pixelColor(x, 20) != white for x in range(left, 600))


def test_a_hebrew_sentence_in_the_field_begins_at_the_right(running, qtbot):
    sentence = running.window.sentence
    editor = sentence.editors[0]
    editor.setPlainText(HEBREW)
    qtbot.waitUntil(lambda: running.bench.state.document.text == HEBREW)
    qtbot.waitUntil(lambda: any(p.text == "בישל" for p in sentence.strip.pieces))
    cursor = editor.textCursor()
    cursor.setPosition(0)
    editor.setTextCursor(cursor)
    assert editor.cursorRect().center().x() > editor.viewport().width() * 0.8
    strip = sentence.strip
    places = [strip.box_of(i).left() for i, p in enumerate(strip.pieces) if not p.special]
    assert places == sorted(places, reverse=True)


def test_the_line_of_the_log_leaves_its_sentence_in_its_own_direction(running, qtbot):
    text = HEBREW.replace("בישל", "[MASK]")
    running.window.sentence.editors[0].setPlainText(text)
    log = running.window.findChild(QLabel, "log_line_latest")
    qtbot.waitUntil(lambda: text in log.toolTip())
    assert f" · {ISOLATE}{text}{END} · " in log.toolTip()


def test_the_words_around_a_mask_stand_from_the_right_too(running, qtbot):
    text = f"{HEBREW} [MASK] BERT 2024"
    running.window.sentence.editors[0].setPlainText(text)
    view = running.window.view_of("masked_tokens")
    qtbot.waitUntil(lambda: any("bert 2024" in one for _box, one in painted_texts(view, 900.0)))
    painted = painted_texts(view, 900.0)
    before = next(box for box, one in painted if HEBREW in one)
    after = next(box for box, one in painted if "bert 2024" in one)
    mask = max((box for box, one in painted if one == "[MASK]"), key=lambda box: box.right())
    assert after.right() < mask.left() < mask.right() < before.left()
    # Qt draws what begins with this mark from the right: "2024 bert".
    assert next(one for _box, one in painted if "bert 2024" in one).startswith(MARKS[1])


def test_an_english_sentence_begins_at_the_left_again(running, qtbot):
    editor = running.window.sentence.editors[0]
    for text, begins_right in ((HEBREW, True), ("The chef cooked", False), (MIXED, True)):
        editor.setPlainText(text)
        cursor = editor.textCursor()
        cursor.setPosition(0)
        editor.setTextCursor(cursor)
        x = editor.cursorRect().center().x()
        assert (x > editor.viewport().width() / 2) == begins_right, text


def test_the_details_open_below_the_beginning_of_a_word_from_the_right(strip, qtbot):
    popover = TokenPopover(strip, strip)
    for index, from_right in ((1, True), (2, False)):
        strip.go_to(index)
        popover.open()
        box = strip.box_of(index).toAlignedRect()
        left, right = (strip.mapToGlobal(one).x() for one in (box.topLeft(), box.topRight()))
        at = popover.geometry()
        assert abs(at.right() - right if from_right else at.left() - left) <= 2
        popover.close()


def test_cells_of_tables_keep_their_side_whatever_is_written_in_them(qapp):
    def first_ink(word):
        image = QImage(200, 30, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        box = QRectF(0, 0, 200, 30)
        colour = theme_of("light").text
        draw_text(painter, box, word, "body", colour, Qt.AlignmentFlag.AlignLeft)
        painter.end()
        white = QColor(Qt.GlobalColor.white)
        inked = (x for x in range(200) if any(image.pixelColor(x, y) != white for y in range(30)))
        return next(inked)

    assert first_ink("ארוחה") < 8
    assert first_ink("meal") < 8
