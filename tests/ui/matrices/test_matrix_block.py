"""A matrix on a page: chosen by mouse and keys, zoomed, and painted as shapes and letters."""

from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QWheelEvent

from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.figure import Figure
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.export.legibility import illegible
from explorer.ui.export.reading import read
from explorer.ui.matrices.block import CellSize, LaidMatrix, Matrix, MatrixBlock, MatrixView
from explorer.ui.matrices.heat_layout import CellMark, HeatContent
from explorer.ui.theme.schemes import apply_theme, theme_of
from explorer.ui.typesetting.one_line import text_width
from tests.ui.charts.test_charts import image_of, svg_of
from tests.ui.painted_texts import Recording

VALUES = np.linspace(0.0, 1.0, 12, dtype=np.float32).reshape(3, 4)
LEFT = Qt.MouseButton.LeftButton
SIZE = CellSize(9.0, 60.0, 0.5, 11.0, 30.0)


def matrix(values=VALUES, rows=True, marks=()):
    content = HeatContent(
        values,
        tuple(f"layer {n}" for n in range(values.shape[0])),
        tuple(str(n) for n in range(values.shape[1])),
        column_title="head",
        said=lambda row, column: f"Layer {row}, head {column}\nsays {values[row, column]:.2f}",
        marks=marks,
        seams=True,
    )
    return Matrix(
        content,
        "All of them",
        lambda row, column: ("cell", row, column),
        lambda row: ("row", row),
        (lambda row: f"All of layer {row}") if rows else None,
        lambda row, column: f"gesture of {row}, {column}",
        lambda row: f"gesture of row {row}",
    )


@pytest.fixture
def page(qtbot, qapp):
    apply_theme(qapp, "light")
    made = PaintedPage("page")
    qtbot.addWidget(made)
    made.resize(420, 300)
    made.show_page(lambda width: page_of([MatrixBlock(matrix(), SIZE)], width))
    made.show()
    return made


@pytest.fixture
def view(page):
    (found,) = page.findChildren(MatrixView)
    return found


def test_the_cells_under_the_pointer_are_those_that_screen_readers_are_told_of(page, view):
    at = view.layout_now()
    spots = {spot.key: spot for spot in page.page.spots}
    assert len(spots) == 12 + 3
    for row in range(3):
        for column in range(4):
            told = spots["cell", row, column].box
            assert told.center().x() == pytest.approx(at.box(row, column).center().x(), abs=1.5)
            shown = at.box(row, column).center().y() + view.y()
            assert told.center().y() == pytest.approx(shown, abs=1.5)


def test_cells_and_rows_are_chosen_with_the_mouse(page, view, qtbot):
    told = []
    page.chosen.connect(told.append)
    qtbot.mouseClick(view, LEFT, pos=view.layout_now().box(2, 1).center().toPoint())
    row = view.layout_now().box(1, 0)
    qtbot.mouseClick(view, LEFT, pos=QPoint(6, int(row.center().y())))
    assert told == [("cell", 2, 1), ("row", 1)]
    qtbot.mouseMove(view, view.layout_now().box(0, 3).center().toPoint())
    assert view.accessibleDescription() == "Layer 0, head 3\nsays 0.27"


def test_cells_and_rows_are_chosen_with_the_keyboard(page, view, qtbot):
    told = []
    page.chosen.connect(told.append)
    view.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(view, key)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Space):
        qtbot.keyClick(view, key)
    assert view.accessibleDescription() == "All of layer 1"
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Right):
        qtbot.keyClick(view, key)
    assert told == [("cell", 1, 1), ("row", 1), ("row", 2)]
    assert view.pointed == (2, 0)
    # The page's own keys leave the cells to the matrix.
    assert page.reached == ()


