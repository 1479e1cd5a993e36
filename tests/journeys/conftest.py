"""The program's own window on a real engine, as a person starts it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from explorer.program import Program
from tests.journeys.acting import SLOW
from tests.windows import put_the_mouse_away


@pytest.fixture
def open_window(paths: Any, qtbot: Any) -> Iterator[Callable[..., Any]]:
    """Opens windows that have answered about the miniature; closes them in the end."""
    from explorer.app import Running
    from explorer.tour.hands import Hands

    opened: list[Running] = []

    def make(engine: Any = None, page: str = "masked_tokens", **options: Any) -> Running:
        running = Running(Program(paths, **options), engine)
        opened.append(running)
        running.window.resize(1400, 900)
        put_the_mouse_away()
        if page and running.window.view_area.opened == ["overview"]:
            running.window.view_area.bring_forward(page)
        running.show()
        qtbot.waitExposed(running.window)
        qtbot.waitUntil(lambda: "A" in running.bench.models.cards, timeout=SLOW)
        Hands(running.window).settle()
        return running

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def running(open_window: Callable[..., Any]) -> Any:
    """The program as a first start shows it."""
    return open_window()


@pytest.fixture
def hands(running: Any) -> Any:
    """Whoever acts on its window."""
    from explorer.tour.hands import Hands

    return Hands(running.window)
