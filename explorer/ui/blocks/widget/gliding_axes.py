"""The axes of a page's bars, from one answer to the next: those that end elsewhere go there."""

from PySide6.QtWidgets import QWidget

from explorer.ui.blocks.block import LaidPage
from explorer.ui.blocks.tables.rows import BarAxis
from explorer.ui.controls.gliding import Glide


class GlidingAxes:
    """What the axes of a page were on the page before, while they go from there.

    Args:
        page: The widget that is painted anew.
    """

    def __init__(self, page: QWidget) -> None:
        self._page = page
        self._before: dict[int, BarAxis] = {}
        self._shown: LaidPage | None = None
        self._share = 1.0
        self._glide = Glide(page)
        self._glide.moved.connect(self._go)
        self._glide.ended.connect(self._forget)

    def follow(self, then: LaidPage | None, now: LaidPage | None) -> None:
        """Begin where axes of the same tables end elsewhere; what is said of others stays."""
        if then is None or now is None or len(then.axes) != len(now.axes):
            self._forget()
            return
        if any(a.name != b.name for a, b in zip(then.axes, now.axes, strict=True)):
            self._forget()
            return
        left = {
            number: before.axis
            for number, (axis, before) in enumerate(zip(now.axes, then.axes, strict=True))
            if axis.follows(before)
        }
        if left:
            self._before, self._share = left, 0.0
            self.hand_on(now)
            self._glide.begin()
        else:
            self.hand_on(now)

    def hand_on(self, page: LaidPage) -> None:
        """Let a page that is laid out anew go on where it is."""
        self._shown = page
        for number, before in self._before.items():
            if number < len(page.axes):
                page.axes[number].before = before
                page.axes[number].share = self._share

    def _go(self, share: float) -> None:
        self._share = share
        for axis in self._shown.axes if self._shown is not None else ():
            axis.share = share
        self._page.update()

    def _forget(self) -> None:
        self._glide.stop()
        self._before, self._share = {}, 1.0
        for axis in self._shown.axes if self._shown is not None else ():
            axis.before, axis.share = None, 1.0
        self._page.update()