def test_the_wheel_scrolls_the_page_until_the_matrix_has_the_keyboard(view, qapp):
    point = QPointF(view.layout_now().box(1, 1).center())

    def turn(modifiers):
        wheel = QWheelEvent(
            point, QPointF(view.mapToGlobal(point.toPoint())), QPoint(), QPoint(0, 120),
            Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        qapp.sendEvent(view, wheel)
        return wheel.isAccepted()

    view.clearFocus()
    assert not turn(Qt.KeyboardModifier.NoModifier)
    assert view.zoom == pytest.approx(1)
    assert turn(Qt.KeyboardModifier.ControlModifier)
    assert view.zoom == pytest.approx(1.25)
    view.setFocus()
    assert turn(Qt.KeyboardModifier.NoModifier)
    assert view.zoom == pytest.approx(1.25**2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_has_every_number_label_and_mark(qapp, scheme):
    theme = theme_of(scheme)
    marks = (CellMark(0, 1, "off"), CellMark(1, 1, "looked at"), CellMark(2, 3, "chosen"))
    block = LaidMatrix(matrix(marks=marks), 420.0, SIZE)
    svg = svg_of(lambda p: block.paint(p, theme), 420, block.height)
    assert "<image" not in svg
    for words in ("All of them", "layer 0", "layer 2", "head", "3", "0.27"):
        assert f">{words}" in svg
    for colour in (theme.danger, theme.text, theme.bar_original):
        assert colour.name() in svg
    image = image_of(lambda p: block.paint(p, theme), 420, block.height, scheme)
    corner = block.box(2, 2).topLeft() + QPointF(4, 4)
    expected = theme.sequential[round(float(VALUES[2, 2]) * 255)][:3].tolist()
    assert list(image.pixelColor(corner.toPoint()).getRgb()[:3]) == expected


class Clipped(Recording):
    """A painter that remembers what is seen of each text."""

    def drawText(self, *given):  # noqa: N802  Qt's name
        done = super().drawText(*given)
        box, words = self.texts[-1]
        clip = self.combinedTransform().mapRect(self.clipBoundingRect())
        self.seen = [*getattr(self, "seen", []), (words, box, clip if self.hasClipping() else box)]
        return done


@pytest.mark.parametrize("from_right", [False, True])
def test_a_label_wider_than_its_cell_is_not_cut_at_either_end(qapp, from_right):
    names = ("[CLS]", *(f"word{n}" for n in range(10)), "[SEP]")
    content = HeatContent(
        np.zeros((2, 12), np.float32),
        ("0", "1"),
        names,
        row_title="layer",
        column_title="token",
        named=frozenset({0, 11}),
        from_right=from_right,
    )
    block = LaidMatrix(Matrix(content), 240.0, CellSize(4.0, 16.0, 1.0, 12.0, 20.0))
    assert text_width("small", "[CLS]") > block.box(0, 0).width() + 12
    image = QImage(240, round(block.height), QImage.Format.Format_RGB32)
    painter = Clipped(image)
    block.paint(painter, theme_of("light"))
    painter.end()
    seen = {words: (box, clip) for words, box, clip in painter.seen}
    title, _clip = seen["layer ↓"]
    for name in ("[CLS]", "[SEP]"):
        box, clip = seen[name]
        assert clip.left() - 0.5 <= box.left() < box.right() <= clip.right() + 0.5
        beside = box.right() <= title.left() if from_right else title.right() <= box.left()
        assert beside
    labels = sorted((box for name, (box, _) in seen.items() if name in names), key=QRectF.left)
    assert len(labels) > 2
    assert all(one.right() <= other.left() for one, other in pairwise(labels))


def test_no_numbers_are_blank_cells(qapp):
    theme = theme_of("light")
    block = LaidMatrix(matrix(np.full((3, 4), np.nan, np.float32)), 420.0, SIZE)
    image = image_of(lambda p: block.paint(p, theme), 420, block.height, "light")
    inside = block.box(1, 1).center().toPoint()
    assert image.pixelColor(inside) == theme.raised


def test_cells_and_rows_have_gestures_under_mouse_and_keys_and_on_the_page(page, view, qtbot):
    acts = {spot.key: spot.act for spot in page.page.spots}
    assert (acts["cell", 1, 2], acts["row", 2]) == ("gesture of 1, 2", "gesture of row 2")
    told = []
    page.acted.connect(told.append)
    qtbot.mouseClick(view, LEFT, pos=view.layout_now().box(1, 2).center().toPoint())
    view.point_at((1, 2))
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Return):
        qtbot.keyClick(view, key)
    assert told == ["gesture of 1, 2", "gesture of row 1"]


def test_columns_that_are_words_keep_their_labels_where_these_are_cut(qapp):
    words = ("the second follows", "the second is from elsewhere")
    content = HeatContent(VALUES[:2, :2], words, words, seams=True)
    size = CellSize(narrowest=40, widest=176, share=0.25, lowest=24, highest=44)
    for width, seen in ((330, 2), (700, 2), (250, 1)):
        laid = MatrixBlock(Matrix(content), size).at(width)
        image = QImage(width, round(laid.height) + 1, QImage.Format.Format_RGB32)
        painter = Recording(image)
        laid.paint(painter, theme_of("light"))
        painter.end()
        above = [(box, text) for box, text in painter.texts if box.bottom() < laid.box(0, 0).top()]
        assert len([text for _box, text in above if text]) == seen
        if width == 330:
            assert all(text.startswith("the") and "…" in text for _box, text in above)
        for (one, _words), (other, _others) in pairwise(above):
            assert one.right() <= other.left()


def test_what_is_too_long_for_a_line_above_a_matrix_stands_in_two(qapp):
    title = "The share of the difference that a state restores"
    short = matrix()
    long = replace(short, title=title, content=replace(short.content, row_title="layer of a model"))
    room = text_width("strong", title)
    one, two = (LaidMatrix(long, wide, SIZE) for wide in (room + 4, 0.6 * room))
    assert two.top > 1.5 * one.top
    theme = theme_of("light")
    for laid in (one, two):
        figure = Figure(laid.width, laid.height, partial(_painted, laid, theme))
        written = read(figure)
        assert not any(line.is_cut for line in written)
        words = " ".join(line.text for line in written)
        assert title in words
        assert all(word in words for word in ("layer of", "model ↓"))
        assert illegible(figure) is None


def _painted(laid, theme, painter):
    laid.paint(painter, theme)
