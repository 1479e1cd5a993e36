"""Pieces below the characters that they stand for, in every script."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter

from explorer.ui.blocks.aligned import block as aligned
from explorer.ui.blocks.aligned.block import AlignedRows, LaidRows
from explorer.ui.blocks.aligned.columns import units_of
from explorer.ui.blocks.aligned.rows import AlignedPiece, AlignedRow
from explorer.ui.blocks.block import page_of
from explorer.ui.theme.schemes import theme_of

WIDE = 4000.0


def pieces(*spans, **more):
    return tuple(AlignedPiece(start, end, words=f"{start}-{end}", **more) for start, end in spans)


def laid(text, *rows, width=WIDE):
    block = AlignedRows(text, [AlignedRow(f"row {n}", one) for n, one in enumerate(rows)], "title")
    return block.at(width)


def boxes(laid, row=0):
    """Of the pieces of a row, by its number: where each part of one stands."""
    return {
        key: spot.box for spot in laid.spots if (key := spot.key)[0] == "piece" and key[2] == row
    }


def order(laid, row=0):
    """Numbers of a row's pieces from the left."""
    found = boxes(laid, row)
    return [key[3] for key in sorted(found, key=lambda key: found[key].left())]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("abc", ["a", "b", "c"]),
        ("e\u0301a", ["e\u0301", "a"]),
        ("한국", ["한", "국"]),
        ("👩🏽‍🚀!", ["👩🏽‍🚀", "!"]),
        ("a b", ["a", "␣", "b"]),
        ("😀😀", ["😀", "😀"]),
    ],
)
def test_a_letter_with_its_marks_is_one_column(qapp, text, units):
    found = units_of(text)
    assert [unit.text for unit in found] == units
    assert [found[0].start, *(unit.end for unit in found)] == [
        *(unit.start for unit in found),
        len(text),
    ]


def test_pieces_of_all_rows_stand_below_the_same_letters(qapp):
    text = "unbelievable cats"
    page = laid(text, pieces((0, 12), (13, 17)), pieces((0, 2), (2, 12), (12, 17)))
    whole, cats = boxes(page).values()
    un, rest, spaced = boxes(page, 1).values()
    assert un.left() == pytest.approx(whole.left())
    assert rest.right() == pytest.approx(whole.right())
    assert spaced.right() == pytest.approx(cats.right())
    assert spaced.left() < cats.left()
    assert un.top() > whole.bottom()


def test_pieces_of_one_letter_stand_side_by_side_below_it(qapp):
    bytes_of = tuple(AlignedPiece(1, 2, text) for text in ("ED", "95", "9C"))
    page = laid("a한b", (AlignedPiece(0, 1), *bytes_of, AlignedPiece(2, 3)), pieces((1, 2)))
    shared = [box for key, box in boxes(page).items() if 1 <= key[3] <= 3]
    (letter,) = boxes(page, 1).values()
    assert shared[0].left() == pytest.approx(letter.left())
    assert shared[-1].right() == pytest.approx(letter.right())
    for one, other in pairwise(shared):
        assert one.right() <= other.left()
        assert one.width() == pytest.approx(other.width(), abs=3)


@pytest.mark.parametrize("width", [220.0, 360.0, 900.0])
def test_nothing_is_drawn_twice_and_nothing_beyond_the_width(qapp, width):
    text = "the chef cooked 한국어를 in pneumonoultramicroscopicsilicovolcanoconiosis"
    spans = [(n, n + 3) for n in range(0, len(text), 3)]
    page = laid(text, pieces(*spans), pieces((0, len(text))), width=width)
    for row in (0, 1):
        found = list(boxes(page, row).values())
        assert all(box.left() >= 0 and box.right() <= width + 1 for box in found)
        lines = {}
        for box in found:
            lines.setdefault(box.top(), []).append(box)
        for line in lines.values():
            line.sort(key=lambda box: box.left())
            assert all(one.right() <= other.left() + 0.1 for one, other in pairwise(line))
    assert {key[3] for key in boxes(page)} == set(range(len(spans)))


def test_lines_break_behind_spaces(qapp):
    page = laid("one two three four five six", pieces((0, 27)), width=220.0)
    lines = {key[1] for key in boxes(page)}
    assert len(lines) > 1
    words = [(0, 3), (4, 7), (8, 13), (14, 18), (19, 23), (24, 27)]
    page = laid("one two three four five six", pieces(*words), width=220.0)
    assert sorted(key[3] for key in boxes(page)) == list(range(6))


def test_a_text_from_the_right_begins_at_the_right(qapp):
    page = laid("שלום עולם", pieces((0, 4), (5, 9)))
    assert order(page) == [1, 0]
    assert boxes(page)["piece", 0, 0, 0].right() > WIDE - 20


