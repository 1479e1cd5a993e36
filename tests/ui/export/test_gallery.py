"""Every question's figure in one column and on a slide, judged by rule, some in two columns.

The others with `--all`; gallery.py judges them in each language and scheme.
"""

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor

from explorer.ui.blocks.figure import Figure
from explorer.ui.export.legibility import contrast_of, faults_in_print, illegible
from explorer.ui.export.paper import PaperPicture
from explorer.ui.export.reading import read
from explorer.ui.theme.schemes import theme_of
from explorer.ui.typesetting.one_line import draw_text, text_width
from tests.ui.export.gallery import SIZES, Picture, each_once, every_picture

pytestmark = pytest.mark.usefixtures("qapp")
LEFT = Qt.AlignmentFlag.AlignLeft
PIXEL = 0.2245
"""Millimetres of a pixel where the smallest type has 7 points."""


PICTURES = [
    pytest.param(
        one,
        id=f"{one.name}-{one.size}",
        # A figure of two columns lies between the narrowest and a slide: of every third page.
        marks=pytest.mark.costly if one.size == "columns" and number // len(SIZES) % 3 else (),
    )
    for number, one in enumerate(each_once())
]


@pytest.mark.parametrize("picture", PICTURES)
def test_a_figure_can_be_read(picture):
    assert not picture.faults()


def test_what_is_too_high_for_a_slide_has_all_of_its_width():
    made = Picture("replaced_tokens", "slide", "en", "light").drawn()
    assert not made.fits
    assert min(one.box.left() for one in read(made.figure)) < 0.1 * made.figure.width


def test_every_question_is_in_the_gallery_at_every_size():
    every = {(one.name, one.size) for one in every_picture()}
    once = [(one.name, one.size) for one in each_once()]
    assert len(once) == len(set(once))
    assert set(once) == every
    assert {(one.language, one.scheme) for one in each_once()} == {
        (one.language, one.scheme) for one in every_picture()
    }


@pytest.mark.parametrize(
    ("text", "place", "colour", "pixel", "fault"),
    [
        ("whole", (10, 10, 80, 20), "#000000", PIXEL, None),
        ("whole", (10, 10, 80, 20), "#aaaaaa", PIXEL, "“whole” stands out from #ffffff by 2.3"),
        ("whole", (10, 10, 80, 20), "#000000", PIXEL * 0.8, "“whole” is in type of 5.6 points"),
        ("whole", (185, 10, 80, 20), "#000000", PIXEL, "“whole” ends outside the picture"),
        ("whole", (10, 50, 80, 20), "#000000", PIXEL, "“whole” ends outside the picture"),
        ("electroencephalogram", (10, 10, 60, 20), "#000000", PIXEL, "… is cut"),
    ],
)
def test_what_can_not_be_read_is_found(text, place, colour, pixel, fault):
    surface = theme_of("light").surface

    def paint(painter):
        painter.fillRect(QRectF(0, 0, 200, 60), surface)
        elide = Qt.TextElideMode.ElideRight
        draw_text(painter, QRectF(*place), text, "small", QColor(colour), LEFT, elide)

    made = PaperPicture(Figure(200, 60, paint), "T", "", pixel, 7.0)
    found = [f"{one}" for one in faults_in_print(made, 7.0, {"whole"})]
    if fault is None:
        assert found == []
    else:
        assert len(found) == 1
        assert all(part in found[0] for part in fault.split("…"))


@pytest.mark.parametrize("elide", [Qt.TextElideMode.ElideRight, Qt.TextElideMode.ElideMiddle])
def test_a_line_cut_between_two_words_is_found_and_dots_of_a_quotation_are_not(elide):
    ink, line = QColor("#000000"), "one two three"

    def found(width, text):
        def paint(painter):
            painter.fillRect(QRectF(0, 0, 200, 60), theme_of("light").surface)
            draw_text(painter, QRectF(10, 10, width, 20), text, "small", ink, LEFT, elide)

        made = PaperPicture(Figure(200, 60, paint), "T", "", PIXEL, 7.0)
        return [f"{one}" for one in faults_in_print(made, 7.0, set())]

    assert found(150, line) == []
    assert found(150, "… two three …") == []
    whole = round(text_width("small", line))
    for width in range(whole // 2, whole - 2):
        assert any("is cut" in one for one in found(width, line)), width


def test_words_that_lie_on_others_are_found():
    ink = QColor("#000000")

    def paint(painter):
        for left in (10, 30):
            draw_text(painter, QRectF(left, 10, 80, 20), f"word{left}", "small", ink, LEFT)

    assert "“word10” and “word30” lie on each other." in f"{illegible(Figure(200, 60, paint))}"
    assert illegible(Figure(200, 60, lambda _painter: None)) is None


def test_contrast_is_of_letters_as_they_are_seen():
    white = QColor("#ffffff")
    assert contrast_of(QColor("#000000"), white) == pytest.approx(21)
    assert contrast_of(QColor("#767676"), white) == pytest.approx(4.54, abs=0.01)
    half = QColor(0, 0, 0, 128)
    assert contrast_of(half, white) == pytest.approx(contrast_of(QColor("#7f7f7f"), white), abs=0.1)
