"""What a person does to the window, with the mouse and the keyboard, and how they wait."""

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEventLoop, QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.api.question import SLOTS
from explorer.samples.samples import sample_of
from explorer.shown_models import models_for
from explorer.ui.blocks.page.page import Run
from explorer.ui.blocks.widget.painted import PaintedPage
from explorer.ui.window.main_window import MainWindow

PATIENCE = 600.0
"""Seconds; where other programs are at work, what takes one alone may take a minute."""
LOOK_EVERY_MS = 10


class TourStoppedError(Exception):
    """Something that a person would have waited for did not come."""


def wait_until(is_so: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Let the window live until something is so.

    Raises:
        TourStoppedError: It took too long; the message names what was waited for.
    """
    end = time.monotonic() + seconds
    loop = QEventLoop()
    timer = QTimer()
    timer.setInterval(LOOK_EVERY_MS)

    def look() -> None:
        if is_so() or time.monotonic() > end:
            loop.quit()

    timer.timeout.connect(look)
    timer.start()
    if not is_so():
        loop.exec()
    timer.stop()
    if not is_so():
        raise TourStoppedError(f"The tour waited {seconds:.0f} seconds in vain for {what}.")


class Hands:
    """Acts on a window and waits until it has answered."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window

    def settle(self) -> None:
        """Wait until nothing loads, nothing is asked and everything asked is in the log."""
        bench = self.window.bench
        wait_until(
            lambda: not bench.models.loading and not bench.checkpoints.is_listing,
            "a model to be loaded",
        )
        wait_until(lambda: bench.asking.is_idle and bench.overview.is_idle, "an answer")
        # The view of a page that was let go is made anew by whoever asks for it.
        views = [one.view for one in bench.asking.askers.values() if one.is_visible]
        wait_until(lambda: all(view.is_drawn for view in views), "a view to be drawn")
        # The strip and the log are told by signals that are still on their way.
        for _ in range(3):
            QApplication.processEvents()

    def load(self, slot: str, checkpoint_id: str) -> None:
        """Load a checkpoint of the library, unless the slot holds it."""
        models = self.window.bench.models
        if checkpoint_id not in {m.stamp.id for s, m in models.cards.items() if s == slot}:
            checkpoint = self.window.bench.checkpoints.find(checkpoint_id)
            if checkpoint is None:
                raise TourStoppedError(f"There is no {checkpoint_id} in the library.")
            self.window.bench.actions.load(checkpoint, slot)
            self.settle()
        if slot == "A":
            models.set_active("A")

    def load_for(self, question: str) -> None:
        """Load the models that a question is shown with."""
        chosen = models_for(question, self.window.bench.checkpoints.all, sample_of(question).model)
        for slot, checkpoint in zip(SLOTS, chosen, strict=False):
            self.load(slot, checkpoint)

    def take_sample(self, question: str) -> None:
        """Take the sample of a view."""
        self.window.bench.edits.take_sample(sample_of(question))
        self.settle()

    def run_if_asked(self, question: str) -> None:
        """Press Run where a view waits for it."""
        frame = self.window.view_area.frames[question]
        button = frame.empty_page.button
        if button.isVisible() and button.isEnabled():
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            self.settle()
        page = self.window.view_of(question).findChild(PaintedPage, f"{question}Page")
        if page is None or page.page is None:
            return
        for spot in (one for one in page.page.spots if isinstance(one.act, Run)):
            QTest.mouseClick(page, Qt.MouseButton.LeftButton, pos=spot.box.center().toPoint())
            self.settle()

    def type_text(self, text: str, part: int = 0) -> None:
        """Replace a text by the keyboard."""
        name = "text" if part == 0 else "pair"
        editor = self.window.sentence.editors[part]
        editor.setFocus()
        QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(editor, text)
        wait_until(
            lambda: self.window.bench.state.document.part(part) == text, f"the {name} to be taken"
        )
        self.settle()

    def click_token(self, words: str) -> None:
        """Click the first token that shows these characters."""
        strip = self.window.sentence.strip
        for index, piece in enumerate(strip.pieces):
            if piece.text == words:
                QTest.mouseClick(
                    strip,
                    Qt.MouseButton.LeftButton,
                    Qt.KeyboardModifier.NoModifier,
                    strip.box_of(index).center().toPoint(),
                )
                self.settle()
                return
        raise TourStoppedError(f"There is no token {words!r} to click.")

    def drop(self, path: Path) -> None:
        """Drop a file or folder on the window."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        copy, left, none = (
            Qt.DropAction.CopyAction,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        # Qt delivers a drop only where a drag has entered.
        entering = QDragEnterEvent(QPoint(20, 20), copy, data, left, none)
        QApplication.sendEvent(self.window, entering)
        if not entering.isAccepted():
            raise TourStoppedError(f"The window does not take {path}.")
        QApplication.sendEvent(self.window, QDropEvent(QPointF(20, 20), copy, data, left, none))
        self.settle()
