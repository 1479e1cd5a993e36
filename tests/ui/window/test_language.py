"""View > Language: another language at once, with everything as it was."""

import gc
import weakref
from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget
from shiboken6 import isValid

from explorer.api.question import Blame, Failure, UserMistake
from explorer.settings import SettingsFile
from explorer.text import catalogues
from explorer.text import language as languages
from explorer.text.pseudo import OPENING
from explorer.ui.views.frame.view_frame import FrameState
from tests.ui.fake_engine import MINIATURE
from tests.ui.test_pseudo_language import known_of, missed

KOREAN = {
    "&View": "보기(&V)",
    "Masked tokens": "가린 토큰",
    "The question was cancelled.": "질문을 취소했습니다.",
    "Reading the weights": "가중치 읽기",
    "{title} is broken.": "{title}이(가) 고장입니다.",
    "Asking {name} into the log: sentence {number} of {all}.": "{name}: {all}개 중 {number}",
}


@pytest.fixture
def paths(paths, tmp_path):
    """Resources with a small Korean catalogue."""
    folder = tmp_path / "resources" / "locale" / "ko" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    texts = "".join(f'msgid "{key}"\nmsgstr "{value}"\n\n' for key, value in KOREAN.items())
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    (folder / "plm-explorer.po").write_text(head + texts, "utf-8")
    catalogues.compile_all(tmp_path / "resources" / "locale")
    return replace(paths, resources=tmp_path / "resources")


def speak(running, qtbot, code):
    """Choose a language in the menu; returns the window that speaks it."""
    before = running.window
    before.findChild(QAction, f"language_{code}").trigger()
    return renewed(running, qtbot, before)


def renewed(running, qtbot, before):
    qtbot.waitUntil(lambda: running.window is not before)
    qtbot.waitExposed(running.window)
    # What was to be deleted later is deleted now: whoever still speaks to it fails.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()
    return running.window


def settle(running, qtbot):
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)


def test_a_language_is_chosen_by_its_own_name_and_remembered(running, paths, qtbot):
    menu = running.window.findChild(QMenu, "menu_language")
    assert [one.text() for one in menu.actions()] == ["S&ystem language", "English", "한국어"]
    assert [one.text() for one in menu.actions() if one.isChecked()] == ["S&ystem language"]
    window = speak(running, qtbot, "ko")
    assert "보기(&V)" in [one.text() for one in window.menu_titles.bar.actions()]
    assert window.tree.pages.index_of("masked_tokens").data() == "가린 토큰"
    chosen = [one for one in window.findChild(QMenu, "menu_language").actions() if one.isChecked()]
    assert [one.text() for one in chosen] == ["한국어"]
    running.close()
    assert SettingsFile(paths.settings).load().language == "ko"


def test_the_next_start_speaks_it_and_the_system_s_is_found_again(start, paths, qtbot):
    settings = SettingsFile(paths.settings).load()
    running = start(replace(settings, language="ko"))
    assert running.window.tree.pages.index_of("masked_tokens").data() == "가린 토큰"
    window = speak(running, qtbot, languages.SYSTEM)
    assert window.tree.pages.index_of("masked_tokens").data() == "Masked tokens"
    assert running.bench.settings_store.settings.language == languages.SYSTEM


def test_every_text_of_the_window_is_in_the_other_language(running, qtbot):
    before = running.window
    running.speak(languages.PSEUDO)
    window = renewed(running, qtbot, before)
    found = missed(window, known_of(window))
    assert not found, "\n".join(found)
    frame = window.view_area.frames["masked_tokens"]
    assert frame.header.title.text().startswith(OPENING)
    assert frame.state is FrameState.RESULT
    running.speak(languages.SOURCE)
    window = renewed(running, qtbot, window)
    assert "&View" in [one.text() for one in window.menu_titles.bar.actions()]


def test_text_history_masks_and_selection_stay(running, qtbot):
    bench, window = running.bench, running.window
    bench.edits.type_text("Anna cooked the soup.", 0)
    settle(running, qtbot)
    bench.edits.toggle_mask(5, 11, 0)
    settle(running, qtbot)
    document, steps = bench.state.document, bench.state.stack.count()
    editor = window.sentence.editors[0]
    cursor = editor.textCursor()
    cursor.setPosition(9)
    editor.setTextCursor(cursor)
    window.sentence.strip.select(2)
    window = speak(running, qtbot, "ko")
    editor, strip = window.sentence.editors[0], window.sentence.strip
    assert bench.state.document == document
    assert bench.state.stack.count() == steps
    assert editor.toPlainText() == "Anna cooked the soup."
    assert editor.textCursor().position() == 9
    assert strip.chosen == 2
    window.menus.action("undo").trigger()
    assert bench.state.document == replace(document, masks=())
    window.menus.action("redo").trigger()
    assert bench.state.document == document
    settle(running, qtbot)
    assert window.view_of("masked_tokens").document == document


