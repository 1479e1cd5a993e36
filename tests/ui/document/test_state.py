import pytest

from explorer.document import Document
from explorer.ui.document import state as state_module
from explorer.ui.document.state import DocumentState


@pytest.fixture
def state(qapp):
    return DocumentState(Document("the chef cooked"))


def typed(state, text):
    state.edit("typing", state.document.with_text(text), merge=True)


def test_an_edit_is_told_and_can_be_undone_by_name(state, qtbot):
    with qtbot.waitSignal(state.changed) as told:
        state.edit("mask 'chef'", state.document.with_mask(4, 8))
    assert told.args == [state.document]
    assert state.document.is_masked(4, 8)
    undo = state.undo_action(state)
    assert undo.text().replace("&", "") == "Undo mask 'chef'"
    undo.trigger()
    assert state.document == Document("the chef cooked")
    redo = state.redo_action(state)
    assert redo.text().replace("&", "") == "Redo mask 'chef'"
    redo.trigger()
    assert state.document.is_masked(4, 8)


def test_an_edit_that_changes_nothing_is_no_step(state):
    state.edit("nothing", Document("the chef cooked"))
    assert state.stack.count() == 0


def test_letters_of_a_word_become_one_step_and_a_new_word_begins_another(state):
    for end in range(1, len(" the meal") + 1):
        typed(state, "the chef cooked" + " the meal"[:end])
    assert state.stack.count() == 3  # the space, "the ", "meal"
    state.stack.undo()
    assert state.document.text == "the chef cooked the "
    state.stack.undo()
    assert state.document.text == "the chef cooked "
    state.stack.undo()
    assert state.document.text == "the chef cooked"


def test_a_pause_begins_a_new_step(state, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(state_module.time, "monotonic", lambda: now[0])
    typed(state, "the chef cookeda")
    now[0] += state_module.MERGE_PAUSE + 0.1
    typed(state, "the chef cookedab")
    assert state.stack.count() == 2


def test_a_mask_between_two_letters_keeps_them_apart(state):
    typed(state, "the chef cookeda")
    state.edit("mask 'chef'", state.document.with_mask(4, 8))
    typed(state, "the chef cookedab")
    assert state.stack.count() == 3
    state.stack.undo()
    assert state.document.is_masked(4, 8)
    assert state.document.text == "the chef cookeda"


def test_typing_that_is_taken_back_leaves_no_step(state):
    typed(state, "the chef cookedx")
    typed(state, "the chef cooked")
    assert state.stack.count() == 0
    assert not state.stack.canUndo()


def test_both_texts_masks_and_top_k_are_undone(state):
    state.edit("add a second text", state.document.with_pair(""))
    state.edit("typing", state.document.with_pair("yes"), merge=True)
    state.edit("mask", state.document.with_mask(0, 3, 1))
    state.edit("clear masks", state.document.without_masks())
    for expected in ("mask", "typing", "add a second text", ""):
        state.stack.undo()
        assert state.stack.undoText() == expected
    assert state.document == Document("the chef cooked")


def test_a_restored_run_is_a_step_of_its_own_and_an_edit_leaves_it(state):
    state.restore("bring back 'x'", Document("the chef cooked"), "01RUN")
    assert state.run_id == "01RUN"
    state.stack.undo()
    assert state.run_id == ""
    state.stack.redo()
    assert state.run_id == "01RUN"
    state.edit("run again", state.document)
    assert state.run_id == ""


def test_only_typing_says_so(state):
    seen = []
    state.changed.connect(lambda _: seen.append(state.is_typing))
    typed(state, "a")
    state.edit("mask 'a'", state.document.with_mask(0, 1))
    state.stack.undo()
    assert seen == [True, False, False]
