"""The main window: the models, the sentence, the pages, and drawers for all the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QHBoxLayout, QToolBar, QVBoxLayout, QWidget

from explorer.text import _
from explorer.ui import overview
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.guarded import guarded
from explorer.ui.theme.chrome import stays_put
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.window.host import HostWindow
from explorer.ui.window.starts.closing import TrainingAtClose
from explorer.ui.window.starts.window_layout import WindowLayout

# What the window is filled with is imported when it is filled: the empty window can be seen
# long before all of that is read.
if TYPE_CHECKING:
    from explorer.engine.messages import Ready
    from explorer.settings import Settings
    from explorer.ui.views import PageView
    from explorer.ui.window.docks import Drawer
    from explorer.ui.workbench.workbench import Workbench

RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea
SMALLEST = (760, 520)


@guarded
class MainWindow(HostWindow):
    """Widgets on a workbench.

    Attributes:
        is_painted: It can be seen.
    """

    def __init__(self, settings: Settings) -> None:
        """An empty window in its place; `fill` puts everything into it."""
        super().__init__()
        self.setObjectName("main_window")
        self.setWindowTitle("PLM Explorer")
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self.setDockNestingEnabled(True)
        self.setCorner(Qt.Corner.BottomRightCorner, BOTTOM)
        self._is_filled = False
        self.is_painted = False
        self.placing = WindowLayout(self, settings)
        opening = plain_label(self, _("Opening…"))
        opening.setAlignment(Qt.AlignmentFlag.AlignCenter)
        opening.setEnabled(False)
        self.setCentralWidget(opening)

    def fill(self, bench: Workbench, before: MainWindow | None = None) -> None:
        """Put the widgets on a workbench into the window.

        Args:
            bench: What is behind them.
            before: The window that this one takes the place of.
        """
        from explorer.ui.controls.buttons.menu_titles import MenuTitles
        from explorer.ui.export.file_dialogs import FileDialogs
        from explorer.ui.lectures.actions import LectureActions
        from explorer.ui.lectures.panel import Lectures
        from explorer.ui.lectures.stage.presenting import Presenting
        from explorer.ui.lectures.stage.stage import Stage
        from explorer.ui.lectures.stage.stage_input import StageInput
        from explorer.ui.lectures.stage.strip import Strip
        from explorer.ui.lectures.stage.title import StageTitle
        from explorer.ui.lectures.stage.tools import StageTools
        from explorer.ui.library.actions import ask_in_dialog
        from explorer.ui.library.model_bar import ModelBar
        from explorer.ui.library.panel.picker import ModelPicker
        from explorer.ui.notices.notices import Notices
        from explorer.ui.notices.notifications import Notifications
        from explorer.ui.notices.small_world import SmallWorld
        from explorer.ui.notices.updates import Updates
        from explorer.ui.saved_documents.documents import Documents
        from explorer.ui.sentence.entity_names import EntityNames
        from explorer.ui.sentence.panel import SentencePanel
        from explorer.ui.sentence.tokens.details import TokenDetails
        from explorer.ui.sentence.tokens.popover import TokenPopover
        from explorer.ui.session_log.actions import LogActions
        from explorer.ui.session_log.drawer import LogDock
        from explorer.ui.session_log.file_session import FileSession
        from explorer.ui.sheet.sheet import Sheet
        from explorer.ui.views import listed
        from explorer.ui.window.docks import empty_drawer
        from explorer.ui.window.line_of_page import LineOfPage
        from explorer.ui.window.menus.commands import Commands
        from explorer.ui.window.menus.keys_in_fields import KeysInFields
        from explorer.ui.window.menus.menu_bar import Menus
        from explorer.ui.window.menus.receivers import Receivers
        from explorer.ui.window.menus.slot_numbers import offer_numbers
        from explorer.ui.window.pages.pages import Pages
        from explorer.ui.window.pages.second_pages import SecondPages
        from explorer.ui.window.pages.view_area import ViewArea
        from explorer.ui.window.starts.first_steps import FirstSteps
        from explorer.ui.window.status import Status
        from explorer.ui.window.tokens_in_step import TokensInStep
        from explorer.ui.window.tree.sidebar import Sidebar
        from explorer.ui.window.tree.tree_in_step import TreeInStep

        self.bench = bench
        self.dialogs = FileDialogs(self)
        bench.consent = ask_in_dialog(self)
        self.at_close = TrainingAtClose(bench, self)
        # Everything is made where it will stand: what moves from one parent to another is dressed
        # anew, with all that is in it.
        centre = self._centre = QWidget(self)
        centre.setObjectName("centre")
        self._token_dock = empty_drawer(_("Token"), "dock_token", self)
        self._log_dock = empty_drawer(_("Session log"), "dock_log", self)
        self.lecture_dock = empty_drawer(_("Lectures"), "dock_lectures", self)
        self.notices = Notices(centre)
        self.bar = QToolBar(_("Models and sentence"), self)
        inside = QWidget(self.bar)
        # Before there is anything in it: what a tool bar takes, it moves twice.
        self.bar.addWidget(inside)
        self.sentence = SentencePanel(bench.edits, centre, inside)
        EntityNames(self.sentence.strip, bench.models, bench.bridge)
        pages = listed()
        self.view_area = ViewArea(centre)
        self.sidebar = Sidebar(pages, centre)
        self.tree = self.sidebar.tree
        self.picker = ModelPicker(bench.actions, self)
        self.library = self.picker.library
        self.model_bar = ModelBar(bench.models, bench.moments, self.sentence)
        self.model_bar.menu_made.connect(lambda slot, menu: offer_numbers(bench, slot, menu))
        self.menu_titles = MenuTitles(self.sentence)
        self.sentence.hold(self.model_bar, self.menu_titles)
        row = QVBoxLayout(inside)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.sentence)
        self.token = TokenDetails(self._token_dock)
        self.popover = TokenPopover(self.sentence.strip, self)
        self.log = LogDock(bench.queries, self._log_dock)
        self.status = Status(
            bench.bridge, bench.models, self._log_dock, self, offline=lambda: bench.is_offline
        )
        self.log_line = self.status.line
        self.setStatusBar(self.status)
        self.presenting = Presenting(self)
        self.lecture_actions = LectureActions(self, self.presenting)
        self.lectures = Lectures(self.lecture_actions, self.lecture_dock)
        self.strip = Strip(self.lecture_actions, centre)
        self.stage_title = StageTitle(self.lecture_actions, centre)
        self.stage = Stage(self, self.lecture_actions)
        self.stage_tools = StageTools(self, self.lecture_actions)
        self.stage_input = StageInput(self, self.lecture_actions, centre)
        self._lay_out(centre)
        self.notifications = Notifications(bench, self.notices, self)
        self.sheet: Sheet = Sheet(self) if before is None else before.sheet
        self.file_session: FileSession = (
            FileSession(self) if before is None else before.file_session
        )
        self.documents = Documents(self, self.lecture_actions.lecturing, self.sheet)
        self.documents.changed.connect(self._name_document)
        self.commands = Commands(
            self,
            self.lecture_actions,
            self.sheet,
            self.file_session,
            self.documents.open,
            self._groups_of_menus,
        )
        self.log_actions = LogActions(self)
        self.small_world = SmallWorld(
            bench, self.notices, self.sentence.open_samples, self.commands.get_real_model, self
        )
        self.first_steps = FirstSteps(self, self.commands, self.lecture_actions)
        self.updates = Updates(self.notices, lambda: bench.is_offline, self)
        self.preparing = None
        if bench.preparing is not None:
            from explorer.ui.engine_packages.preparing_notice import PreparingNotice

            self.preparing = PreparingNotice(bench.preparing, self.notices, self)
        self.tokens = TokensInStep(self)
        self.line_of_page = LineOfPage(self.view_area, self.log_line, self.current_view)
        self.pages = Pages(self, pages, self.commands, self.tokens)
        self.second_pages = SecondPages(self, self.pages)
        self.menus = Menus(
            self,
            Receivers(
                commands=self.commands,
                lectures=self.lecture_actions,
                log=self.log_actions,
                sheet=self.sheet,
                file_session=self.file_session,
                documents=self.documents,
                first_steps=self.first_steps,
                second_pages=self.second_pages,
                on_stage=self.stage_tools.all,
            ),
        )
        KeysInFields(self.actions, self)
        self.listing = TreeInStep(self)
        presenting, pages_made = self.presenting, self.pages
        presenting.turned.connect(lambda: pages_made.hush(hushed=presenting.is_on))
        self._connect()
        self.placing.restore(bench.settings_store.settings)
        self.menus.refresh()
        self._is_filled = True
        theme_signals().changed.connect(self._fit)
        self._fit()
        # Whoever starts to type means the sentence.
        self.sentence.focus_text()

    def current_view(self) -> PageView | None:
        """The view on the screen that was used last; None where that is the overview."""
        views, current = self.pages.views, self.view_area.current.question
        # The overview is the page of no question: what asks for one must not mean another page.
        other = None if current == overview.NAME else next(iter(views.values()), None)
        return views.get(current, other)

    def view_of(self, question: str) -> PageView:
        """The view of a question; made if nobody has seen it yet."""
        # Whoever hears of one that is just being made is given that one.
        if question not in self.pages.views:
            self.view_area.fill(question)
        return self.pages.views[question]

    @property
    def views_made(self) -> tuple[PageView, ...]:
        """Those that have widgets: what is on screen, and was a moment ago."""
        return tuple(self.pages.views.values())

    @property
    def side_docks(self) -> tuple[Drawer, Drawer]:
        """The token, the log."""
        return self._token_dock, self._log_dock

    def reset_layout(self) -> None:
        """Put every dock back where it was at first."""
        self.second_pages.close_all()
        self.placing.reset()

    def toggle_room(self) -> None:
        """Give the views the room of what is around them, or take it back."""
        self.placing.toggle_room()
        self._fit()

    @property
    def is_roomy(self) -> bool:
        """The pages have the room of what is around them."""
        return self.placing.is_roomy

    @property
    def fills_screen(self) -> bool:
        """The pages fill the screen."""
        return self.placing.fills_screen

    def fill_screen(self, wanted: bool) -> None:
        """Let the pages fill the screen, or bring back what is around them."""
        self.picker.put_away()
        if not wanted:
            self.presenting.stop()
        self._leaving.setEnabled(wanted)
        self.placing.fill_screen(wanted)
        self.menus.refresh()
        self._fit()

    def present(self, wanted: bool) -> None:
        """Let the page fill the screen in large letters, or bring back what there was."""
        if wanted:
            self.presenting.start()
        else:
            self.presenting.stop()
        self.menus.refresh()

    def _groups_of_menus(self) -> Iterable[tuple[str, list[QAction]]]:
        """Read when a person wants them: the menus are made after what they do."""
        return self.menus.groups()

    def _leave_page(self) -> None:
        """Escape: out of presenter mode first, then out of the page alone."""
        self.menus.action("present" if self.presenting.is_on else "fill_screen").trigger()

    def open_library(self, slot: str = "") -> None:
        """Open the picker of models, to choose one for a slot.

        Args:
            slot: "" for the one that answers.
        """
        self.picker.open(slot, self.model_bar.slots.get(slot or self.bench.models.active))

    def focus_log(self) -> None:
        """Go to the log's search field."""
        self._log_dock.show()
        self.log.filters.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.log.filters.search.selectAll()

    # ---- making ------------------------------------------------------------------------------

    def _lay_out(self, centre: QWidget) -> None:
        from explorer.ui.window.docks import furnish

        self._column = column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.sentence.strip_area)
        # In the place of the sentence where the page fills the screen to be presented.
        column.addWidget(self.stage_title)
        column.addWidget(self.stage_input)
        column.addWidget(self.view_area, 1)
        column.addWidget(self.strip)
        # Under the pages: what comes or goes must not move them from under the mouse.
        column.addWidget(self.notices)
        layout = QHBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sidebar)
        layout.addLayout(column, 1)
        self.setCentralWidget(centre)
        insides = (self.token, self.log, self.lectures)
        for dock, inside in zip(self.drawers, insides, strict=True):
            furnish(dock, inside)
        self.addDockWidget(RIGHT, self._token_dock)
        self.addDockWidget(RIGHT, self.lecture_dock)
        self.tabifyDockWidget(self._token_dock, self.lecture_dock)
        self.addDockWidget(BOTTOM, self._log_dock)
        # Qt shows what is put into a window only later, and leaves what is hidden out of a
        # layout that it saves or restores: the docks would be gone, the middle without width.
        self.bar.setObjectName("model_bar")
        self.bar.setAccessibleName(_("Models and sentence"))
        stays_put(self.bar)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, self.bar)
        for widget in (centre, self.bar, *self.drawers):
            widget.show()
        self._leaving = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._leaving.activated.connect(self._leave_page)
        self._leaving.setEnabled(False)

    def _connect(self) -> None:
        bench = self.bench
        self.view_area.visibility_changed.connect(self._view_visible)
        self.library.folder_wanted.connect(self.commands.pick_folder_for)
        self.library.published_wanted.connect(self.commands.get_real_model)
        self.library.search_wanted.connect(self.commands.search_hub)
        self.library.table_wanted.connect(self.commands.show_model_table)
        self.library.revisions_wanted.connect(self.commands.choose_revision)
        self.log.left.connect(self._log_dock.close)
        self.lectures.left.connect(self.lecture_dock.close)
        self.lecture_dock.visibilityChanged.connect(self.lecture_actions.refresh)
        for dock in self.drawers:
            dock.left.connect(self.sentence.focus_tokens)
        self.model_bar.library_wanted.connect(self.open_library)
        self.sentence.room_wanted.connect(self.toggle_room)
        self.sentence.sample_taken.connect(self.view_area.bring_forward)
        # To methods alone: what is behind the window lives on when the window is made anew.
        bench.state.changed.connect(self._document_changed)
        bench.models.changed.connect(self._models_changed)
        bench.models.active_changed.connect(self._models_changed)
        bench.actions.compared.connect(self.commands.compare)
        bench.actions.architecture_wanted.connect(self.commands.take_apart)
        bench.actions.film_wanted.connect(self.commands.make_film)
        bench.moments.steps_wanted.connect(self.commands.ask_at_every_step)
        bench.moments.film_wanted.connect(self.commands.make_film)
        bench.moments.file_wanted.connect(self.commands.save_film)
        bench.actions.library_wanted.connect(self.open_library)
        bench.actions.revisions_wanted.connect(self.commands.choose_revision)
        bench.restart_wanted.connect(self.restart_wanted)
        bench.report_wanted.connect(self.commands.report_problem)
        bench.bridge.ready.connect(self._engine_ready)
        bench.recording.written.connect(self.log.refresh)
        bench.checkpoints.changed.connect(self._titles_changed)
        self._titles_changed()
        self.log.restore_wanted.connect(self.commands.restore_run)
        self.log.export_wanted.connect(self.commands.export_run)
        if bench.queries is not None:
            bench.queries.opened.connect(self.commands.run_opened)
            bench.queries.export_read.connect(self.commands.exporting.run)

    def _name_document(self) -> None:
        path = self.documents.path
        self.setWindowTitle("PLM Explorer" if path is None else f"{path.name} – PLM Explorer")

    # ---- what has changed -------------------------------------------------------------------

    def _document_changed(self, _document: object) -> None:
        self.menus.refresh()
        self.log.mark(self.bench.state.run_id)

    def _models_changed(self, _slot: str = "") -> None:
        self.menus.refresh()

    def _titles_changed(self) -> None:
        every = self.bench.checkpoints.all
        self.log.set_titles({one.id: one.title for one in every})

    def _view_visible(self, question: str, visible: bool) -> None:
        asker = self.bench.asking.askers.get(question)
        if asker is not None:
            asker.set_visible(visible)
        self.notifications.transient_notices.refresh()

    def _engine_ready(self, event: Ready) -> None:
        if event.devices:
            self.menus.show_devices()

    # ---- drag and drop -----------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders may be dropped anywhere."""
        from explorer.ui.document import dropping

        if self._is_filled and dropping.accepts(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Load the model or open the text."""
        from explorer.ui.document import dropping

        dropped = dropping.read(event.mimeData())
        if dropped is not None:
            event.acceptProposedAction()
            self.commands.take_drop(dropped)

    # ---- place and size ----------------------------------------------------------------------

    def shut_views(self) -> None:
        """The window is about to go."""
        self.lecture_actions.exporting.cancel()
        self.commands.values.cancel()
        self.commands.films.cancel()
        for view in self.views_made:
            view.shut()

    def restore_sizes(self) -> None:
        """Give the docks of a filled window that is shown now the sizes they had."""
        self.placing.restore_sizes(self.bench.settings_store.settings)

    def leave_screen(self) -> None:
        """Let the pages fill the screen no longer: what was around them is remembered."""
        if self._is_filled:
            self.fill_screen(False)

    def remember_layout(self) -> None:
        """Keep the window's place, size and docks in the settings."""
        if self._is_filled:
            self.placing.remember()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Remember that the window can be seen; what is slow waits for that."""
        super().paintEvent(event)
        self.is_painted = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A small window puts the tree away."""
        super().resizeEvent(event)
        if self._is_filled:
            self._fit()

    def _fit(self, _theme: object = None) -> None:
        """Little room: no tree, and drawers that leave the page its part."""
        self.listing.fit()
        self.model_bar.show_facts(self.width())
        self.placing.bound_docks()

    def stand_first(self, make: Callable[[QWidget], QWidget]) -> None:
        """Put something above the tokens.

        Args:
            make: Makes it, in what it will stand in.
        """
        self._column.insertWidget(0, make(self._centre))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Go at once; what has to be written is written behind the closed window."""
        if self._is_filled and not self.at_close.may_close():
            event.ignore()
            return
        self.leave_screen()
        self.remember_layout()
        event.accept()
        self.closed.emit()