def test_answers_pins_and_pages_stay_and_nothing_is_asked_anew(running, engine, qtbot):
    window, bench = running.window, running.bench
    window.view_area.open_beside("tokens")
    settle(running, qtbot)
    window.view_of("masked_tokens").pin()
    before = window.view_of("masked_tokens")
    result, pinned, cards = before.result, before.baseline, dict(bench.models.cards)
    asked = len(engine.calls)
    window = speak(running, qtbot, "ko")
    after = window.view_of("masked_tokens")
    assert after is not before
    assert (after.result, after.baseline) == (result, pinned)
    frame = window.view_area.frames["masked_tokens"]
    assert frame.state is FrameState.RESULT
    assert frame.pin_button.is_pinned
    assert window.view_area.opened == ["masked_tokens", "tokens"]
    assert all(map(window.view_area.is_seen, window.view_area.opened))
    assert bench.models.cards == cards
    assert window.model_bar.slots["A"].said.startswith(cards["A"].title)
    assert len(engine.calls) == asked
    after.unpin()
    bench.asking.run_again()
    qtbot.waitUntil(lambda: after.result is not result)
    settle(running, qtbot)


def test_sizes_of_the_window_and_of_its_panels_stay(running, qtbot):
    window = running.window
    window.resize(1234, 777)
    token, log = window.side_docks
    for dock in (token, log):
        dock.show()

    def is_sized():
        # Docks that are opened for the first time take a size of their own a little later.
        QCoreApplication.processEvents()
        window.resizeDocks([token], [277], Qt.Orientation.Horizontal)
        QCoreApplication.processEvents()
        return token.width() == 277 and log.isVisible()

    qtbot.waitUntil(is_sized)
    window.log.filters.search.setText("soup")
    window.library.filter_box.setText("min")
    size, wide, high = window.size(), token.width(), log.height()
    window = speak(running, qtbot, "ko")
    token, log = window.side_docks
    qtbot.waitUntil(lambda: (token.width(), log.height()) == (wide, high))
    assert window.size() == size
    assert window.log.filters.search.text() == "soup"
    assert window.library.filter_box.text() == "min"


def test_the_tokens_take_no_more_room_in_the_new_window(running, qtbot):
    """They were laid out as if the window were 200 pixels wide, until it was resized."""
    running.window.resize(1366, 768)
    QCoreApplication.processEvents()
    strip, area = running.window.sentence.strip, running.window.sentence.strip_area
    assert area.height() == strip.heightForWidth(strip.width())
    sentence = speak(running, qtbot, "ko").sentence
    QCoreApplication.processEvents()
    assert sentence.strip.width() > 600
    assert sentence.strip_area.height() == sentence.strip.heightForWidth(sentence.strip.width())


def test_a_question_under_way_is_answered_in_the_new_window(running, engine, qtbot):
    engine.held.add("view:masked_tokens")
    running.bench.edits.type_text("Anna cooked soup.", 0)
    running.bench.edits.toggle_mask(5, 11, 0)
    qtbot.waitUntil(lambda: "view:masked_tokens" in engine.waiting)
    asked = len(engine.calls)
    window = speak(running, qtbot, "ko")
    view, frame = window.view_of("masked_tokens"), window.view_area.frames["masked_tokens"]
    assert frame.state is FrameState.WORKING
    assert len(engine.calls) == asked
    engine.release("view:masked_tokens")
    qtbot.waitUntil(lambda: frame.state is FrameState.RESULT)
    assert view.document.text == "Anna cooked soup."


def test_what_was_cancelled_and_what_went_wrong_is_said_in_the_new_language(running, engine, qtbot):
    broken = Failure.of(UserMistake("{title} is broken.", title="모델"))
    engine.failures["view:masked_tokens"] = broken
    running.bench.asking.run_again()
    settle(running, qtbot)
    asked = len(engine.calls)
    window = speak(running, qtbot, "ko")
    frame = window.view_area.frames["masked_tokens"]
    assert frame.state is FrameState.FAILED
    assert frame.failed_page.sentence.text() == "모델이 고장입니다."
    assert len(engine.calls) == asked
    engine.failures.clear()
    engine.held.add("view:masked_tokens")
    running.bench.asking.run_again()
    qtbot.waitUntil(lambda: "view:masked_tokens" in engine.waiting)
    running.bench.asking.cancel()
    settle(running, qtbot)
    window = speak(running, qtbot, "en")
    window = speak(running, qtbot, "ko")
    frame = window.view_area.frames["masked_tokens"]
    assert frame.failed_page.sentence.text() == "질문을 취소했습니다."


