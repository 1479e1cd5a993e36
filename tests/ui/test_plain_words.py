"""What a text, a model or a token says is shown as it is, wherever the window says it."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QHelpEvent, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QMessageBox,
    QTextBrowser,
    QToolTip,
    QWidget,
)

from explorer.questions.attention.attention.question import AttentionRequest
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.notices.notices import Notice
from explorer.ui.views.frame.view_frame import FrameState
from tests.stored_runs.recorded import RECORDED
from tests.ui.fake_engine import CACHED, MINIATURE, PICKLED
from tests.ui.test_matrix import WORDS, heads_of, quiet

EVIL = "<b>&lt;img src=x>"
WORDS_OF = {"text", "word", "piece", "token", "surface"}
"""Fields of results that hold words of a vocabulary or a text."""


def spoilt(value: Any) -> Any:
    """A result whose words all look like HTML."""
    if isinstance(value, tuple):
        return tuple(map(spoilt, value))
    if isinstance(value, dict):
        return {key: spoilt(one) for key, one in value.items()}
    if not is_dataclass(value):
        return value
    changed = {
        one.name: f"{held}{EVIL}"
        if one.name in WORDS_OF and isinstance(held, str)
        else spoilt(held)
        for one in fields(value)
        if one.init and (held := getattr(value, one.name)) is not None
    }
    return replace(value, **changed)


def html_in(tip: str) -> bool:
    """Whether a tooltip would be read as HTML with something in it that is none of ours."""
    return EVIL in tip


def tips_of_items(view: QAbstractItemView) -> list[str]:
    model = view.model()
    found: list[Any] = []

    def look(parent: QModelIndex) -> None:
        for row in range(min(model.rowCount(parent), 50)):
            for column in range(model.columnCount(parent)):
                index = model.index(row, column, parent)
                found.append(index.data(Qt.ItemDataRole.ToolTipRole))
                look(index)

    if model is not None:
        look(QModelIndex())
        found += [
            model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
            for column in range(model.columnCount())
        ]
    return [one for one in found if isinstance(one, str)]


class Looked:
    """Everything that a window says, of which some is wrong."""

    def __init__(self, window: QWidget) -> None:
        self.wrong: list[str] = []
        self.labels = self.tips = 0
        for widget in [window, *window.findChildren(QWidget)]:
            place = f"{type(widget).__name__} {widget.objectName()}"
            self._tip(place, widget.toolTip())
            if isinstance(widget, QLabel):
                self._label(place, widget)
            if isinstance(widget, QAbstractItemView):
                for tip in tips_of_items(widget):
                    self._tip(f"an item of {place}", tip)
            if isinstance(widget, QTextBrowser):
                self._page(place, widget)
        for action in window.findChildren(QAction):
            self._tip(f"action {action.objectName()}", action.toolTip())

    def _label(self, place: str, label: QLabel) -> None:
        if "img src=x" not in label.text():
            return
        self.labels += 1
        if label.textFormat() != Qt.TextFormat.PlainText or EVIL not in label.text():
            self.wrong.append(f"{place}: {label.text()}")

    def _tip(self, place: str, tip: str) -> None:
        if "img src=x" not in tip:
            return
        self.tips += 1
        shown = QTextDocumentFragment.fromHtml(tip).toPlainText()
        if html_in(tip) or EVIL not in shown:
            self.wrong.append(f"the tip of {place}: {tip}")

    def _page(self, place: str, page: QTextBrowser) -> None:
        said = page.toPlainText()
        if "<img" in page.toHtml() or ("img src" in said and EVIL not in said):
            self.wrong.append(f"{place}: {said}")


@pytest.fixture
def evil(engine, start, qtbot):
    """Opens the window with models, texts and recorded answers that look like HTML.

    Called once more it shows another question in the same window.
    """
    opened: list[Any] = []

    def open_window() -> Any:
        offered = tuple(run.summary.operation for run in RECORDED.values())
        engine.catalogue = tuple(
            replace(
                one,
                operations=offered,
                title=f"{one.title}{EVIL}",
                architecture=f"{one.architecture}{EVIL}",
                note=EVIL,
                problem=one.problem and f"{one.problem}{EVIL}",
            )
            for one in engine.catalogue
        )
        for run in RECORDED.values():
            engine.answers[type(run.request)] = lambda _request, _card, run=run: spoilt(run.result)
        engine.answers[AttentionRequest] = lambda request, _card: spoilt(heads_of(request))
        running = start()
        running.window.lecture_dock.show()
        bench = running.bench
        bench.actions.load(bench.checkpoints.find(CACHED.id), "B")
        qtbot.waitUntil(lambda: "B" in bench.models.cards)
        return running

    def show(name: str) -> Any:
        if not opened:
            opened.append(open_window())
        (running,) = opened
        bench = running.bench
        recorded = RECORDED[name]
        document = recorded.document.with_text(f"{recorded.document.text}{EVIL}")
        for key, value in WORDS.get(name, {}).items():
            document = document.with_option(key, value)
        bench.state.edit("text", document)
        running.window.view_area.bring_forward(recorded.summary.operation)
        frame = bench.asking.askers[recorded.summary.operation].frame
        qtbot.waitUntil(lambda: bench.asking.is_idle)
        if frame.state is FrameState.EMPTY and frame.empty_page.button.isVisible():
            QTest.mouseClick(frame.empty_page.button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bench.asking.is_idle)
        return running

    return show


@quiet
def test_every_label_and_tooltip_of_every_page(evil, subtests):
    labels = 0
    for name in sorted(RECORDED):
        with subtests.test(name):
            looked = Looked(evil(name).window)
            assert not looked.wrong, "\n".join(looked.wrong)
            assert looked.tips >= 4
            labels += looked.labels
    # Models and texts are named in buttons and fields; labels are those of pages.
    assert labels >= len(RECORDED) // 2


def test_the_library_the_log_and_the_plugins(evil, qtbot):
    running = evil("masked_tokens")
    window = running.window
    window.open_library()
    for checkpoint in (MINIATURE, CACHED, PICKLED):
        window.library.choose(checkpoint.id)
        looked = Looked(window)
        assert not looked.wrong, "\n".join(looked.wrong)
    window.commands.show_plugins()
    looked = Looked(window)
    assert not looked.wrong, "\n".join(looked.wrong)
    assert looked.tips >= 8


def test_a_failure_and_a_notice(evil, qtbot):
    running = evil("masked_tokens")
    notice = Notice("evil", f"{EVIL} is damaged.", EVIL, details=EVIL)
    running.window.notices.tell(notice)
    looked = Looked(running.window)
    assert looked.labels >= 2
    assert not looked.wrong, "\n".join(looked.wrong)


def test_the_question_before_a_pickle_is_opened(evil, qtbot):
    running = evil("masked_tokens")
    bench = running.bench
    bench.actions.load(bench.checkpoints.find(PICKLED.id), "B")
    qtbot.waitUntil(lambda: bool(running.window.findChildren(QMessageBox)))
    (box,) = running.window.findChildren(QMessageBox)
    assert EVIL in box.text()
    looked = Looked(box)
    assert not looked.wrong, "\n".join(looked.wrong)
    box.reject()


def test_the_tooltip_of_a_token(evil, qtbot):
    running = evil("masked_tokens")
    canvas = running.window.sentence.strip
    place = next(
        QPoint(x, y)
        for y in range(0, canvas.height(), 4)
        for x in range(0, canvas.width(), 4)
        if canvas.piece_at(QPoint(x, y)) not in (None, 0)
    )
    event = QHelpEvent(QEvent.Type.ToolTip, place, canvas.mapToGlobal(place))
    QApplication.sendEvent(canvas, event)
    qtbot.waitUntil(QToolTip.isVisible)
    shown = QTextDocumentFragment.fromHtml(QToolTip.text()).toPlainText()
    assert EVIL in shown
    QToolTip.hideText()


def test_a_tip_that_can_be_no_html_is_left_as_it_is():
    assert plain_tip("two words\nof ours") == "two words\nof ours"
    for words in (EVIL, "</s>", "a\n  <b>", "Tom & Jerry", "&lt;"):
        shown = QTextDocumentFragment.fromHtml(plain_tip(words)).toPlainText()
        assert shown.replace("\u2028", "\n") == words
