"""Which entity a word names is said on the strip, by keyboard and menu, and undone like a mask."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from explorer.api.family import LoadOptions
from explorer.document import Document, Mention
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.ui.sentence.entity_editor import EntityEditor
from tests.ui.fake_engine import CACHED, MINIATURE, answer_of

TEXT = "Anna used a [MASK]"
READER = replace(MINIATURE, operations=(*MINIATURE.operations, "entities"))


@pytest.fixture
def asked():
    return []


@pytest.fixture
def running(engine, start, asked, qtbot):
    def answer(request, card):
        asked.append(request)
        return answer_of(request, card)

    engine.answers[MaskedTokensRequest] = answer
    engine.catalogue = (READER, CACHED)
    found = start()
    found.bench.state.edit("text", Document(TEXT))
    qtbot.waitUntil(lambda: [p.text for p in strip_of(found).pieces if p.end] != [])
    settle(found, qtbot)
    return found


def strip_of(running):
    return running.window.sentence.strip


def settle(running, qtbot):
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)


def focus(running, text):
    strip = strip_of(running)
    index = next(i for i, p in enumerate(strip.pieces) if p.text.lower() == text)
    strip.go_to(index)
    return index


def name(running, qtbot, entity):
    """Press E, type, press Enter."""
    strip = strip_of(running)
    qtbot.keyClick(strip, Qt.Key.Key_E)
    (editor,) = [one for one in strip.findChildren(EntityEditor) if one.isVisible()]
    editor.selectAll()
    if entity:
        qtbot.keyClicks(editor, entity)
    else:
        qtbot.keyClick(editor, Qt.Key.Key_Delete)
    qtbot.keyClick(editor, Qt.Key.Key_Return)


def test_e_names_the_entity_of_a_word_changes_it_and_takes_it_away(running, qtbot, asked):
    state, strip = running.bench.state, strip_of(running)
    index = focus(running, "anna")
    name(running, qtbot, "Q7")
    assert state.document.entities == (Mention(0, 4, "Q7"),)
    assert strip.notes[index] == "Q7"
    assert "entity Q7" in strip.accessibleDescription()
    settle(running, qtbot)
    qtbot.waitUntil(lambda: asked[-1].entities == (Mention(0, 4, "Q7"),))
    name(running, qtbot, "Anna (baker)")
    assert state.document.entities == (Mention(0, 4, "Anna (baker)"),)
    name(running, qtbot, "")
    assert state.document.entities == ()
    assert index not in strip.notes
    settle(running, qtbot)
    for entity in ("Anna (baker)", "Q7"):
        state.stack.undo()
        assert [one.entity for one in state.document.entities] == [entity]
    state.stack.undo()
    assert state.document == Document(TEXT)


def test_the_menu_names_one_too_and_escape_changes_nothing(running, qtbot):
    strip = strip_of(running)
    index = focus(running, "used")
    menu = strip.menu(index)
    (action,) = [one for one in menu.actions() if one.objectName() == "nameEntity"]
    action.trigger()
    (editor,) = [one for one in strip.findChildren(EntityEditor) if one.isVisible()]
    assert "used" in editor.accessibleName()
    qtbot.keyClicks(editor, "Q1")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert running.bench.state.document.entities == ()


def test_a_model_that_reads_no_entities_offers_none_and_is_asked_without(running, qtbot, asked):
    state, strip = running.bench.state, strip_of(running)
    focus(running, "anna")
    name(running, qtbot, "Q7")
    settle(running, qtbot)
    running.bench.models.load("A", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: running.bench.models.active_card.stamp.id == CACHED.id)
    settle(running, qtbot)
    qtbot.waitUntil(lambda: not strip.reads_entities)
    qtbot.keyClick(strip, Qt.Key.Key_E)
    assert not [one for one in strip.findChildren(EntityEditor) if one.isVisible()]
    assert not [one for one in strip.menu(0).actions() if one.objectName() == "nameEntity"]
    assert asked[-1].entities == ()
    assert state.document.entities  # they come back with a model that reads them
