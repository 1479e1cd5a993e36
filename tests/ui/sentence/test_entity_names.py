"""Names of a graph are offered while one is typed; the window waits for none of them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from explorer.api.question import Entity
from explorer.document import Document, Mention
from explorer.engine.messages import NameEntities
from explorer.ui.sentence.entity_editor import EntityEditor
from explorer.ui.sentence.entity_names import LANE, MOST
from tests.ui.fake_engine import CACHED, MINIATURE

TEXT = "Anna used a [MASK]"
READER = replace(MINIATURE, operations=(*MINIATURE.operations, "entities"))
MANY = 200_000


@pytest.fixture
def running(engine, start, qtbot):
    engine.catalogue = (READER, CACHED)
    engine.entities = (
        *(Entity(f"Q{n}", f"Somebody {n}") for n in range(MANY)),
        Entity("Q900010", "Anna (baker)"),
        Entity("Q900020", "Anna (builder)"),
    )
    found = start()
    found.bench.state.edit("text", Document(TEXT))
    qtbot.waitUntil(lambda: [p.text for p in strip_of(found).pieces if p.end] != [])
    qtbot.waitUntil(lambda: found.bench.asking.is_idle)
    return found


def strip_of(running):
    return running.window.sentence.strip


def open_editor(running, qtbot):
    strip = strip_of(running)
    strip.go_to(next(i for i, p in enumerate(strip.pieces) if p.text.lower() == "anna"))
    qtbot.keyClick(strip, Qt.Key.Key_E)
    (editor,) = [one for one in strip.findChildren(EntityEditor) if one.isVisible()]
    return editor


def offered(editor):
    names = editor.completer().model()
    return [names.item(row).text() for row in range(names.rowCount())]


def sought(engine):
    return [c.request.beginning for c in engine.calls if isinstance(c.request, NameEntities)]


def test_names_that_begin_so_are_offered_and_the_chosen_one_is_put(running, engine, qtbot):
    editor = open_editor(running, qtbot)
    qtbot.keyClicks(editor, "Anna")
    qtbot.waitUntil(lambda: offered(editor) != [])
    assert offered(editor) == ["Anna (baker) · Q900010", "Anna (builder) · Q900020"]
    assert sought(engine) == ["Anna"], "one question for keys in a row"
    editor.completer().activated.emit("Q900020")
    assert running.bench.state.document.entities == (Mention(0, 4, "Q900020"),)


def test_of_many_some_are_offered(running, qtbot):
    editor = open_editor(running, qtbot)
    qtbot.keyClicks(editor, "Some")
    qtbot.waitUntil(lambda: len(offered(editor)) == MOST)


def test_the_window_goes_on_while_names_are_looked_up(running, engine, qtbot):
    engine.held.add(LANE)
    editor = open_editor(running, qtbot)
    qtbot.keyClicks(editor, "Som")
    qtbot.waitUntil(lambda: sought(engine) == ["Som"])
    qtbot.keyClicks(editor, "e")
    assert editor.text() == "Some"
    qtbot.waitUntil(lambda: sought(engine) == ["Som", "Some"])
    assert offered(editor) == []
    engine.release(LANE)
    qtbot.waitUntil(lambda: len(offered(editor)) == MOST)
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert running.bench.state.document.entities == ()


def test_an_answer_that_comes_late_is_offered_to_nobody(running, engine, qtbot):
    engine.held.add(LANE)
    editor = open_editor(running, qtbot)
    qtbot.keyClicks(editor, "Anna")
    qtbot.waitUntil(lambda: sought(engine) == ["Anna"])
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Delete)
    assert not engine.waiting
    assert offered(editor) == []


def test_the_arrow_keys_and_enter_choose_one(running, qtbot):
    editor = open_editor(running, qtbot)
    qtbot.keyClicks(editor, "Anna")
    names = editor.completer().popup()
    qtbot.waitUntil(names.isVisible)
    qtbot.keyClick(names, Qt.Key.Key_Down)
    qtbot.keyClick(names, Qt.Key.Key_Down)
    qtbot.keyClick(names, Qt.Key.Key_Return)
    assert running.bench.state.document.entities == (Mention(0, 4, "Q900020"),)
    assert not names.isVisible()