def test_words_of_the_other_direction_run_their_own_way(qapp):
    text = "abc שלום def"
    letters = pieces(*((n, n + 1) for n in range(len(text))))
    assert order(laid(text, letters)) == [0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11]
    text = "שלום abc עולם"
    letters = pieces(*((n, n + 1) for n in range(len(text))))
    assert order(laid(text, letters)) == [12, 11, 10, 9, 8, 5, 6, 7, 4, 3, 2, 1, 0]


def test_a_piece_with_a_space_before_a_word_of_the_other_direction_is_in_two_parts(qapp):
    page = laid("שלום abc", pieces((0, 4), (4, 6), (6, 8)))
    found = [spot.box for spot in page.spots if spot.key == ("piece", 0, 0, 1)]
    assert len(found) == 2
    assert not found[0].intersects(found[1])


def test_a_screen_reader_has_a_row_a_line_with_its_pieces(qapp):
    said = (AlignedPiece(0, 3, spoken="the, known"), AlignedPiece(4, 8, spoken="chef, unknown"))
    page = laid("the chef", said)
    (row,) = (spot for spot in page.spots if spot.key[0] == "row")
    assert page.name == "title"
    assert [cell.text for cell in row.cells] == ["the, known", "chef, unknown"]
    assert row.said == "row 0: the, chef"


def test_colours_and_crosses_are_painted(qapp):
    theme = theme_of("light")
    block = AlignedRows(
        "ab\u200bc",
        [AlignedRow("row", (AlignedPiece(0, 2, ground="mask_fill"),), removed=(3,))],
    )
    page = block.at(300.0)
    image = QImage(300, int(page.height) + 4, QImage.Format.Format_RGB32)
    image.fill(theme.surface)
    painter = QPainter(image)
    page.paint(painter, theme)
    painter.end()
    seen = {image.pixelColor(x, y).name() for x in range(300) for y in range(image.height())}
    assert theme.mask_fill.name() in seen
    assert theme.danger.name() in seen


def test_spaces_at_the_end_of_a_line_stand_where_it_ends(qapp):
    """As Unicode orders them (rule L1), though the words on both sides run from the right."""
    text = "ab שלום עולם"
    letters = pieces(*((n, n + 1) for n in range(len(text))))
    page = laid(text, letters, width=230.0)
    lines = {key[1] for key in boxes(page)}
    assert len(lines) == 2
    first = {key[3]: box for key, box in boxes(page).items() if key[1] == 0}
    assert max(first, key=lambda number: first[number].left()) == max(first) == 7


def test_a_piece_in_two_lines_says_what_it_is_in_the_larger_part(qapp):
    page = laid("seven wonders", pieces((0, 5), (5, 13)), width=180.0)
    rows = [spot for spot in page.spots if spot.key[0] == "row"]
    # The space that the second piece begins with ends the first line.
    assert [[cell.value for cell in spot.cells] for spot in rows] == [["seven", ""], ["wonders"]]


def test_a_letter_behind_a_space_that_ends_a_line_stands_below_itself(qapp):
    page = laid("seven wonders", pieces((0, 5), (5, 7), (7, 13)), width=180.0)
    rows = [spot for spot in page.spots if spot.key[0] == "row"]
    told = [[cell.value for cell in spot.cells] for spot in rows]
    assert told == [["seven", ""], ["w", "onders"]]


def test_a_part_that_is_painted_alone_looks_as_in_the_whole(qapp):
    text = "unbelievable cats sat on mats"
    rows = (pieces((0, 12), (13, 17), (18, 29)), pieces((0, 2), (2, 12), (12, 29), dotted=True))
    page = laid(text, *rows, width=240.0)
    high = int(page.height) + 1

    def painted(clip=None):
        image = QImage(240, high, QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if clip is not None:
            painter.setClipRect(clip)
        page.paint(painter, theme_of("light"))
        painter.end()
        return image

    whole = painted()
    for top in range(0, high, 5):
        strip = QRect(0, top, 240, min(5, high - top))
        assert painted(strip).copy(strip) == whole.copy(strip), top


def test_a_page_that_is_drawn_anew_places_nothing_again(qapp, monkeypatch):
    """Of a text of 532 characters that took 90 ms with every key."""
    made = []
    monkeypatch.setattr(
        aligned, "LaidRows", lambda block, width: made.append(width) or LaidRows(block, width)
    )
    block = AlignedRows("un cat", [AlignedRow("row", pieces((0, 2), (3, 6)))])
    first = page_of([block], 900)
    assert [spot.box for spot in page_of([block], 900).spots] == [spot.box for spot in first.spots]
    assert made == [900]
    page_of([block], 500)
    page_of([block], 900)
    assert made == [900, 500]
    page_of([AlignedRows("un cat", block.rows)], 900)
    assert made == [900, 500, 900], "another text is another block"
