import tomllib

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from explorer.document import Document
from explorer.paths import own_resources
from explorer.questions import all_questions
from explorer.samples.samples import first_sample, samples
from explorer.ui.notices.wording import menu_text
from explorer.ui.sentence.text_editor import TextEditor, utf16_length
from tests.ui.sample_menu import take_sample


@pytest.fixture
def sentence(running):
    return running.window.sentence


def click_token(qtbot, strip, text):
    index = next(i for i, p in enumerate(strip.pieces) if p.text == text)
    place = strip.box_of(index).center().toPoint()
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=place)
    return index


def test_samples_mask_what_they_say():
    for sample in samples():
        document = sample.document()
        words = [document.part(m.part)[m.start : m.end] for m in document.masks]
        assert words == [*sample.masked, *sample.pair_masked]


def test_samples_are_of_questions_there_are_and_set_what_those_have():
    content = tomllib.loads((own_resources() / "samples" / "samples.toml").read_text("utf-8"))
    known = {"title", "text", "masked", "pair", "pair_masked", "question", "unset", "options"}
    known |= {"model"}
    for entry in content["samples"]:
        assert entry.keys() <= known, entry["title"]
    assert len({sample.title for sample in samples()}) == len(content["samples"])
    for sample in samples():
        assert not sample.view or sample.view in all_questions()
        assert {key.partition(".")[0] for key, _ in sample.options} <= {sample.view}
        assert not sample.model or (own_resources() / "models" / sample.model).is_dir()


def test_what_a_sample_sets_is_taken_by_its_option():
    for sample in samples():
        document = sample.document()
        for key, value in sample.options:
            document = document.with_option(key, value)
        options = all_questions()[sample.view].options if sample.view else ()
        for option in (one for one in options if one.key in dict(document.options)):
            assert option.accepts(option.held(document)), (sample.title, option.key)


def test_a_click_masks_a_token_and_the_editor_marks_it(running, sentence, qtbot):
    click_token(qtbot, sentence.strip, "chef")
    assert running.bench.state.document.is_masked(4, 8)
    assert running.bench.state.stack.undoText() == "mask 'chef'"
    assert sentence.editors[0].marked == ((4, 8), (9, 15))
    assert [p.text for p in sentence.strip.pieces if p.masked] == ["chef", "cooked"]


def test_the_best_guess_stands_under_a_mask(running, sentence, qtbot):
    masked = next(index for index, one in enumerate(sentence.strip.pieces) if one.masked)
    qtbot.waitUntil(lambda: sentence.strip.notes != {})
    assert sentence.strip.notes == {masked: "cooked"}


def test_typing_changes_the_document_and_masks_keep_their_words(running, sentence, qtbot):
    editor = sentence.editors[0]
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(editor, "now ")
    document = running.bench.state.document
    assert document.text == "now the chef cooked the meal in the kitchen."
    assert document.text[document.masks[0].start : document.masks[0].end] == "cooked"
    qtbot.waitUntil(lambda: sentence.strip.pieces[1].text == "now")


def test_undo_in_the_editor_is_the_windows(running, sentence, qtbot):
    editor = sentence.editors[0]
    editor.setFocus()
    qtbot.keyClicks(editor, "x")
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: running.bench.state.document == first_sample().document())
    assert editor.toPlainText() == first_sample().text
    qtbot.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.toPlainText() == first_sample().text  # there is nothing before it


def test_the_cursor_stays_where_it_is_when_the_text_changes_elsewhere(running, sentence, qtbot):
    editor = sentence.editors[0]
    cursor = editor.textCursor()
    cursor.setPosition(30)
    editor.setTextCursor(cursor)
    running.bench.edits.put_words(4, 8, "old cook", 0)
    assert editor.toPlainText().startswith("the old cook cooked")
    assert editor.textCursor().position() == 34


def test_a_second_text_comes_and_goes_with_its_button(running, sentence, qtbot):
    assert sentence.editors[1].isHidden()
    qtbot.mouseClick(sentence.pair, Qt.MouseButton.LeftButton)
    assert sentence.editors[1].isVisible()
    qtbot.keyClicks(sentence.editors[1], "Fine.")
    assert running.bench.state.document.pair == "Fine."
    qtbot.waitUntil(lambda: any(p.part == 1 and p.text == "fine" for p in sentence.strip.pieces))
    qtbot.mouseClick(sentence.pair, Qt.MouseButton.LeftButton)
    assert running.bench.state.document.pair is None
    running.bench.state.stack.undo()
    assert running.bench.state.document.pair == "Fine."


@pytest.mark.parametrize("way", ["key", "button"])
def test_the_second_text_is_typed_at_once(running, sentence, qtbot, way):
    window = running.window
    if way == "key":
        qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    else:
        sentence.pair.click()
    qtbot.waitUntil(sentence.editors[1].hasFocus)
    qtbot.keyClicks(window.focusWidget(), "She ate.")
    qtbot.waitUntil(lambda: running.bench.state.document.pair == "She ate.")
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(sentence.editors[0].hasFocus)


def test_whole_words_are_a_choice_that_can_be_undone(running, sentence, qtbot):
    button = sentence.findChild(QToolButton, "whole_words_button")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert sentence.strip.whole_words
    assert running.bench.state.document.option("masking.whole_words") is True
    running.bench.state.stack.undo()
    assert not sentence.strip.whole_words
    assert not button.isChecked()


def test_a_narrow_window_keeps_the_icons(running, sentence, qtbot):
    style = Qt.ToolButtonStyle
    running.window.resize(1600, 900)
    qtbot.waitUntil(lambda: sentence.width() > 1500)
    assert sentence.whole.toolButtonStyle() == style.ToolButtonTextBesideIcon
    sentence.setFixedWidth(300)
    qtbot.waitUntil(lambda: sentence.width() == 300)
    assert sentence.whole.toolButtonStyle() == style.ToolButtonIconOnly


