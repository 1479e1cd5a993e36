"""Notices, status bar, token details, plugins, shortcut sheet, pages, words."""

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QTextBrowser

from explorer.engine.messages import ListCheckpoints, ListPlugins, PluginRecord
from explorer.ui.notices import wording
from explorer.ui.notices.notices import MOST, Notice, Notices
from explorer.ui.notices.reading_pages import AboutPage, GlossaryPage
from explorer.ui.notices.shortcut_sheet import ShortcutSheet, rows_of
from explorer.ui.runs.engine_bridge import Reply
from explorer.ui.theme.schemes import apply_theme, current_theme
from tests.ui.pages import choose

# ---- words --------------------------------------------------------------------------------------


def test_moments_of_today_are_by_the_clock_and_older_ones_by_the_date():
    now = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)
    assert len(wording.when("2026-06-15T12:00:00.000Z", now)) == len("12:00:00")
    assert wording.when("2026-03-02T12:00:00.000Z", now).startswith("02 ")
    assert wording.when("2024-03-02T12:00:00.000Z", now).endswith("2024")
    assert wording.when("not a time", now) == "not a time"


# ---- notices ------------------------------------------------------------------------------------


@pytest.fixture
def notices(qtbot):
    made = Notices()
    qtbot.addWidget(made)
    return made


def test_a_notice_stays_until_dismissed_and_takes_no_room_after(notices):
    assert notices.isHidden()
    notices.tell(Notice("a", "Something happened.", "Do this."))
    assert not notices.isHidden()
    notices.findChild(object, "notice_dismiss").click()
    assert notices.texts == ()
    assert notices.isHidden()


def test_a_newer_notice_replaces_one_with_its_key_and_there_are_never_too_many(notices):
    notices.tell(Notice("a", "First."))
    notices.tell(Notice("a", "Second."))
    assert notices.texts == ("Second.",)
    for number in range(MOST + 1):
        notices.tell(Notice(f"n{number}", f"{number}"))
    assert notices.texts == tuple(str(n) for n in range(1, MOST + 1))


def test_details_unfold_and_actions_dismiss(notices):
    pressed = []
    action = ("Again", lambda: pressed.append(True))
    notices.tell(Notice("a", "It broke.", details="Traceback", level="error", actions=(action,)))
    details = notices.findChild(object, "notice_details")
    assert details.isHidden()
    notices.findChild(object, "notice_show_details").click()
    assert not details.isHidden()
    assert details.toPlainText() == "Traceback"
    notices.findChild(object, "notice_action_0").click()
    assert pressed == [True]
    assert notices.texts == ()


# ---- status bar ---------------------------------------------------------------------------------


def test_the_status_bar_says_where_models_run_and_what_they_take(running):
    status = running.window.status
    assert status.engine.text() == "cpu · float32"
    assert "engine 383 MB" in status.engine.toolTip()
    assert "torch 2.13.0" in status.engine.toolTip()
    assert status.work.text() == "Ready"
    assert status.work.isHidden()


@pytest.mark.parametrize(
    ("lane", "said"),
    [
        ("detail:masked_tokens:exact", "Masked tokens"),
        ("sheet:1", "Asking for the comparison sheet"),
        ("file session", "Asking every sentence of a file"),
        ("another:1", "Working"),
    ],
)
def test_every_work_is_named_as_people_name_it(running, engine, lane, said, qtbot):
    engine.held.add(lane)
    ends = dict.fromkeys(("answered", "failed", "stopped", "lost"), lambda *_: None)
    running.bench.bridge.submit(lane, ListCheckpoints(()), Reply(**ends))
    status = running.window.status
    qtbot.waitUntil(status.stop.isVisible)
    assert status.work.text() == said
    running.bench.bridge.cancel(lane)
    qtbot.waitUntil(lambda: status.work.text() == "Ready")


