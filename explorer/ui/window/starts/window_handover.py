"""What a window hands to the one that takes its place, as when the language is changed.

Document, history, models, answers and settings live behind the window and stay as they are. What
only widgets know is handed over here: what the new window is to hold, and then, once it is laid
out, where everything stood.
"""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QDialog, QWidget

from explorer.ui.notices.transient_notices import Matter
from explorer.ui.window.main_window import MainWindow
from explorer.ui.window.starts.window_state import WindowState


class WindowHandover:
    """From one window to the next.

    Args:
        before: The window that goes; it is still as the user left it.
    """

    def __init__(self, before: MainWindow) -> None:
        holder = before.focusWidget()
        self._holder = "" if holder is None else holder.objectName()
        if holder is not None:
            # What is typed in a field is taken, as it is when the keyboard leaves.
            holder.clearFocus()
        self._whereabouts = WindowState.of(before)
        self._is_choosing = not before.picker.isHidden()
        self._matters: Mapping[str, Matter] = before.notifications.transient_notices.matters
        self._dialogs = {
            one.objectName(): one.geometry()
            for one in before.findChildren(QDialog)
            if one.isVisible() and one.objectName() in before.commands.to_read
        }

    def fill(self, before: MainWindow, window: MainWindow) -> None:
        """Let a filled window hold what the one before it holds."""
        # Whatever becomes of the old one now, nobody hears of its pages.
        before.view_area.blockSignals(True)
        for question in filter(window.view_area.has, [*before.view_area.frames]):
            if window.view_area.is_open(question) or not before.pages.let_go(question):
                window.view_area.fill(question)
        if window.view_area.has(before.view_area.current.question):
            window.view_area.current.activate(before.view_area.current.question)
        window.sheet.move_to(window)
        window.file_session.move_to(window)
        window.documents.take_over(before.documents)
        window.log_actions.session_name = before.log_actions.session_name
        window.log.take_over(before.log)
        window.library.take_over(before.library)
        window.lecture_actions.lecturing.take_over(before.lecture_actions.lecturing)
        _place_cursors(before, window)
        window.bench.asking.tokenising.tell_again()
        chosen = before.sentence.strip.chosen
        window.sentence.strip.select(chosen)
        window.sentence.strip.selected.emit(chosen)
        ready = window.bench.bridge.latest_ready
        if ready is not None and ready.devices:
            window.menus.show_devices()
        window.notifications.take_over(before.notifications)
        window.small_world.take_over(before.small_world)

    def settle(self, window: MainWindow) -> None:
        """Put everything where it stood; called once the window is on the screen."""
        window.restore_sizes()
        if self._is_choosing:
            window.picker.reopen(window.model_bar.slots.get(window.library.slot))
        for name, place in self._dialogs.items():
            window.commands.to_read[name]()
            dialog = window.findChild(QDialog, name)
            if dialog is not None:
                dialog.setGeometry(place)
        self._whereabouts.bring_about(window)
        # Only now are the pages seen that notices speak of.
        window.notifications.transient_notices.keep(self._matters)
        holder = window.findChild(QWidget, self._holder) if self._holder else None
        if holder is not None and holder.isVisible():
            holder.setFocus(Qt.FocusReason.OtherFocusReason)


def _place_cursors(before: MainWindow, window: MainWindow) -> None:
    """What is selected in the texts."""
    for old, new in zip(before.sentence.editors, window.sentence.editors, strict=True):
        cursor, was = new.textCursor(), old.textCursor()
        cursor.setPosition(was.anchor())
        cursor.setPosition(was.position(), QTextCursor.MoveMode.KeepAnchor)
        new.setTextCursor(cursor)
