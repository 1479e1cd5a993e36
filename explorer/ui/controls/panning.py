"""The mouse and the wheel on what can be zoomed and panned."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent

STEP = 1.25
"""Of zooming, a notch of the wheel or a key."""
STILL = 4
"""Pixels that a hand may move in a click."""


class Drag:
    """The left button: a click, unless it is moved while it is held, which pans."""

    def __init__(self) -> None:
        self._at: QPointF | None = None
        self._pans = False

    def begin(self, event: QMouseEvent) -> None:
        """The mouse was pressed; another button begins nothing."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._at, self._pans = event.position(), False

    @property
    def is_down(self) -> bool:
        """Whether a press began here that has not ended."""
        return self._at is not None

    def is_held(self, event: QMouseEvent) -> bool:
        """Whether the mouse moves with the button down."""
        return self._at is not None and bool(event.buttons() & Qt.MouseButton.LeftButton)

    def moved(self, event: QMouseEvent) -> QPointF | None:
        """How far it was moved since it was asked last; None while it may become a click."""
        if self._at is None:
            return None
        far = event.position() - self._at
        if not self._pans and far.manhattanLength() <= STILL:
            return None
        self._pans, self._at = True, event.position()
        return far

    def end(self, event: QMouseEvent) -> bool | None:
        """A button was let go.

        Returns:
            Whether it was a click; None where this was not the press that began here.
        """
        if event.button() != Qt.MouseButton.LeftButton or self._at is None:
            return None
        self._at = None
        return not self._pans

    def forget(self) -> None:
        """Let go: what follows is no part of this press."""
        self._at = None