def test_work_that_takes_a_while_is_named_and_can_be_cancelled(running, engine, qtbot):
    status = running.window.status
    engine.held.add("view:")
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(status.stop.isVisible)
    assert status.work.text() == "Masked tokens"
    engine.progress("view:masked_tokens", "layers", 2, 4)
    qtbot.waitUntil(lambda: status.bar.maximum() == 1000 and status.bar.value() == 500)
    qtbot.mouseClick(status.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not status.stop.isVisible())
    assert engine.cancelled[-1] == "view:masked_tokens"


# ---- the selected token -------------------------------------------------------------------------


def test_a_masked_token_tells_its_predictions_and_what_was_there(running, qtbot):
    strip, page = running.window.sentence.strip, running.window.token
    index = next(i for i, p in enumerate(strip.pieces) if p.masked)
    strip.setFocus()
    strip.go_to(index)
    text = page.toPlainText()
    assert "[MASK]" in text
    assert "“cooked”" in text
    assert "Predicted here" in text
    assert "0.500" in text
    assert "rank 1" in text
    assert "1.50 nats" in text


def test_a_plain_token_tells_no_predictions(running):
    strip, page = running.window.sentence.strip, running.window.token
    strip.go_to(2)
    text = page.toPlainText()
    assert "“chef”" in text
    assert "4 to 8" in text
    assert "Predicted" not in text
    assert "2 (of 0 to 10)" in text


def test_predictions_of_other_tokens_are_not_told(running, engine, qtbot):
    strip, page = running.window.sentence.strip, running.window.token
    engine.held.add("view:")
    index = next(i for i, p in enumerate(strip.pieces) if p.masked)
    strip.go_to(index)
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: running.bench.asking.tokenising.is_idle)
    assert "Predicted" not in page.toPlainText()


def test_selecting_a_token_in_a_view_selects_it_in_the_strip(running, qtbot):
    running.window.view_area.bring_forward("tokens")
    tokens = running.bench.asking.askers["tokens"].view
    qtbot.waitUntil(lambda: tokens.has_result)
    choose(tokens, ("token", 2))
    assert running.window.token.position == 2
    assert running.window.sentence.strip.focus_index == 2


# ---- plugins ------------------------------------------------------------------------------------


@pytest.fixture
def dialog(running, qtbot):
    made = running.window.commands.show_plugins()
    qtbot.waitUntil(lambda: made.tree.topLevelItemCount() == 2)
    yield made
    made.close()


def test_plugins_are_listed_with_state_and_traceback(dialog):
    rows = [
        [dialog.tree.topLevelItem(i).text(c) for c in range(5)]
        for i in range(dialog.tree.topLevelItemCount())
    ]
    assert rows == [
        ["BERT", "Models of type bert.", "1.0", "comes with the program", "works"],
        [
            *("broken", "Its module raised ZeroDivisionError.", "", "your folder"),
            "does not work",
        ],
    ]
    assert "ZeroDivisionError: division by zero" in dialog.details.toPlainText()  # it is chosen


def test_plugins_stand_in_the_order_of_their_names_and_questions_below_their_plugin(
    running, engine, qtbot
):
    generic = PluginRecord("auto", "Generic", "bundled", "plugins/auto", "1.0")
    mine = PluginRecord("bert/age", "Age", "folder", "plugins/bert/age", part_of="bert")
    engine.plugins = (generic, mine, *engine.plugins)
    made = running.window.commands.show_plugins()
    qtbot.waitUntil(lambda: made.tree.topLevelItemCount() == 4)
    names = [made.tree.topLevelItem(row).text(0) for row in range(4)]
    assert names == ["BERT", "Age", "broken", "Generic"]
    made.close()