def test_a_sample_is_one_step(running):
    (title,) = (one.title for one in samples() if "film that was liked" in one.title)
    take_sample(running.window, title)
    assert running.bench.state.document.text.startswith("I liked the movie")
    running.bench.state.stack.undo()
    assert running.bench.state.document == first_sample().document()


def test_mask_selection_takes_the_editors_selection_or_word(running, sentence, qtbot):
    running.window.activateWindow()
    editor = sentence.editors[0]
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    cursor = editor.textCursor()
    cursor.setPosition(17)
    editor.setTextCursor(cursor)
    sentence.mask_selection()
    document = running.bench.state.document
    assert [document.text[m.start : m.end] for m in document.masks] == ["cooked", "the"]


def test_without_a_model_there_are_plain_words(start, engine):
    engine.catalogue = ()
    running = start(wait=False)
    pieces = running.window.sentence.strip.pieces
    assert [p.text for p in pieces][:3] == ["the", "chef", "cooked"]
    assert pieces[2].masked
    assert pieces[0].id is None


def test_characters_beyond_the_first_plane_keep_marks_and_selection_right(qtbot):
    editor = TextEditor(0)
    qtbot.addWidget(editor)
    text = "🎬🎬 film 🎬 end"
    editor.show_text(text, [(3, 7), (10, 13)])
    marks = [(s.cursor.selectedText()) for s in editor.extraSelections()]
    assert marks == ["film", "end"]
    cursor = editor.textCursor()
    cursor.setPosition(utf16_length(text[:11]))
    editor.setTextCursor(cursor)
    assert editor.selected_range() == (10, 13)
    editor.show_text("🎬🎬 films 🎬 end", [])
    assert editor.toPlainText() == "🎬🎬 films 🎬 end"


def test_showing_a_text_is_not_typing_it(qtbot):
    editor = TextEditor(0)
    qtbot.addWidget(editor)
    with qtbot.assertNotEmitted(editor.typed):
        editor.show_text("no-break\u00a0space", [])
        editor.show_text("another", [])
    with qtbot.waitSignal(editor.typed) as told:
        qtbot.keyClicks(editor, "!")
    assert told.args == ["another!"]


def test_files_are_not_pasted_as_their_names(qtbot):
    editor = TextEditor(0)
    qtbot.addWidget(editor)
    data = QMimeData()
    data.setText("hello")
    assert editor.canInsertFromMimeData(data)
    data.setUrls([QUrl.fromLocalFile("/home/me/model")])
    assert not editor.canInsertFromMimeData(data)


def test_a_long_sentence_makes_the_editor_higher_up_to_a_limit(qtbot):
    editor = TextEditor(0)
    qtbot.addWidget(editor)
    editor.resize(300, 40)
    editor.show()
    low = editor.sizeHint().height()
    editor.show_text("\n".join("abc"), [])
    middle = editor.sizeHint().height()
    editor.show_text("\n".join("abcdefghijkl"), [])
    assert low < middle < editor.sizeHint().height() < 2.5 * middle


def test_the_text_asks_for_no_other_height_while_its_neighbours_find_their_places(sentence):
    editor = sentence.editors[0]
    editor.resize(600, editor.height())
    editor.show_text("the chef cooked the meal in the kitchen", ())
    high = editor.sizeHint().height()
    editor.resize(120, editor.height())
    assert editor.document().size().height() > 1
    assert editor.sizeHint().height() == high
    editor.resize(220, editor.height())
    assert editor.sizeHint().height() > high


def test_late_tokens_of_an_older_text_are_ignored(running, sentence):
    before = sentence.strip.pieces
    sentence.show_tokens(Document("something else"), running.bench.asking.askers)
    assert sentence.strip.pieces == before


@pytest.mark.parametrize(
    "text", ["나는 오늘 아침에 빵을 먹었다.", "我今天早上吃了面包。", "ฉันกินขนมปัง", "🍞 bread"]
)
def test_a_line_in_a_taller_script_needs_no_scroll_bar(running, qtbot, text):
    editor = running.window.sentence.editors[0]
    running.bench.edits.type_text(text, 0)
    qtbot.waitUntil(lambda: editor.toPlainText() == text)
    qtbot.waitUntil(lambda: editor.height() == editor.sizeHint().height())
    assert editor.verticalScrollBar().maximum() == 0


def test_the_menu_of_samples_has_them_all_by_their_pages_and_goes_by_keys(sentence, qtbot):
    """It is filled when it is opened: a start makes none of its submenus."""
    menu = sentence.samples.menu()
    sentence.open_samples()
    qtbot.waitUntil(menu.isVisible)
    found = {"": [one.text() for one in menu.actions() if one.menu() is None]}
    for entry in menu.actions():
        inner = entry.menu()
        if inner is not None:
            menu.setActiveAction(entry)
            QTest.keyClick(menu, Qt.Key.Key_Right)
            qtbot.waitUntil(inner.isVisible)
            assert inner.activeAction() is inner.actions()[0]
            found[inner.objectName().removeprefix("samples_")] = [a.text() for a in inner.actions()]
            QTest.keyClick(inner, Qt.Key.Key_Left)
            qtbot.waitUntil(lambda shown=inner: not shown.isVisible())
    menu.close()
    wanted = {}
    for sample in samples():
        wanted.setdefault(sample.view, []).append(menu_text(sample.title))
    assert found == wanted
    sentence.open_samples()
    assert len(menu.actions()) == len(wanted) - 1 + len(wanted[""])
    menu.close()
