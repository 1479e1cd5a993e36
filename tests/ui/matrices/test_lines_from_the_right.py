"""Attention as lines between tokens that run from the right: the same, as in a mirror."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage

from explorer.ui.matrices.lines.attention_lines import AttentionLines
from explorer.ui.matrices.lines.painting import (
    FROM,
    TO,
    LinesContent,
    arrange_lines,
    head_colours,
    lines_figure,
)
from explorer.ui.theme.schemes import current_theme
from tests.ui.painted_texts import Recording

LOOK, SEEN = ("שלום", "לכל"), ("אחת", "שתיים", "שלוש")
WEIGHTS = np.array([[[0.75, 0.0, 0.0], [0.0, 0.0, 0.5]]])
CONTENT = LinesContent(("one",), WEIGHTS, LOOK, SEEN, threshold=0.3, from_right=True)
MIRRORED = replace(CONTENT, from_right=False)
WIDTH = 500.0


@pytest.fixture
def widget(shown):
    return shown(AttentionLines(), CONTENT, (round(WIDTH), 200))


def painted(content, width=WIDTH, pointed=None):
    figure = lines_figure(content, width, current_theme(), pointed)
    image = QImage(round(figure.width), round(figure.height), QImage.Format.Format_RGB32)
    image.fill(current_theme().surface)
    painter = Recording(image)
    figure.paint(painter)
    painter.end()
    return image, {words: box for box, words in painter.texts}


def test_the_tokens_that_look_stand_at_the_right_beside_their_lines(widget):
    at = widget.layout_now()
    _image, texts = painted(CONTENT)
    assert all(texts[one].left() >= at.right for one in (*LOOK, "from"))
    assert all(texts[one].right() <= at.left for one in (*SEEN, "to"))
    other = arrange_lines(MIRRORED, WIDTH)
    for side, index in ((FROM, 1), (TO, 2)):
        box, twin = at.box(side, index), other.box(side, index)
        assert (box.left(), box.width()) == pytest.approx((WIDTH - twin.right(), twin.width()))


def test_weights_stand_outside_of_the_labels(widget):
    _image, texts = painted(CONTENT, pointed=(FROM, 0))
    assert texts["0.75"].right() <= texts["אחת"].left() + 1


def test_lines_join_the_tokens_that_are_told(widget):
    """On the screen and in pictures, wider ones too, which end where the page does."""
    colour = head_colours(current_theme())[0]
    for picture, content, right in (
        (widget.grab().toImage(), CONTENT, WIDTH),
        (painted(CONTENT)[0], CONTENT, WIDTH),
        (painted(CONTENT, 900.0)[0], CONTENT, 900.0),
    ):
        ratio = picture.devicePixelRatio()
        at = arrange_lines(content, min(right, 640.0))
        begin = right - at.width
        middle = begin + (at.left + at.right) / 2
        high = (at.middle(1) + at.middle(2)) / 2
        seen = picture.pixelColor(round(middle * ratio), round(high * ratio))
        assert abs(seen.blue() - colour.blue()) < 80
        # The same line begins at the right, with the second token that looks.
        near = picture.pixelColor(
            round((begin + at.right - 4) * ratio), round(at.middle(1) * ratio)
        )
        assert near.lightness() < 235


def test_the_mouse_and_the_keys_go_where_they_point(widget, qtbot):
    at = widget.layout_now()
    right = QPoint(round(WIDTH) - 8, round(at.middle(1)))
    qtbot.mouseMove(widget, right)
    assert widget.alone == (FROM, 1)
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=QPoint(8, round(at.middle(2))))
    assert widget.kept == (TO, 2)
    for key, kept in (
        (Qt.Key.Key_Right, (FROM, 1)),
        (Qt.Key.Key_Up, (FROM, 0)),
        (Qt.Key.Key_Left, (TO, 0)),
        (Qt.Key.Key_Down, (TO, 1)),
    ):
        qtbot.keyClick(widget, key)
        assert widget.kept == kept
    assert "שתיים" in widget.accessibleDescription()
