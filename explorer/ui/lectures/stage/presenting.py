"""Presenter mode: the page fills the screen in letters that the last row reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from explorer.ui.guarded import guarded
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import Theme

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow

LETTERS = 0.03
"""Pixels of letters, as a part of the height of the window they are read in from the last row."""
STEPS = (1.1, 1.25, 1.5, 1.75, 2.0)
"""How large texts may be, as parts of the desktop's size."""
ROOM = (800, 540)
"""Pixels across and down that a page of the usual size needs to be read without scrolling far."""
SETTLED_MS = 60
"""A window that fills the screen is resized more than once on its way there."""


def scale_for(width: int, height: int) -> float:
    """How large texts are in a window of a size: the largest step that leaves a page its room."""
    room = min(width / ROOM[0], height / ROOM[1])
    return max((step for step in STEPS if step <= room), default=STEPS[0])


@guarded
class Presenting(QObject):
    """Turns presenter mode on and off, and leaves everything as it was found.

    Attributes:
        is_on: The window presents.

    Signals:
        turned: It was turned on or off.
        sized: The size of its letters may be another one.
    """

    turned = Signal()
    sized = Signal()

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window = window
        self.is_on = False
        self._filled_before = False
        self._chosen: float | None = None
        self._for_block: float | None = None
        self._scrolls: dict[str, int] = {}
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SETTLED_MS)
        self._later.timeout.connect(self._fit)

    def start(self) -> None:
        """Let the page fill the screen, in large letters."""
        if self.is_on:
            return
        window = self._window
        self.is_on = True
        self._filled_before = window.fills_screen
        self._scrolls = {
            view.name: view.scrolled
            for view in window.views_made
            if window.view_area.is_open(view.name)
        }
        window.installEventFilter(self)
        window.fill_screen(True)
        self._later.start()
        self.turned.emit()

    def stop(self) -> None:
        """Bring back what was around the page, and the letters as they were."""
        if not self.is_on:
            return
        self.is_on = False
        window = self._window
        self._later.stop()
        window.removeEventFilter(self)
        _write_at(window.bench.settings_store.settings.font_scale)
        window.fill_screen(self._filled_before)
        # Larger letters made other pages of them: each is where it was once it is laid out again.
        for wait in (0, 2 * SETTLED_MS):
            QTimer.singleShot(wait, self, self._scroll_back)
        self.turned.emit()

    def write_at(self, scale: float | None) -> None:
        """Write larger or smaller while presenting; the next time as well, and never else.

        Args:
            scale: A part of the desktop's size; None for what suits the window.
        """
        self._chosen = scale
        self._fit()

    @property
    def scale(self) -> float:
        """How large texts are while presenting."""
        window = self._window
        usual = window.bench.settings_store.settings.font_scale
        automatic = self._for_block or scale_for(window.width(), window.height())
        return self._chosen or max(usual, automatic)

    @property
    def full_scale(self) -> float:
        """How large texts are whose letters are `LETTERS` of the window's height."""
        return max(1.0, LETTERS * self._window.height() / usual_letters())

    def suit_block(self, scale: float | None) -> None:
        """Write a block that is shown alone in a size; None where a whole page is shown."""
        if scale != self._for_block:
            self._for_block = scale
            self._fit()

    def pixels(self, part: float = LETTERS) -> int:
        """Of letters that are a part of the window's height, or larger where that was chosen."""
        larger = max(1.0, (self._chosen or 0.0) / self.full_scale)
        return max(12, round(part * self._window.height() * larger))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A larger screen takes larger letters."""
        if event.type() == QEvent.Type.Resize:
            self._later.start()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        if self.is_on:
            _write_at(self.scale)
            self.sized.emit()

    def _scroll_back(self) -> None:
        window = self._window
        for name, far in self._scrolls.items():
            if window.view_area.is_open(name) and not self.is_on:
                window.view_of(name).area.verticalScrollBar().setValue(far)


def usual_letters() -> int:
    """Pixels of a text's letters in the size of the desktop."""
    return max(1, round(Theme.font("body").pixelSize() / chrome.now_to_usual()))


def _write_at(scale: float) -> None:
    app = QApplication.instance()
    if isinstance(app, QApplication):
        chrome.scale_font(app, scale)
