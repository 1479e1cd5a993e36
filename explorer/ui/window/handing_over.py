"""What a window hands to the one that takes its place, as when the language is changed.

Document, history, models, answers and settings live behind the window and stay as they are. What
only widgets know is handed over here; notices are not, for they were read.
"""

from PySide6.QtGui import QTextCursor

from explorer.ui.window.main_window import MainWindow


def commit_typing(window: MainWindow) -> None:
    """Let a field in which something is typed take it, as it does when the keyboard leaves."""
    holder = window.focusWidget()
    if holder is not None:
        holder.clearFocus()


def hand_over(before: MainWindow, window: MainWindow) -> None:
    """Bring a filled window to where the one before it was."""
    # Whatever becomes of the old one now, nobody hears of its pages.
    before.view_area.blockSignals(True)
    for operation in before.view_area.frames:
        window.view_area.fill(operation)
    window.view_area.current.activate(before.view_area.current.operation)
    window.sheet.move_to(window)
    window.file_session.move_to(window)
    window.log_actions.session_name = before.log_actions.session_name
    window.telling.missing_fonts.known |= before.telling.missing_fonts.known
    window.log.filters.take_over(before.log.filters)
    window.log.refresh()
    window.library.slot = before.library.slot
    window.library.filter_box.setText(before.library.filter_box.text())
    if before.library.chosen is not None:
        window.library.choose(before.library.chosen.id)
    window.lecture_actions.lecturing.take_over(before.lecture_actions.lecturing)
    _place_cursors(before, window)
    window.bench.asking.tokenising.tell_again()
    chosen = before.sentence.strip.chosen
    window.sentence.strip.select(chosen)
    window.sentence.strip.selected.emit(chosen)
    ready = window.bench.bridge.latest_ready
    if ready is not None and ready.devices:
        window.menus.show_devices(ready.devices)
    window.small_world.refresh()
    restored = window.bench.asking.restored()
    if restored is not None:
        window.telling.restored(restored)


def _place_cursors(before: MainWindow, window: MainWindow) -> None:
    """What is selected in the texts, and which of them has the keyboard."""
    for old, new in zip(before.sentence.editors, window.sentence.editors, strict=True):
        cursor, was = new.textCursor(), old.textCursor()
        cursor.setPosition(was.anchor())
        cursor.setPosition(was.position(), QTextCursor.MoveMode.KeepAnchor)
        new.setTextCursor(cursor)
        if old is before.focusWidget():
            new.setFocus()
