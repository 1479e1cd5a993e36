"""The page of a question: its widgets, or what is kept of them while nobody looks."""

from collections.abc import Callable

from explorer.ui.blocks.page.shown import Pinned
from explorer.ui.views.frame.view_frame import ViewFrame
from explorer.ui.views.kept_page import KeptPage, is_at_rest
from explorer.ui.views.page_view import PageView


class HeldPage:
    """Whoever wants the widgets of a page that was let go has them made anew.

    Attributes:
        bring_back: Makes the widgets, and says so by `stand_in`.
    """

    def __init__(self) -> None:
        self.bring_back: Callable[[], object] = lambda: None
        self._widgets: tuple[PageView, ViewFrame] | None = None
        self._kept: KeptPage | None = None

    def stand_in(self, view: PageView, frame: ViewFrame) -> None:
        """These are its widgets from now on."""
        self._widgets, self._kept = (view, frame), None

    @property
    def widgets(self) -> tuple[PageView, ViewFrame]:
        """The view and its frame; made anew, if need be."""
        if self._widgets is None:
            self.bring_back()
        assert self._widgets is not None
        return self._widgets

    @property
    def is_there(self) -> bool:
        """Whether it has widgets."""
        return self._widgets is not None

    def let_go(self) -> bool:
        """Keep what the view holds, and not its widgets; False where something would be lost."""
        if self._widgets is None or not is_at_rest(*self._widgets):
            return False
        self._kept, self._widgets = self.kept, None
        return True

    @property
    def kept(self) -> KeptPage:
        """What the view holds, which has its last word with it."""
        return self._kept or KeptPage.of(self.widgets[0])

    @property
    def baseline(self) -> Pinned | None:
        """The pinned answer."""
        held: Pinned | None = (
            self._kept.held["baseline"] if self._kept is not None else self.widgets[0].baseline
        )
        return held

    @property
    def scrolled(self) -> int:
        """How far it is scrolled, in pixels."""
        return self._kept.scrolled if self._kept is not None else self.widgets[0].scrolled