def test_models_that_are_loading_arrive_in_the_new_window(start, engine, qtbot):
    engine.held.add("load:A")
    running = start(wait=False)
    qtbot.waitUntil(lambda: "load:A" in engine.waiting)
    window = speak(running, qtbot, "ko")
    engine.progress("load:A", "Reading the weights", 1, 2)
    working = window.view_area.frames["masked_tokens"].working_page.sentence
    qtbot.waitUntil(lambda: "가중치 읽기" in working.text())
    engine.release("load:A")
    qtbot.waitUntil(lambda: window.model_bar.slots["A"].said.startswith(MINIATURE.title))
    settle(running, qtbot)


@pytest.mark.parametrize("late", [f"find:{MINIATURE.id}", "library"])
def test_the_library_that_comes_late_still_loads_the_first_model(start, engine, qtbot, late):
    engine.held.add(late)
    if late == "library":
        engine.failures["find:"] = Failure(Blame.PLUGIN, "A plugin has no answer.")
    running = start(wait=False)
    qtbot.waitUntil(lambda: late in engine.waiting)
    speak(running, qtbot, "ko")
    engine.release(late)
    qtbot.waitUntil(lambda: "A" in running.bench.models.cards)
    settle(running, qtbot)


def test_the_comparison_sheet_keeps_its_answers_and_its_title(running, qtbot):
    window = running.window
    window.sheet.open()
    window.sheet.add(window.view_of("masked_tokens"))
    window.sheet.dialog.title.setText("Soups")
    window = speak(running, qtbot, "ko")
    sheet = window.sheet.dialog
    assert sheet.parent() is window
    assert (sheet.title.text(), len(sheet.entries)) == ("Soups", 1)
    assert sheet.isVisible()
    window.sheet.add(window.view_of("masked_tokens"))
    assert len(sheet.entries) == 2


def test_a_file_of_sentences_goes_on(running, engine, qtbot, tmp_path):
    sentences = tmp_path / "soups.txt"
    sentences.write_text("Anna cooked soup.\nTom ate soup.\n", "utf-8")
    engine.held.add("file session")
    session = running.window.file_session
    session.begin(sentences)
    qtbot.waitUntil(lambda: "file session" in engine.waiting)
    window = speak(running, qtbot, "ko")
    assert window.file_session is session
    engine.release("file session")
    qtbot.waitUntil(lambda: "soups.txt: 2개 중 2" in window.notices.texts)
    engine.release("file session")
    qtbot.waitUntil(lambda: not session.is_running)


def test_nothing_of_the_window_before_is_left(running, engine, qtbot):
    gone = weakref.ref(running.window)
    parts = [weakref.ref(one) for one in running.window.findChildren(QAction)]
    window = speak(running, qtbot, "ko")
    gc.collect()
    assert not isValid(gone()) if gone() is not None else True
    assert not [one() for one in parts if one() is not None and isValid(one())]
    # Whoever still listened for it would fail now.
    bench = running.bench
    bench.edits.type_text("The soup is here.", 0)
    engine.die()
    engine.hang("It hangs.")
    bench.bridge.responsive.emit()
    bench.checkpoints.refresh()
    bench.models.unload("A")
    bench.downloads.changed.emit()
    bench.recording.change_failed.emit("It can't be kept.")
    settle(running, qtbot)
    assert window.sentence.editors[0].toPlainText() == "The soup is here."


def test_the_parts_of_windows_before_are_not_kept_for_ever(running, qtbot):
    """A list of pages stayed with all its buttons at each change of language."""
    kept = []
    for code in ("ko", "en", "ko", "en"):
        kept.append(weakref.ref(running.window))
        kept += map(weakref.ref, running.window.findChildren(QWidget))
        speak(running, qtbot, code)
    gc.collect()
    assert Counter(type(one()).__name__ for one in kept if one() is not None) == {}


def test_the_window_made_anew_is_closed_as_the_first_one(running, qtbot):
    closed = []
    running.closed = lambda: closed.append(True)
    window = speak(running, qtbot, "ko")
    assert not closed
    window.close()
    assert closed == [True]
