"""Two answers of many rows are compared on a thread, and the page says so meanwhile."""

import threading
from dataclasses import dataclass, replace

import pytest

from explorer.api.question import Cancelled, Table
from explorer.ui.blocks.page import pins
from explorer.ui.blocks.page.shown import Origin, Pinned
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import Text
from explorer.ui.views import comparing, view_for
from tests.ui.test_pinned_everywhere import answer

pytestmark = pytest.mark.gui

UNDER_WAY = "The rows are being compared …"
ROWS = 40_000


@dataclass
class Held:
    """Keeps a comparison until it is let go."""

    go: threading.Event
    threads: list
    cancelled: list

    def compare(self, now, before, places, stopped):
        number = len(self.threads)
        self.threads.append(threading.current_thread())
        while not self.go.wait(0.005):
            if stopped():
                self.cancelled.append(number)
                raise Cancelled
        return compared(now, before, places, stopped)


compared = pins.compared


@pytest.fixture
def held(monkeypatch):
    one = Held(threading.Event(), [], [])
    monkeypatch.setattr(pins, "compared", one.compare)
    yield one
    one.go.set()


@pytest.fixture
def view(qtbot):
    """A page whose rows are as many as those of a large answer."""
    stored, page = answer("surprisal")
    many = Table(("place", "nats"), tuple((f"w{n}", float(n)) for n in range(ROWS)))
    fewer = replace(many, rows=tuple((word, nats - 1) for word, nats in many.rows))
    first = stored.result
    kind = view_for("surprisal")
    declared = replace(
        page,
        table=lambda shown: fewer if shown.result is first else many,
        draws_pinned=False,
    )
    made = type("Many", (kind,), {"declared": declared})()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    made.show_result(replace(first), stored.document, Origin.of(stored))
    made.first = Pinned(first, stored.document, Origin.of(stored))
    return made


def said(view):
    return [one.text for one in view.laid if isinstance(one, Text)]


def strongest(view):
    """The rows below the heading of the comparison."""
    at = [n for n, one in enumerate(view.laid) if getattr(one, "text", "") == HEADING]
    return [one for one in view.laid[at[0] :] if isinstance(one, BarTable)] if at else []


HEADING = "Against the pinned answer"


def test_the_window_does_not_wait_for_many_rows(view, held, qtbot):
    view.pin_answer(view.first)
    assert UNDER_WAY in said(view)
    assert not strongest(view)
    qtbot.waitUntil(lambda: bool(held.threads))
    (thread,) = held.threads
    assert thread is not threading.main_thread()
    # Drawn anew, as while a mouse moves, nothing is compared once more.
    view.refresh()
    assert held.threads == [thread]
    with qtbot.waitSignal(view.settled):
        held.go.set()
    assert UNDER_WAY not in said(view)
    (table,) = strongest(view)
    assert len(table.rows) == pins.SEEN
    assert held.threads == [thread]


def test_an_answer_that_is_gone_is_compared_no_longer(view, held, qtbot):
    view.pin_answer(view.first)
    qtbot.waitUntil(lambda: bool(held.threads))
    view.show_result(replace(view.result), view.document, view.origin)
    qtbot.waitUntil(lambda: held.cancelled == [0])
    qtbot.waitUntil(lambda: len(held.threads) == 2)
    view.unpin()
    qtbot.waitUntil(lambda: held.cancelled == [0, 1])
    assert HEADING not in said(view)


def test_what_goes_wrong_with_the_rows_is_not_swallowed(view, monkeypatch):
    def fails(*_args):
        raise ValueError("rows that do not fit")

    monkeypatch.setattr(pins, "compared", fails)
    monkeypatch.setattr(comparing, "PATIENCE", 60.0)
    with pytest.raises(ValueError, match="rows that do not fit"):
        view.pin_answer(view.first)


def test_a_comparison_looks_at_every_row_whether_it_is_still_wanted():
    asked = []
    table = Table(("word", "nats"), (("a", 1.0), ("b", 2.0), ("c", 3.0)))
    compared(table, table, {}, lambda: bool(asked.append(1)))
    assert len(asked) == len(table.rows)
    with pytest.raises(Cancelled):
        compared(table, table, {}, lambda: True)
