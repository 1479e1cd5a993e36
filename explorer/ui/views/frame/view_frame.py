"""The frame around every view: title, question, export, and the five states."""

import enum
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Protocol

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from explorer.api.question import Failure
from explorer.text import N_, _
from explorer.ui.blocks.page.explained import explanation_of_page
from explorer.ui.blocks.widget.accessible import announce
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.guarded import guarded
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import theme_signals
from explorer.ui.views.frame.header import Header
from explorer.ui.views.frame.log_bar import LogBar
from explorer.ui.views.frame.over_result import Content
from explorer.ui.views.frame.pin_bar import PinBar, PinButton, Pinnable
from explorer.ui.views.frame.progress_line import ProgressLine
from explorer.ui.views.frame.state_pages import (
    EmptyPage,
    FailedPage,
    StatePage,
    UnavailablePage,
    Way,
    WorkingPage,
)

QUIET_MS = 150
"""Answers that come sooner are shown without a word about work."""

FILM, AT_EVERY_STEP = "film", "at_every_step"
EXPORTS = (
    ("picture", N_("Save picture…"), "file-image-outline"),
    (FILM, N_("Save film…"), "filmstrip"),
    (AT_EVERY_STEP, N_("Ask at every step"), "chart-timeline-variant"),
    ("table", N_("Save table…"), "file-delimited-outline"),
    ("copy_picture", N_("Copy picture"), "image-multiple-outline"),
    ("copy_table", N_("Copy table"), "table"),
    ("copy_python", N_("Copy as Python"), "language-python"),
    ("copy_command", N_("Copy as command"), "console"),
    ("copy_transformers", N_("Copy as Python with transformers alone"), "code-braces"),
)
"""Kind, what the menu says, and its icon."""

TO_SHEET, COMPARISON_TO_SHEET, VALUES = "sheet", "sheet_comparison", "values"
"""What else may be asked for: this answer, or the pinned one and this, on the sheet; what the one
model of an answer computes of its text."""


class FrameState(enum.StrEnum):
    """What a frame shows; always exactly one."""

    EMPTY = "empty"
    WORKING = "working"
    STALE = "stale"
    RESULT = "result"
    FAILED = "failed"
    UNAVAILABLE = "unavailable"


NO_ANSWER = (FrameState.EMPTY, FrameState.FAILED, FrameState.UNAVAILABLE)
"""States in which nothing that was answered is seen."""

ANNOUNCED = (FrameState.RESULT, FrameState.FAILED, FrameState.UNAVAILABLE)
"""States that a screen reader tells of by itself: what was waited for has come."""


class Framed(Protocol):
    """What the frame asks of a view."""

    title: str
    asks: str

    def tools(self) -> list[QWidget]:
        """Widgets for the frame's header."""

    def stand_in(self, page: QWidget | None) -> bool:
        """Show a page below the options in the place of an answer; False where it can't."""


