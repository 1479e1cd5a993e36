"""Another second sentence by a button: the one that follows, any other one, both swapped."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.many.file_of_sentences.options import FILE
from explorer.ui.sentence.second_texts import of_sentences, of_the_world
from explorer.world.tasks.continuations import continuations

CHEF, PAN = "The chef cooked the meal in the kitchen.", "He used a pan."


@pytest.fixture
def edits(running):
    return running.bench.edits


@pytest.fixture
def tools(running, edits):
    edits.type_text(CHEF, 0)
    edits.clear_masks()
    edits.set_pair(True)
    return running.window.sentence.second


def press(button):
    """By the keyboard."""
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert button.hasFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)


def test_they_stand_beside_a_second_sentence_alone(running, edits):
    tools = running.window.sentence.second
    assert tools.isHidden()
    edits.set_pair(True)
    assert not tools.isHidden()
    for button in (tools.swap, tools.next, tools.random):
        assert button.toolTip()
        assert button.accessibleName()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    edits.set_pair(False)
    assert tools.isHidden()


def test_what_follows_is_put_and_undone_by_its_name(running, edits, tools):
    edits.type_text(CHEF.lower(), 0)  # as the first sample is spelled
    press(tools.next)
    state = running.bench.state
    assert (state.document.text, state.document.pair) == (CHEF.lower(), PAN)
    assert state.stack.undoText() == "take the sentence that follows"
    assert running.window.sentence.editors[1].toPlainText() == PAN
    state.stack.undo()
    assert state.document.pair == ""


def test_where_it_is_not_known_the_button_says_so(edits, tools):
    edits.type_text("Nobody ever wrote this.", 0)
    assert not tools.next.isEnabled()
    assert "isn't known" in tools.next.toolTip()
    edits.type_text(continuations()[7][0], 0)
    assert tools.next.isEnabled()
    assert "isn't known" not in tools.next.toolTip()


def test_any_other_sentence_is_neither_of_both_nor_what_follows(running, edits, tools):
    seconds = {second for _, second in continuations()}
    drawn = set()
    for _time in range(12):
        before = edits.document.pair
        press(tools.random)
        now = edits.document.pair
        assert now in seconds - {before, PAN, CHEF}
        drawn.add(now)
    assert len(drawn) > 3
    assert running.bench.state.stack.undoText() == "take another second sentence"


def test_masks_of_the_second_sentence_go_with_it_and_those_of_the_first_stay(edits, tools):
    press(tools.next)
    edits.mask(4, 8, 0)
    edits.mask(3, 7, 1)
    press(tools.random)
    assert [(one.start, one.end, one.part) for one in edits.document.masks] == [(4, 8, 0)]


def test_swapped_both_take_their_masks_along(running, edits, tools):
    press(tools.next)
    edits.mask(4, 8, 0)
    press(tools.swap)
    document = edits.document
    assert (document.text, document.pair) == (PAN, CHEF)
    assert [(one.start, one.end, one.part) for one in document.masks] == [(4, 8, 1)]
    assert running.bench.state.stack.undoText() == "swap both texts"


def test_sentences_are_those_of_the_opened_file(running, edits, tools, tmp_path, qtbot):
    file = tmp_path / "story.txt"
    file.write_text("It rained.\nWe took an umbrella.\n\nIt snowed.\nThe bus was late.\n", "utf-8")
    edits.type_text("It rained.", 0)
    assert not tools.next.isEnabled()
    edits.set_option(FILE.key, str(file))
    qtbot.waitUntil(tools.next.isEnabled)
    press(tools.next)
    assert edits.document.pair == "We took an umbrella."
    for _time in range(8):
        press(tools.random)
        assert edits.document.pair in {"It snowed.", "The bus was late."}
        press(tools.next)
    # A paragraph ends here.
    edits.type_text("We took an umbrella.", 0)
    assert not tools.next.isEnabled()
    edits.type_text(CHEF, 0)
    assert tools.next.isEnabled(), "the small world is known besides"
    edits.set_option(FILE.key, str(tmp_path / "gone.txt"))
    edits.type_text("It rained.", 0)
    assert not tools.next.isEnabled()
    press(tools.random)
    assert edits.document.pair


def test_a_row_of_two_sentences_says_what_follows_unless_it_says_what_is_right():
    known = of_sentences(
        [FileSentence(2, "One.", "Two."), FileSentence(3, "Three.", "Four.", "not next")]
    )
    assert known.sentences == ("Two.", "Four.")
    assert known.after(" one. ") == "Two."
    assert known.after("Three.") is None


def test_the_bundled_ones_are_those_of_the_grammar():
    from explorer.world.tasks.continuations import COUNT, drawn

    found = drawn()
    assert [next(found) for _ in range(COUNT)] == list(continuations())
    assert len({first for first, _ in continuations()}) == COUNT
    assert of_the_world().after(CHEF) == PAN
