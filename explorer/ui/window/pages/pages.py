"""The pages with widgets: made when they are wanted, told what changes, let go when few look."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.text import _
from explorer.ui import overview
from explorer.ui.document.edits import Edits
from explorer.ui.document.second_page import question_of
from explorer.ui.overview.frame import OverviewFrame, title
from explorer.ui.views.frame.view_frame import ViewFrame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QWidget

    from explorer.ui.views import Listed, PageView
    from explorer.ui.window.host import HostWindow
    from explorer.ui.window.menus.commands import Commands
    from explorer.ui.window.tokens_in_step import TokensInStep

MOST_ALIVE = 8
"""Pages that keep their widgets; of the others what these show is kept, and they are made anew."""


class Pages(QObject):
    """Makes a page's widgets, connected to everything, and lets those go that wait for longest.

    Attributes:
        views: Of the pages that have widgets, by question; the one seen last is at the end.

    Signals:
        made: A page's question and its frame: its widgets are there.
    """

    made = Signal(str, object)

    def __init__(
        self,
        window: HostWindow,
        listed: Iterable[Listed],
        commands: Commands,
        tokens: TokensInStep,
    ) -> None:
        super().__init__(window)
        self._window, self._bench, self._area = window, window.bench, window.view_area
        self._commands, self._tokens = commands, tokens
        self._listed = {one.of.name: one for one in listed}
        self._hushed = False
        self.views: OrderedDict[str, PageView] = OrderedDict()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._let_old_ones_go)
        self._area.make = self._make
        self._area.add(overview.NAME, title())
        for one in self._listed.values():
            self._area.add(one.of.name, _(one.of.title), one.of.listing.tab_of)
        self._area.visibility_changed.connect(self._seen)
        self._bench.asking.bring_back = self._area.fill
        self._bench.checkpoints.changed.connect(self._library_changed)
        self._bench.downloads.changed.connect(self._downloads_changed)

    def _make(self, question: str, parent: QWidget) -> ViewFrame:
        if question == overview.NAME:
            return self._make_overview(parent)
        view = self._listed[question_of(question)].view()
        view.call(question)
        frame = ViewFrame.of(view, parent)
        bench = self._bench
        self.views[question] = view
        view.options.open_panel(bench.settings_store.settings.options_open)
        view.options.opened.connect(self._panels_opened)
        view.options.hush(hushed=self._hushed)
        view.scroll_at_first(bench.settings_store.settings.scrolls.get(question, 0))
        was_there = question in bench.asking.askers
        asker = bench.asking.add(view, frame)
        edits = bench.edits if asker.state is bench.state else Edits(asker.state)
        self._window.line_of_page.follow(view, frame)
        frame.help_requested.connect(self._commands.show_page_help)
        frame.export_requested.connect(lambda kind: self._commands.export(view, kind))
        view.edit_requested.connect(asker.state.apply)
        view.option_changed.connect(edits.set_option)
        view.option_moved.connect(partial(edits.set_option, merge=True))
        view.select_requested.connect(partial(self._tokens.select_in, view))
        view.baseline_changed.connect(self._window.notifications.transient_notices.refresh)
        view.load_requested.connect(self._load)
        view.tokenizer_wanted.connect(bench.actions.fetch_tokenizer)
        view.transfer_unwanted.connect(bench.downloads.cancel)
        view.folder_made.connect(bench.actions.list_path)
        # What a view that was let go held is from before; what it waited for may have come since.
        view.set_library(bench.checkpoints.all)
        view.set_transfers(self._transfers)
        if was_there:
            self._tokens.tell(view)
        self.made.emit(question, frame)
        return frame

    def _load(self, checkpoint_id: str, slot: str) -> None:
        """A frame of the series that a slot holds is shown as its slider shows one."""
        if not self._bench.moments.show_frame(slot, checkpoint_id):
            self._bench.actions.load_by_id(checkpoint_id, slot)

    def hush(self, *, hushed: bool) -> None:
        """Show no option, tool or button on any page, as before a class, or show them again."""
        self._hushed = hushed
        self._area.hush(hushed=hushed)
        for view in self.views.values():
            view.options.hush(hushed=hushed)

    def _panels_opened(self, wanted: bool) -> None:
        """Whoever wants more options wants those of the next page, too."""
        self._bench.settings_store.change(options_open=wanted)
        for view in self.views.values():
            view.options.open_panel(wanted)

    def _make_overview(self, parent: QWidget) -> ViewFrame:
        """The page that is of no question."""
        frame = OverviewFrame(self._bench, parent)
        frame.page_wanted.connect(self._area.bring_forward)
        frame.position_wanted.connect(self._tokens.select)
        return frame

    @property
    def _transfers(self) -> dict[str, float]:
        return {name: one.fraction for name, one in self._bench.downloads.transfers.items()}

    def _library_changed(self) -> None:
        for view in self.views.values():
            view.set_library(self._bench.checkpoints.all)

    def _downloads_changed(self) -> None:
        for view in self.views.values():
            view.set_transfers(self._transfers)

    # ---- letting go --------------------------------------------------------------------------

    def _seen(self, question: str, visible: bool) -> None:
        if question == overview.NAME:
            self._bench.overview.set_visible(visible)
        elif question in self.views:
            self.views.move_to_end(question)
            self._later.start()

    def _let_old_ones_go(self) -> None:
        for question in [*self.views]:
            if len(self.views) > MOST_ALIVE:
                self.let_go(question)

    def let_go(self, question: str) -> bool:
        """Keep what a page holds, and not its widgets.

        Returns:
            False where it is looked at, or would lose something.
        """
        if question not in self.views or self._area.is_open(question):
            return False
        if not self._bench.asking.let_go(question):
            return False
        self.views.pop(question).shut()
        self._area.forget(question)
        return True
