"""Paragraphs of both directions, wrapped into lines that are drawn one by one."""

import pytest
from PySide6.QtGui import QColor, QImage, QPainter, QTextLayout
from PySide6.QtWidgets import QWidget

from explorer.text.bidi import END, ISOLATE, isolated
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.text import WrappedParagraph, note
from explorer.ui.export.devices import figure_svg
from explorer.ui.export.metadata import Metadata
from explorer.ui.theme.schemes import Theme, theme_of
from explorer.ui.typesetting.wrapping import wrapped_lines

HEBREW = "החתול ישב על השטיח הגדול"
HEBREW_WITH_LATIN = f"BERT קרא את המשפט {HEBREW} בשנת 2024 עם PyTorch וגם עם Qt"
ENGLISH = f"The words {isolated(HEBREW)} stand in the middle of a sentence of 12 words."


def laid_out(line):
    """A line as Qt lays it out alone."""
    layout = QTextLayout(line, Theme.font("body"))
    layout.beginLayout()
    made = layout.createLine()
    layout.endLayout()
    return layout, made


def begins_right(line):
    """A dot behind the last word stands where the line ends."""
    layout, made = laid_out(f"{line} .")
    assert layout.lineCount() == 1
    return made.cursorToX(len(line) + 1)[0] < made.naturalTextWidth() / 2


@pytest.mark.parametrize("width", [60, 90, 130])
@pytest.mark.parametrize(
    ("paragraph", "turned"),
    [
        (HEBREW, True),
        (HEBREW_WITH_LATIN.removeprefix("BERT "), True),
        (HEBREW_WITH_LATIN, False),
        (ENGLISH, False),
    ],
)
def test_every_line_begins_where_its_paragraph_does(qapp, paragraph, turned, width):
    lines = wrapped_lines("body", paragraph, width)
    assert len(lines) > 1
    assert [begins_right(line) for line in lines] == [turned] * len(lines)


def test_what_is_isolated_stays_so_in_the_line_after(qapp):
    lines = wrapped_lines("body", ENGLISH, 110)
    inside = [line for line in lines if any(word in line for word in HEBREW.split())]
    assert len(inside) > 1
    for line in inside:
        _layout, made = laid_out(line)
        assert line.count(END) == 1
        for word in {"החתול", "השטיח", "הגדול"} & set(line.strip(f"{ISOLATE}{END}").split()):
            first = line.index(word)
            assert made.cursorToX(first + 1)[0] > made.cursorToX(first + len(word) - 1)[0]
    # The dot of the sentence ends it, wherever its words came from.
    last = lines[-1]
    _layout, made = laid_out(last)
    assert made.cursorToX(last.index("."))[0] == max(made.cursorToX(n)[0] for n in range(len(last)))


def test_a_file_of_svg_says_the_direction_that_qt_draws(qapp):
    for text, turned in ((f"{isolated('שלום')} 0.31, tea", False), ("שלום 0.31", True)):
        words = WrappedParagraph(text, 400.0)
        figure = Figure(
            400.0, 20.0, lambda painter, one=words: one.paint(painter, theme_of("light"))
        )
        svg = figure_svg(figure, Metadata("Title")).decode()
        assert ('direction="rtl"' in svg) == turned == begins_right(text)


class Page(QWidget):
    """Words on the screen."""

    def __init__(self, words):
        super().__init__()
        self.words = words

    def paintEvent(self, _event):
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor("white"))
        self.words.paint(painter, theme_of("light"))


@pytest.mark.parametrize("text", [HEBREW_WITH_LATIN, f"שלום BERT {HEBREW} 2024", ENGLISH])
def test_the_screen_shows_the_order_of_a_picture(qtbot, text):
    """A widget's painter has the direction of the window, a picture's has none."""
    words = WrappedParagraph(text, 700.0)
    page = Page(words)
    qtbot.addWidget(page)
    page.resize(700, 24)
    picture = QImage(700, 24, QImage.Format.Format_RGB32)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    words.paint(painter, theme_of("light"))
    painter.end()
    screen = page.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)

    def ink(image):
        """Columns of pixels that hold some, which are alike whatever smooths their edges."""
        return [
            any(image.pixelColor(x, y).lightness() < 128 for y in range(24)) for x in range(700)
        ]

    assert ink(screen) == ink(picture)


def test_a_number_stays_with_its_percent_sign(qapp):
    text = "The others hold 12.3 % of it, or 54.0 %."
    for width in range(40, 300, 5):
        for line in wrapped_lines("small", text, float(width)):
            assert not line.startswith("%"), width


def test_no_line_is_too_long_to_be_read_however_wide_the_page(qapp):
    sentence = "A bar says how surprised the model was to find this token. " * 8
    wide, narrow = note(sentence).at(2400), note(sentence).at(400)
    assert max(map(len, wide.lines)) < 190
    assert max(map(len, narrow.lines)) < 90
    assert " ".join(wide.lines) == sentence.strip()
    # One that runs from the right begins at the right edge of the page.
    assert note(HEBREW * 30).at(2400).width == 2400
