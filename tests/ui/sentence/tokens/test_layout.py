from itertools import pairwise

import pytest

from explorer.document import Document
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.tokens.layout import MARGIN, arrange

WIDTHS = (130, 200, 333, 480, 900, 2000)
LONG = Document(
    "The internationalisation of " + "quick brown foxes " * 30, "A second text, shorter."
)


@pytest.fixture
def pieces(cut):
    return of.pieces_of_tokens(cut(LONG), LONG)


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_and_nothing_sticks_out(pieces, width):
    at = arrange(pieces, width)
    for box in at.boxes:
        assert box.left() >= MARGIN
        assert box.right() <= width - MARGIN + 0.5
        assert box.bottom() <= at.height
    for line in at.lines:
        for one, two in pairwise(line):
            assert at.boxes[one].right() <= at.boxes[two].left() + 0.01
    tops = [at.boxes[line[0]].top() for line in at.lines]
    assert all(b - a >= at.box_height for a, b in pairwise(tops))


@pytest.mark.parametrize("width", WIDTHS)
def test_the_order_is_that_of_the_input(pieces, width):
    assert [i for line in arrange(pieces, width).lines for i in line] == list(range(len(pieces)))


def test_pieces_of_a_word_touch_and_stay_in_one_line_where_there_is_room(pieces):
    at = arrange(pieces, 480)
    for index, piece in enumerate(pieces):
        if piece.joined:
            assert at.boxes[index].left() == pytest.approx(at.boxes[index - 1].right())
            assert at.boxes[index].top() == at.boxes[index - 1].top()


def test_a_word_wider_than_the_line_is_broken_between_its_pieces(cut):
    document = Document("internationalisationinternationalisation")
    at = arrange(of.pieces_of_tokens(cut(document), document), 160)
    assert len(at.lines) > 2


def test_the_second_text_begins_a_line(pieces):
    at = arrange(pieces, 900)
    first = next(i for i, p in enumerate(pieces) if p.part == 1)
    assert first in [line[0] for line in at.lines]
    assert at.boxes[first].left() > MARGIN


def test_only_lines_with_guesses_are_taller(pieces):
    plain, noted = arrange(pieces, 480), arrange(pieces, 480, {2: "guess"})
    assert noted.height > plain.height
    assert len(noted.lines) == len(plain.lines)
    last = len(pieces) - 1
    extra = noted.boxes[last].top() - plain.boxes[last].top()
    assert noted.height - plain.height == pytest.approx(extra)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tail_has_a_place_of_its_own(pieces, width):
    at = arrange(pieces, width, tail="not seen by the model: 41 tokens")
    assert at.tail is not None
    assert at.tail.width() > 0
    assert at.tail.right() <= width - MARGIN + 0.5
    assert not any(at.tail.intersects(box) for box in at.boxes)
    assert at.tail.bottom() <= at.height


def test_nothing_is_laid_out_for_nothing():
    at = arrange((), 300)
    assert at.lines == []
    assert at.height > 0
