"""What is set in the dialog is in force at once, is what the menus say, and can be undone."""

from dataclasses import fields

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QPushButton

from explorer.engine.messages import LoadModel
from explorer.settings import Settings, SettingsFile
from explorer.text import _
from explorer.ui.settings.declared import REMEMBERED, SETTINGS
from explorer.ui.settings.dialog import SettingsDialog
from explorer.ui.theme.schemes import current_theme
from explorer.ui.window.menus.command_finder import CommandFinder


@pytest.fixture
def dialog(running, qtbot):
    return opened(running, qtbot)


def opened(running, qtbot):
    window = running.window
    QTest.keyClick(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    found = window.findChild(SettingsDialog)
    qtbot.waitExposed(found)
    return found


def choose(dialog, field, value):
    row = dialog.rows[field]
    if isinstance(row.control, QCheckBox):
        row.control.click()
    else:
        number = [one for one, _text in row.setting.choices(dialog._bench)].index(value)
        row.control.setCurrentIndex(number)
        row.control.activated.emit(number)


def test_every_field_is_set_in_one_row_and_is_one_of_the_settings():
    here = [one.field for one in SETTINGS] + [name for one in REMEMBERED for name in one.fields]
    assert len(here) == len(set(here))
    assert set(here) < {one.name for one in fields(Settings)}


def test_a_choice_is_in_force_at_once_and_ticked_in_the_menu(running, dialog, engine, qtbot):
    choose(dialog, "color_scheme", "dark")
    assert current_theme().scheme == "dark"
    assert running.window.menus.action("scheme_dark").isChecked()
    running.window.menus.action("scheme_light").trigger()
    assert dialog.rows["color_scheme"].control.currentText() == "Light"
    choose(dialog, "dtype", "float16")
    qtbot.waitUntil(lambda: engine.requests(LoadModel)[-1].options.dtype == "float16")
    assert running.window.menus.action("dtype_float16").isChecked()
    choose(dialog, "device", "cuda:0")
    qtbot.waitUntil(lambda: running.bench.models.cards["A"].stamp.device == "cuda:0")


def test_another_language_opens_the_dialog_again_in_it(running, dialog, qtbot):
    choose(dialog, "language", "ko")
    qtbot.waitUntil(
        lambda: (
            (found := running.window.findChild(SettingsDialog)) is not None
            and found is not dialog
            and found.isVisible()
        )
    )
    assert running.window.findChild(SettingsDialog).windowTitle() == _("Settings") != "Settings"
    assert running.bench.settings_store.settings.language == "ko"


def test_what_is_reset_can_be_had_back(running, dialog):
    settings = lambda: running.bench.settings_store.settings  # noqa: E731
    choose(dialog, "color_scheme", "dark")
    choose(dialog, "debounce_ms", 500)
    reset = dialog.findChild(QPushButton, "settings_reset")
    reset.click()
    assert (settings().color_scheme, settings().debounce_ms) == ("system", 250)
    reset.click()
    assert (settings().color_scheme, settings().debounce_ms) == ("dark", 500)
    dialog.rows["debounce_ms"].back.click()
    assert settings().debounce_ms == 250
    assert dialog.rows["debounce_ms"].back.isHidden()


def asked_again(running, qtbot):
    with qtbot.waitSignal(running.bench.asking.shown):
        running.bench.asking.run_again()


def test_the_log_stops_and_goes_on_at_once(running, dialog, qtbot):
    assert running.bench.recording.is_on
    choose(dialog, "log_enabled", False)
    assert not running.bench.recording.is_on
    written = []
    running.bench.recording.written.connect(written.append)
    asked_again(running, qtbot)
    assert written == []
    choose(dialog, "log_enabled", True)
    asked_again(running, qtbot)
    qtbot.waitUntil(lambda: any(written))


def test_a_log_that_was_shut_at_the_start_is_opened_once_it_is_wanted(start, paths, qtbot):
    running = start(Settings(log_enabled=False))
    dialog = opened(running, qtbot)
    assert not paths.sessions.exists()
    choose(dialog, "log_enabled", True)
    written = []
    running.bench.recording.written.connect(written.append)
    asked_again(running, qtbot)
    qtbot.waitUntil(lambda: any(written))
    assert paths.sessions.exists()


def test_offline_is_told_the_engine_which_starts_anew(running, dialog, qtbot):
    with qtbot.waitSignal(running.window.restart_wanted):
        choose(dialog, "offline", True)
    assert running.bench.is_offline
    assert running._configuration(running.bench.settings_store.settings).offline


def test_a_program_started_offline_says_so(start, qtbot):
    dialog = opened(start(offline=True), qtbot)
    control = dialog.rows["offline"].control
    assert control.isChecked()
    assert not control.isEnabled()


def test_hints_and_dialogs_forget(start, paths, qtbot):
    running = start(Settings(new_words_told=("quiche",)))
    dialog = opened(running, qtbot)
    forget = dialog.findChild(QPushButton, "forget_new_words_told")
    assert forget.isEnabled()
    forget.click()
    assert not forget.isEnabled()
    running.close()
    assert SettingsFile(paths.settings).load().new_words_told == ()


def test_each_place_is_shown_and_opened(running, dialog, paths, monkeypatch):
    went = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: went.append(url.toLocalFile()))
    dialog.findChild(QPushButton, "open_settings").click()
    dialog.findChild(QPushButton, "open_logs").click()
    assert went == [str(paths.config), str(paths.logs)]
    assert (
        str(paths.sessions)
        in dialog.findChild(QPushButton, "open_sessions").accessibleDescription()
    )


def test_words_find_rows_and_the_finder_finds_settings(running, dialog, qtbot):
    dialog.field.setText("gpu")
    seen = [field for field, row in dialog.rows.items() if row.isVisible()]
    assert seen == ["device"]
    dialog.field.setText("no such thing")
    assert not any(row.isVisible() for row in dialog.rows.values())
    running.window.activateWindow()
    running.window.commands.find_command()
    finder = running.window.findChild(CommandFinder)
    QTest.keyClicks(finder.field, "size of text")
    QTest.keyClick(finder.field, Qt.Key.Key_Return)
    assert dialog.field.text() == ""
    qtbot.waitUntil(dialog.rows["font_scale"].control.hasFocus)


def test_cut_copy_and_paste_work_from_the_menu_where_the_keyboard_is(running, qapp):
    window, text = running.window, running.bench.state.document.text
    window.activateWindow()
    window.sentence.focus_text()
    for name in ("select_all", "cut"):
        window.menus.action(name).trigger()
    assert running.bench.state.document.text == ""
    assert qapp.clipboard().text() == text
    for name in ("paste", "paste"):
        window.menus.action(name).trigger()
    assert running.bench.state.document.text == text * 2