def test_switching_a_plugin_off_is_remembered_and_offers_a_restart(dialog, running, engine, qtbot):
    dialog.tree.topLevelItem(1).setCheckState(0, Qt.CheckState.Unchecked)
    assert running.bench.settings_store.settings.disabled_plugins == ("broken",)
    assert dialog.restart.isVisible()
    asked = len(engine.requests(ListPlugins))
    dialog.restart.click()
    qtbot.waitUntil(lambda: len(engine.requests(ListPlugins)) == asked + 1)
    assert engine.restarts == 1
    assert running.window.notices.texts == ()  # the user wanted it
    qtbot.waitUntil(lambda: dialog.tree.topLevelItem(1).checkState(0) == Qt.CheckState.Unchecked)


def test_a_change_taken_back_needs_no_restart(dialog, running):
    item = dialog.tree.topLevelItem(1)
    item.setCheckState(0, Qt.CheckState.Unchecked)
    item.setCheckState(0, Qt.CheckState.Checked)
    assert dialog.restart.isHidden()
    assert running.bench.settings_store.settings.disabled_plugins == ()


# ---- sheets and pages ---------------------------------------------------------------------------


def test_the_shortcut_sheet_lists_every_key_of_the_menus(running, qtbot):
    groups = list(running.window.menus.groups())
    sheet = ShortcutSheet(groups, running.window)
    text = sheet.findChild(object, "shortcut_page").toPlainText()
    native = QKeySequence.SequenceFormat.NativeText
    keys = [k.toString(native) for _, actions in groups for a in actions for k in a.shortcuts()]
    assert len(keys) > 25
    for key in keys:
        assert key in text
    for said in (
        "Mask selection",
        "Export page: Table\nCtrl+Shift+E",
        "Run again",
        "F5",
        "Go from token to token",
        "Quit\nCtrl+Q\n",
    ):
        assert said in text
    sheet.close()


def test_the_shortcut_sheet_says_no_letters_of_keys(speak, start):
    speak("ko", **{"Open &model folder…": "모델 폴더 열기(&M)…", "&Undo": "실행 취소(&U)"})
    window = start().window
    sheet = ShortcutSheet(list(window.menus.groups()), window)
    lines = sheet.findChild(object, "shortcut_page").toPlainText().splitlines()
    assert {"모델 폴더 열기", "실행 취소"} <= set(lines)
    sheet.close()


def test_no_two_actions_share_a_key(running):
    keys = [
        key.toString()
        for _, actions in running.window.menus.groups()
        for action in actions
        for key in action.shortcuts()
    ]
    assert sorted(keys) == sorted(set(keys))


def test_an_actions_text_is_plain_in_the_sheet(qapp):
    assert wording.plain("Open &model folder…") == "Open model folder"
    assert wording.plain("R&&D") == "R&D"
    assert rows_of([]) == []


def test_the_glossary_can_be_filtered(qtbot):
    page = GlossaryPage()
    qtbot.addWidget(page)
    assert "softmax" in page.text.toPlainText()
    page.filter.setText("entropy nats unsure")
    assert page.text.toPlainText().startswith("entropy")
    assert "softmax" not in page.text.toPlainText()
    page.filter.setText("zzz")
    assert page.text.toPlainText() == "No term matches."


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("name", ["glossary", "shortcuts"])
def test_pages_that_are_open_take_the_colours_of_another_scheme(qtbot, qapp, request, name, scheme):
    request.addfinalizer(lambda: apply_theme(qapp, "light"))
    apply_theme(qapp, "light" if scheme == "dark" else "dark")
    page = GlossaryPage() if name == "glossary" else ShortcutSheet([])
    qtbot.addWidget(page)
    before = current_theme()
    apply_theme(qapp, scheme)
    written = page.findChild(QTextBrowser).toHtml()
    colour = "accent" if name == "glossary" else "muted"
    assert before.colour(colour).name() not in written
    assert current_theme().colour(colour).name() in written


def test_about_names_the_versions(qtbot):
    page = AboutPage({"torch": "2.13.0"})
    qtbot.addWidget(page)
    assert "torch" in page.text.toPlainText()
    assert "2.13.0" in page.text.toPlainText()
