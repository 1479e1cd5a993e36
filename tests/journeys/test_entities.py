"""Entities in the program's own window, by a real engine: found, kept, exchanged, replayed."""

import pytest

from explorer.questions.knowledge.entities.question import Version
from explorer.sessions.read.reader import SessionReader
from tests.journeys.acting import load, take
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]
ERNIE = "ernie-thu-miniature"
SAMPLE = "What did Anna use? Only the graph knows (load ernie-thu-miniature)"


@pytest.fixture
def hands(hands, running, qtbot):
    load(running, qtbot, A=ERNIE)
    hands.settle()
    return hands


def act(view, key):
    """Do what a place of the page does."""
    view.act(next(one.act for one in view.page.page.spots if one.key == key))


def best(view, version):
    return view.result.version(version).masks[0].predictions[0].word


def test_names_are_found_kept_for_every_question_and_exchanged(hands, paths):
    bench = hands.window.bench
    view = take(hands, SAMPLE)
    assert [one.entity.name for one in view.result.named] == ["Anna (chef)", "Tom (chef)"]
    assert "2 entities found by their names" in words_on(view)
    assert "With Anna (baker) instead" in words_on(view)
    assert best(view, Version.WITH) in {"pan", "pot", "knife", "spoon"}
    assert best(view, Version.OTHER) == "tray"
    masked = hands.window.view_of("masked_tokens")
    hands.window.view_area.bring_forward("masked_tokens")
    hands.settle()
    without = masked.result.masks[0].predictions[0].word
    assert without == best(view, Version.WITHOUT)
    hands.window.view_area.bring_forward("entities")
    hands.settle()
    act(view, ("entities", "put"))
    hands.settle()
    mentions = bench.state.document.entities
    assert [one.entity for one in mentions] == [one.entity.id for one in view.result.named]
    assert "put on the text by hand" in words_on(view)
    hands.window.view_area.bring_forward("masked_tokens")
    hands.settle()
    assert masked.result.masks[0].predictions[0].word == best(view, Version.WITH)
    # Their ids are in what was asked, so that it can be asked again as it was.
    reader = SessionReader(paths.sessions)
    newest = next(run for run in reader.runs() if run.operation == "masked_tokens")
    stored = reader.run(newest.id)
    assert stored.request.entities == stored.document.entities == mentions
    hands.window.view_area.bring_forward("entities")
    hands.settle()
    act(view, ("mention", 1))
    hands.settle()
    assert view.result.exchanged == 1
    act(view, ("entities", "remove"))
    hands.settle()
    assert len(bench.state.document.entities) == 1
    bench.state.stack.undo()
    hands.settle()
    assert len(bench.state.document.entities) == 2
