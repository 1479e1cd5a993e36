"""What is loaded at a start, and when the library is read."""

import pytest

from explorer.document import Document
from explorer.engine.messages import Ask, Find, ListCheckpoints, LoadModel
from explorer.settings import Settings
from tests.ui.fake_engine import MINIATURE


@pytest.fixture
def sent(engine):
    """The kinds of what the engine was asked for, in their order."""
    return lambda: [type(call.request) for call in engine.calls]


LAST_TIME = Settings(
    checkpoints={"A": MINIATURE.id}, document=Document("the dog ate the meal").with_mask(4, 7)
)


@pytest.mark.parametrize("settings", [None, LAST_TIME])
def test_the_first_answer_does_not_wait_for_the_library(start, sent, settings):
    running = start(settings)
    assert sent()[:2] == [Find, LoadModel]
    assert sent().index(Ask) < sent().index(ListCheckpoints)
    assert sent().count(ListCheckpoints) == 1
    assert running.bench.checkpoints.find(MINIATURE.id) is not None


def test_whoever_opens_the_library_need_not_wait_for_an_answer(start, sent, engine, qtbot):
    engine.held.add("load:A")
    running = start(wait=False)
    qtbot.waitUntil(lambda: "load:A" in engine.waiting)
    assert ListCheckpoints not in sent()
    running.bench.actions.library_wanted.emit("A")
    qtbot.waitUntil(lambda: ListCheckpoints in sent())
    engine.release("load:A")
    qtbot.waitUntil(lambda: "A" in running.bench.models.cards)
    assert sent().count(ListCheckpoints) == 1


def test_what_is_not_there_as_it_was_waits_for_the_library(start, sent, engine, qtbot):
    engine.catalogue = tuple(one for one in engine.catalogue if one.id != MINIATURE.id)
    running = start(Settings(checkpoints={"A": MINIATURE.id}), wait=False)
    qtbot.waitUntil(lambda: running.window.notices.texts != ())
    assert sent()[:2] == [Find, ListCheckpoints]
    assert LoadModel not in sent()
    assert not running.bench.models.are_expected