@guarded
class ViewFrame(QFrame):
    """Holds a view and shows exactly one state.

    Signals:
        cancel_requested: Stop the work.
        retry_requested: Ask again.
        help_requested: Explain the page.
        export_requested: One of the kinds in EXPORTS, or one of the two for the sheet.
        state_changed: The new FrameState.
        seen: Whether it can be seen now.
    """

    cancel_requested = Signal()
    retry_requested = Signal()
    export_requested = Signal(str)
    help_requested = Signal()
    state_changed = Signal(object)
    seen = Signal(bool)

    def __init__(
        self,
        title: str,
        question: str,
        content: QWidget,
        tools: list[QWidget] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("viewFrame")
        self.setAccessibleName(title)
        self.setAutoFillBackground(True)
        self._state = FrameState.EMPTY
        self._has_result = False
        self._with_options = False
        self.is_live = False
        self.pin_button: PinButton | None = None
        self.header = Header(title, question, self)
        self.header.help_wanted.connect(self.help_requested)
        self.export_button = self._export_button()
        self._line = self._make_line()
        self.pages = QStackedWidget(self)
        self.content = Content(content, self.pages)
        self.bar = self.content.bar
        self.bar.cancel.clicked.connect(self.cancel_requested)
        self.bar.again.clicked.connect(self.retry_requested)
        self.empty_page = EmptyPage(self.pages)
        self.empty_page.started.connect(self.retry_requested)
        self.working_page = WorkingPage(self.pages)
        self.working_page.cancelled.connect(self.cancel_requested)
        self._page_list: list[StatePage] = [self.empty_page, self.working_page]
        for page in (self.content, *self._page_list):
            self.pages.addWidget(page)
        self.quiet = QTimer(self)
        self.quiet.setSingleShot(True)
        self.quiet.setInterval(QUIET_MS)
        self.quiet.timeout.connect(self._show_work)
        self._lay_out(tools or [])
        theme_signals().changed.connect(self._theme_changed)
        self.show_empty("")

    @classmethod
    def of(cls, view: QWidget, parent: QWidget | None = None) -> "ViewFrame":
        """A frame around a View, with its title, question and tools."""
        framed: Framed = view  # type: ignore[assignment]
        tools = framed.tools()
        frame = cls(framed.title, framed.asks, view, tools, parent)
        frame.setObjectName(f"viewFrame_{view.objectName()}")
        frame.is_live = bool(getattr(view, "is_live", False))
        of = getattr(view, "of", None)
        if of is not None and of.one_answers and of.reads_text:
            frame.offer_values()
        if hasattr(view, "explained") and hasattr(view, "explanations"):
            view.explained.connect(frame.header.explain)
            frame.header.explain(explanation_of_page(view.explanations))
        if hasattr(view, "pin"):
            frame.add_pin(view)  # type: ignore[arg-type]
        # As they are read: the header, the options in sight, the answer.
        pin = [] if frame.pin_button is None else [frame.pin_button]
        header = [frame.header.help, *tools, *pin, frame.export_button]
        bar, page = getattr(view, "bar", None), getattr(view, "page", None)
        stops = [] if bar is None else [bar.fields[key] for key in bar.row]
        for one, after in pairwise([*header, *stops, *([page] if page is not None else [])]):
            QWidget.setTabOrder(one, after)
        return frame

    def _lay_out(self, tools: list[QWidget]) -> None:
        self.header.hold([*tools, self.export_button])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self._rows = layout
        self.log_bar = LogBar(self)
        self.log_bar.asked.connect(self.retry_requested)
        layout.addWidget(self.header)
        layout.addWidget(self.log_bar)
        layout.addWidget(self._line)
        layout.addWidget(self.pages, 1)

    def add_pin(self, view: Pinnable) -> None:
        """Let answers be pinned."""
        self.pin_button = PinButton(view, self)
        self.pin_button.setEnabled(False)
        self.header.insert_before(self.export_button, self.pin_button)
        bar = PinBar(view, self)
        bar.kept.connect(lambda: self.export_requested.emit(COMPARISON_TO_SHEET))
        self._rows.insertWidget(1, bar)

    def showEvent(self, event: QShowEvent) -> None:
        """It is in front, in a window that is seen."""
        super().showEvent(event)
        self.seen.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """It was put away, or its window was."""
        super().hideEvent(event)
        self.seen.emit(False)

    def _export_button(self) -> MenuButton:
        button = MenuButton(self)
        button.setObjectName("exportButton")
        button.say_modestly(_("Export"))
        button.setAccessibleName(_("Export"))
        button.setToolTip(_("Save or copy this page as a picture or a table"))
        button.setIcon(icon("export-variant", "text"))
        icon_in_size(button)
        menu = QMenu(button)
        menu.setObjectName("exportMenu")
        for kind, text, glyph in EXPORTS:
            if kind in ("copy_picture", "copy_python"):
                menu.addSeparator()
            action = menu.addAction(icon(glyph), _(text))
            action.setObjectName(f"export_{kind}")
            action.setData(kind)
        menu.addSeparator()
        sheet = menu.addAction(icon("playlist-plus"), _("Add to the comparison sheet"))
        sheet.setObjectName("export_sheet")
        sheet.setData(TO_SHEET)
        menu.triggered.connect(lambda action: self.export_requested.emit(action.data()))
        menu.aboutToShow.connect(self._take_focus)
        button.opens(menu)
        return button

    def offer_values(self) -> None:
        """Offer what the model computes of the text."""
        menu = self.export_button.menu()
        if menu is not None:
            action = QAction(icon("numeric"), _("Save values of the model…"), menu)
            action.setObjectName(f"export_{VALUES}")
            action.setData(VALUES)
            before = next(one for one in menu.actions() if one.isSeparator())
            menu.insertAction(before, action)

    def focus_first(self) -> None:
        """Go to the first control of the page as it is read, or to the page where it has none."""

        def place(widget: QWidget) -> tuple[int, int]:
            corner = widget.mapTo(self, QPoint(0, 0))
            return corner.y(), corner.x()

        page = self.pages.currentWidget()
        found = [] if page is None else page.findChildren(QWidget)
        takers = [one for one in found if one.isVisible() and one.isEnabled() and _takes_tab(one)]
        first = min(takers, key=place, default=self)
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _take_focus(self) -> None:
        """A click on a button that takes no focus makes the view current all the same."""
        holder = self.window().focusWidget()
        if holder is None or not self.isAncestorOf(holder):
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def _make_line(self) -> ProgressLine:
        """How far the work is, above an old result; it keeps its room."""
        line = ProgressLine(self)
        keep = line.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        line.setSizePolicy(keep)
        line.hide()
        return line

    # Most questions are answered: these are made when one is not.

    @cached_property
    def failed_page(self) -> FailedPage:
        """Says what went wrong."""
        page = FailedPage(self.pages)
        page.retried.connect(self.retry_requested)
        self._page_list.append(page)
        self.pages.addWidget(page)
        return page

    @cached_property
    def unavailable_page(self) -> UnavailablePage:
        """Says why the model cannot answer."""
        page = UnavailablePage(self.pages)
        self._page_list.append(page)
        self.pages.addWidget(page)
        return page

    # ---- states -----------------------------------------------------------------------------

    @property
    def state(self) -> FrameState:
        """What it shows now."""
        return self._state

    def show_empty(
        self,
        sentence: str,
        action: str = "",
        ways: Sequence[Way] = (),
        *,
        with_options: bool = False,
    ) -> None:
        """Nothing to show; the sentence says what to do, and the buttons do it.

        Args:
            sentence: What to do.
            action: What the button says that asks; "" for none.
            ways: More buttons.
            with_options: The view's options are seen above it: one of them may be what is missing.
        """
        self.empty_page.sentence.setText(sentence)
        self.empty_page.offer(action)
        self.empty_page.offer_ways(ways)
        self._has_result = False
        self._with_options = with_options
        self._enter(FrameState.EMPTY, self.empty_page)

    def show_working(self, stage: str = "", *, with_options: bool = False) -> None:
        """An answer is on its way; said only when it takes longer than QUIET_MS."""
        self._with_options = with_options
        if self._state is FrameState.WORKING:
            self._say(stage)
            return
        self.set_progress(stage)
        self._change(FrameState.WORKING)
        self.quiet.start()

    def set_progress(
        self, stage: str, done: float = 0.0, total: float = 0.0, detail: str = ""
    ) -> None:
        """Say how far the work is; a total of 0 means that nobody knows."""
        self._say(" · ".join(part for part in (stage, detail) if part))
        self.working_page.line.set_progress(done, total)
        self._line.set_progress(done, total)

    def _say(self, words: str) -> None:
        words = words or _("Working")
        self.working_page.sentence.setText(f"{words}…")
        if self._state is not FrameState.STALE:
            self.bar.label.setText(f"{words}…")

    def _show_work(self) -> None:
        """The work takes long enough to speak of it."""
        if self._state is FrameState.WORKING:
            if self._has_result:
                self._over_result(f"{self.working_page.sentence.text()}", working=True)
            else:
                self._put(self.working_page)
        elif self._state is FrameState.STALE:
            self._over_result(self.bar.label.text(), working=False)

    def _over_result(self, words: str, *, working: bool) -> None:
        self._line.setVisible(working)
        self.content.say(words, working=working, veiled=not (working and self.is_live))
        self._put(self.content)

    def make_room(self) -> None:
        """Give the view its size before it has an answer, which is then laid out at that alone."""
        if self.isVisible():
            self._put(self.content)

    def show_result(self, from_log: str = "") -> None:
        """The view holds the answer to what is asked now.

        Args:
            from_log: When it was given, and by whom, where it is one of the log; "" for a new one.
        """
        self._has_result = True
        self.log_bar.say(from_log)
        self._enter(FrameState.RESULT, self.content)

    def show_part(self) -> None:
        """The view holds what there is so far of the answer that is on its way."""
        if self._state is FrameState.WORKING:
            self._has_result = True
            self.log_bar.say("")
            self.quiet.stop()
            self._line.setVisible(True)
            self.content.say(self.working_page.sentence.text(), working=True, veiled=False)
            self._put(self.content)

    def show_stale(self, reason: str = "", ways: Sequence[Way] = ()) -> None:
        """The view holds the answer to an older question; without one this is an empty view.

        Args:
            reason: Why it is an older one; "" for what is said usually.
            ways: Buttons in the place of the one that asks again; the first is shown.
        """
        if not self._has_result:
            self._enter(FrameState.EMPTY, self.empty_page)
            return
        self._enter(FrameState.STALE, self.content)
        self.bar.label.setText(reason or _("This is the answer to an earlier question."))
        self.bar.offer(ways)
        self.quiet.start()

    def show_failed(
        self, failure: Failure, ways: Sequence[Way] = (), *, with_options: bool = False
    ) -> None:
        """It went wrong; says what, and what to do."""
        self.failed_page.show_failure(failure)
        self.failed_page.offer_ways(ways)
        # Where a button leads on, the same question would only go wrong once more.
        self.failed_page.retry.setVisible(not ways)
        self._with_options = with_options
        self._enter(FrameState.FAILED, self.failed_page)

    def show_unavailable(self, why: str, ways: Sequence[Way] = ()) -> None:
        """This model cannot answer; one line says why, and the buttons lead to one that can."""
        self.unavailable_page.sentence.setText(why)
        self.unavailable_page.offer_ways(ways)
        self._has_result = False
        self._enter(FrameState.UNAVAILABLE, self.unavailable_page)

    def _enter(self, state: FrameState, page: QWidget) -> None:
        self.quiet.stop()
        self._line.hide()
        self.content.say_no_more()
        self._put(page)
        self._change(state)

    def _put(self, page: QWidget) -> None:
        """Show a page: alone, or below the view's options while these matter.

        Whoever pressed a button that goes is on the view itself, and not on what stands next.
        """
        holder = self.window().focusWidget()
        self._stand(page)
        if (
            holder is not None
            and not holder.isVisibleTo(self)
            and any(one.isAncestorOf(holder) for one in self._page_list)
        ):
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _stand(self, page: QWidget) -> None:
        below = page is not self.content and self._with_options
        if below and self.content.stand_in(page):
            self.pages.setCurrentWidget(self.content)
            return
        self.content.stand_in(None)
        if self.pages.indexOf(page) < 0:
            page.setMinimumHeight(0)
            self.pages.addWidget(page)
        self.pages.setCurrentWidget(page)

    def _change(self, state: FrameState) -> None:
        changed = state is not self._state
        self._state = state
        if state in NO_ANSWER:
            self.log_bar.say("")
        self.setProperty("state", state.value)
        self.setAccessibleDescription(self._spoken())
        answered = state in (FrameState.RESULT, FrameState.STALE)
        self.export_button.setEnabled(answered)
        if self.pin_button is not None:
            # A pinned answer can be let go whatever the view shows.
            self.pin_button.setEnabled(answered or self.pin_button.is_pinned)
        if changed:
            self.state_changed.emit(state)
            if state in ANNOUNCED:
                announce(self, f"{self.header.title.text()}: {self._spoken()}")

    def _spoken(self) -> str:
        match self._state:
            case FrameState.EMPTY:
                return self.empty_page.sentence.text()
            case FrameState.WORKING:
                return _("Working.")
            case FrameState.STALE:
                return _("The answer to an earlier question.")
            case FrameState.RESULT:
                return self.log_bar.label.text() or _("The answer is here.")
            case FrameState.FAILED:
                return self.failed_page.sentence.text()
            case FrameState.UNAVAILABLE:
                return self.unavailable_page.sentence.text()

    def _theme_changed(self, _theme: object) -> None:
        for page in self._page_list:
            page.refresh()
        self.update()


def _takes_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
