"""The pinned answer beside the one of now, found on a thread of its own: there may be many rows."""

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject

from explorer.api.question import Cancelled
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.pins import PinComparison
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.views.latest_work import LatestWork

PATIENCE = 0.02
"""Seconds that a page waits, so that what takes no time is there at once."""


class Comparing:
    """What a page shows of the comparison, for the answers and the options of now."""

    def __init__(self, page: Page, draw: Callable[[], None], parent: QObject) -> None:
        """Nothing is compared yet.

        Args:
            page: Whose rows are compared.
            draw: Called when something was found that the page waited for.
            parent: With which it ends.
        """
        self._page = page
        self._work = LatestWork("compare", parent)
        self._work.done.connect(lambda _done: draw())
        self._work.trouble.connect(lambda _failure: draw())
        self._shown: Shown | None = None
        self._found: list[PinComparison | Exception] = []
        self._last: PinComparison | None = None
        self._stop = threading.Event()

    @property
    def is_idle(self) -> bool:
        """Nothing is being looked for."""
        return self._shown is None or bool(self._found)

    def forget(self) -> None:
        """Other answers are shown, or nothing is pinned: nobody waits for it any more."""
        self._stop.set()
        self._work.forget()
        self._shown, self._found, self._last = None, [], None

    def found(self, shown: Shown) -> PinComparison | None:
        """What was found; None while it is looked for, and what was found with other options.

        Args:
            shown: The answer, and what it is compared with.

        Raises:
            Exception: What went wrong with the rows.
        """
        if self._shown is None or not _same_answers(shown, self._shown):
            self.forget()
        if self._shown is None or not _same_options(shown, self._shown):
            self._begin(shown)
        for one in self._found:
            if isinstance(one, Exception):
                raise one
            self._last = one
        return self._last

    def _begin(self, shown: Shown) -> None:
        self._stop.set()
        self._stop = stop = threading.Event()
        found: list[PinComparison | Exception] = []
        self._shown, self._found = shown, found

        def work() -> None:
            try:
                found.append(self._page.against(shown, stop.is_set))
            except Cancelled:
                return
            except Exception as error:  # noqa: BLE001  # said when the page is drawn
                found.append(error)

        self._work.ask(work)
        self._work.wait(PATIENCE)
        if found:
            self._work.forget()


def _same_answers(one: Shown, other: Shown) -> bool:
    return one.result is other.result and one.pinned is other.pinned and one.asked == other.asked


def _same_options(one: Shown, other: Shown) -> bool:
    """Whether rows that follow how an answer is looked at are the same."""
    return one.now == other.now and one.complete == other.complete and one.cards == other.cards
