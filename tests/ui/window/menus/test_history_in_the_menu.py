"""Undo and Redo say what they do in the order of words that a language has."""

from PySide6.QtWidgets import QMenu

KOREAN = {
    "&Undo": "실행 취소(&U)",
    "&Undo {what}": "{what} 실행 취소(&U)",
    "&Redo {what}": "{what} 다시 하기(&R)",
}


def words_of(window):
    """What the two are called when the menu is opened."""
    window.findChild(QMenu, "menu_edit").aboutToShow.emit()
    return [window.menus.action(name).text() for name in ("undo", "redo")]


def test_the_name_of_a_step_stands_where_the_language_has_it(speak, start, qtbot):
    speak("ko", **KOREAN)
    running = start()
    window, state = running.window, running.bench.state
    assert words_of(window) == ["실행 취소(&U)", "&Redo"]
    state.edit("가리기: R&D", state.document.with_text("the chefs"))
    assert words_of(window)[0] == "가리기: R&&D 실행 취소(&U)"
    window.menus.action("undo").trigger()
    assert words_of(window) == ["실행 취소(&U)", "가리기: R&&D 다시 하기(&R)"]
    called = [one.text() for _menu, actions in window.menus.groups() for one in actions]
    assert "가리기: R&&D 다시 하기(&R)" in called
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
