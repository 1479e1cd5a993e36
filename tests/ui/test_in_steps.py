"""What is done a step at a time leaves the window its turns, and ends with it."""

import pytest
from PySide6.QtCore import QObject, QTimer

from explorer.ui import views
from explorer.ui.in_steps import InSteps
from explorer.ui.views import import_in_steps


@pytest.fixture
def parent(qapp):
    made = QObject()
    yield made
    made.deleteLater()
    qapp.processEvents()


def test_the_window_has_its_turn_between_two_steps(parent, qtbot):
    done = []

    def steps():
        for number in range(3):
            done.append(number)
            QTimer.singleShot(0, parent, lambda said=f"after {number}": done.append(said))
            yield

    work = InSteps(steps(), parent)
    assert done == []
    assert not work.is_done
    with qtbot.waitSignal(work.finished):
        pass
    assert work.is_done
    assert [one for one in done if isinstance(one, int)] == [0, 1, 2]
    assert all(done.index(f"after {one}") < done.index(one + 1) for one in (0, 1))


def test_the_rest_is_left_when_its_parent_ends_and_what_held_meanwhile_ends_too(qapp, qtbot):
    told = []

    def steps():
        try:
            told.append("begun")
            yield
            told.append("never")
            yield
        finally:
            told.append("let go")

    parent = QObject()
    InSteps(steps(), parent, pause=60_000)._next()
    with qtbot.waitSignal(parent.destroyed):
        parent.deleteLater()
    del parent
    qapp.processEvents()
    assert told == ["begun", "let go"]


def test_a_step_that_fails_is_told_and_is_the_last(parent, qtbot):
    def steps():
        yield
        raise ZeroDivisionError

    work = InSteps(steps(), parent)
    with qtbot.captureExceptions() as faults, qtbot.waitSignal(work.finished):
        pass
    assert [kind for kind, *_ in faults] == [ZeroDivisionError]


def test_pages_that_are_there_already_take_no_step(parent, qtbot, monkeypatch):
    assert views.views()
    work = import_in_steps(parent)
    assert list(work._steps) == []
    with qtbot.waitSignal(work.finished):
        pass
