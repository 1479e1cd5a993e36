"""The main window as what stands in it sees it.

Lectures, the log, the sheet and the menus are handed a window and know no more of it than this, so
that none of them imports the window that imports them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMainWindow, QToolBar, QWidget

# The empty window is seen long before any of it is read.
if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.ui.controls.buttons.menu_titles import MenuTitles
    from explorer.ui.engine_packages.preparing_notice import PreparingNotice
    from explorer.ui.export.file_dialogs import FileDialogs
    from explorer.ui.library.model_bar import ModelBar
    from explorer.ui.library.panel.panel import Library
    from explorer.ui.library.panel.picker import ModelPicker
    from explorer.ui.notices.notices import Notices
    from explorer.ui.notices.notifications import Notifications
    from explorer.ui.notices.updates import Updates
    from explorer.ui.sentence.panel import SentencePanel
    from explorer.ui.sentence.tokens.details import TokenDetails
    from explorer.ui.sentence.tokens.popover import TokenPopover
    from explorer.ui.session_log.drawer import LogDock
    from explorer.ui.session_log.line import LogLine
    from explorer.ui.views import PageView
    from explorer.ui.window.docks import Drawer
    from explorer.ui.window.line_of_page import LineOfPage
    from explorer.ui.window.pages.view_area import ViewArea
    from explorer.ui.window.status import Status
    from explorer.ui.window.tree.page_tree import PageTree
    from explorer.ui.window.tree.sidebar import Sidebar
    from explorer.ui.workbench.workbench import Workbench


class HostWindow(QMainWindow):
    """A main window and what is in it.

    Attributes:
        bench: What is behind its widgets.
        dialogs: Asks for files.
        bar: What stands on top: models, text, tools and menus.
        sentence: The text, its masks and tokens.
        view_area: The pages.
        sidebar: The search, and the tree of pages.
        tree: The pages by their topics.
        notices: What is said below the pages.
        notifications: What speaks through them.
        updates: Looks for newer versions.
        preparing: Offers to install the packages that run models; None where they are there.

    Signals:
        closed: The window was closed by the user.
        restart_wanted: Start the engine anew with the settings of now.
        reload_wanted: Read the plugins anew, as they lie in their folders now.
        language_wanted: A setting of the language: speak it from now on.
        setting_changed: The user set something, in a menu or in the dialog.
    """

    closed = Signal()
    restart_wanted = Signal()
    reload_wanted = Signal()
    language_wanted = Signal(str)
    setting_changed = Signal()

    bench: Workbench
    dialogs: FileDialogs
    sentence: SentencePanel
    view_area: ViewArea
    sidebar: Sidebar
    tree: PageTree
    bar: QToolBar
    model_bar: ModelBar
    menu_titles: MenuTitles
    picker: ModelPicker
    library: Library
    token: TokenDetails
    popover: TokenPopover
    log: LogDock
    log_line: LogLine
    line_of_page: LineOfPage
    lecture_dock: Drawer
    status: Status
    notices: Notices
    notifications: Notifications
    updates: Updates
    preparing: PreparingNotice | None

    def current_view(self) -> PageView | None:
        """The view on the screen that was used last; None where that is the overview."""
        raise NotImplementedError

    def view_of(self, question: str) -> PageView:
        """The view of a question; made if nobody has seen it yet."""
        raise NotImplementedError

    @property
    def views_made(self) -> tuple[PageView, ...]:
        """Those that have widgets: what is on screen, and was a moment ago."""
        raise NotImplementedError

    @property
    def side_docks(self) -> tuple[Drawer, Drawer]:
        """The token, the log."""
        raise NotImplementedError

    @property
    def drawers(self) -> tuple[Drawer, ...]:
        """Everything that is put away around the pages: those, and the lectures."""
        return *self.side_docks, self.lecture_dock

    @property
    def is_roomy(self) -> bool:
        """The pages have the room of what is around them."""
        raise NotImplementedError

    @property
    def fills_screen(self) -> bool:
        """The pages fill the screen."""
        raise NotImplementedError

    def fill_screen(self, wanted: bool) -> None:
        """Let the pages fill the screen, or bring back what is around them."""
        raise NotImplementedError

    def present(self, wanted: bool) -> None:
        """Let the page fill the screen in large letters, or bring back what there was."""
        raise NotImplementedError

    def stand_first(self, make: Callable[[QWidget], QWidget]) -> None:
        """Put something above the tokens.

        Args:
            make: Makes it, in what it will stand in.
        """
        raise NotImplementedError

    def toggle_room(self) -> None:
        """Give the views the room of what is around them, or take it back."""
        raise NotImplementedError

    def reset_layout(self) -> None:
        """Put every dock back where it was at first."""
        raise NotImplementedError

    def open_library(self, slot: str = "") -> None:
        """Open the picker of models, to choose one for a slot.

        Args:
            slot: "" for the one that answers.
        """
        raise NotImplementedError

    def focus_log(self) -> None:
        """Go to the log's search field."""
        raise NotImplementedError
