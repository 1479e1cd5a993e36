"""The tree of pages in step with what is seen, the models that are loaded, and the settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from explorer.questions import all_questions
from explorer.questions.former_names import name_today
from explorer.text import _
from explorer.text.messages import of_program
from explorer.ui import overview
from explorer.ui.document.second_page import is_second
from explorer.ui.library.availability import availability, ways_to
from explorer.ui.theme.chrome import zoomed
from explorer.ui.views import listed

if TYPE_CHECKING:
    from explorer.ui.views.frame.state_pages import Way
    from explorer.ui.window.host import HostWindow

PAGE_ROOM = 640
"""Pixels, at the usual size of text, that the tree of pages leaves beside it, or it is put away."""


class TreeInStep(QObject):
    """Tells a window's tree what it is to show, and does what is chosen in it.

    Args:
        window: With its tree and its pages.
    """

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window, self._tree, self._bench = window, window.tree, window.bench
        about = _("What stands out for this sentence and these models, the strongest first")
        self._tree.put_first(overview.NAME, _("Overview"), about, "view-dashboard-outline")
        settings = self._bench.settings_store.settings
        self._tree.restore(
            map(of_program().former.text_of, settings.open_topics),
            map(name_today, settings.starred),
            map(name_today, settings.recent_pages),
        )
        area, bench = window.view_area, self._bench
        self._latest: dict[str, str] = {}
        self._tree.chosen.connect(lambda one: area.bring_forward(self._tab(one)))
        self._tree.beside_chosen.connect(lambda one: area.open_beside(self._tab(one)))
        area.visibility_changed.connect(self._seen)
        self._tree.remembered.connect(self._remember)
        self._tree.ways = self._ways
        window.sidebar.fold_wanted.connect(self._fold)
        # To methods of the window's own: what is behind it lives on when it is made anew.
        for changed in (
            bench.models.changed,
            bench.models.active_changed,
            bench.checkpoints.changed,
        ):
            changed.connect(self._show_answers)
        self._show_answers()

    def _seen(self, question: str, visible: bool) -> None:
        if is_second(question):
            return
        self._tree.mark(question, visible)
        if visible:
            self._latest[self._tree.pages.home(question)] = question

    def _tab(self, question: str) -> str:
        """The tab of a page that was seen last."""
        return self._latest.get(question, question)

    def fit(self) -> None:
        """Put the tree away where there is little room, unless it is wanted."""
        wanted = self._bench.settings_store.settings.pages_folded
        folded = self._is_small if wanted is None else wanted
        self._window.sidebar.set_folded(folded or self._window.is_roomy)

    @property
    def _is_small(self) -> bool:
        return self._window.width() - self._tree.wide < zoomed(PAGE_ROOM)

    def _fold(self, folded: bool) -> None:
        """As the user wants it, whatever room there is."""
        wanted = None if folded == self._is_small else folded
        self._bench.settings_store.change(pages_folded=wanted)
        if self._window.is_roomy:
            self._window.toggle_room()
        self.fit()

    def _show_answers(self, _slot: str = "") -> None:
        """Say what the loaded models can't answer."""
        bench = self._bench
        self._tree.show_answers(
            {
                one.of.name: availability(
                    one.of, bench.models, bench.state.document, bench.asking.ways
                )
                for one in listed()
            }
        )

    def _ways(self, name: str) -> Sequence[Way]:
        bench, question = self._bench, all_questions()[name]
        return ways_to(question, bench.models, bench.state.document, bench.asking.ways)

    def _remember(
        self, opened: tuple[str, ...], starred: tuple[str, ...], recent: tuple[str, ...]
    ) -> None:
        self._bench.settings_store.change(open_topics=opened, starred=starred, recent_pages=recent)
