"""A window on an engine that answers from data."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.quick_bot import QuickBot
    from tests.ui.fake_engine import FakeEngine


@pytest.fixture
def qtbot(qapp: Any, request: pytest.FixtureRequest) -> "QuickBot":
    """The robot at the window."""
    from tests.quick_bot import QuickBot

    return QuickBot(request)


@pytest.fixture
def engine() -> "FakeEngine":
    """An engine for one test."""
    from tests.ui.fake_engine import FakeEngine

    return FakeEngine()


@pytest.fixture
def bridge(engine: "FakeEngine", qapp: Any) -> Iterator[Any]:
    """A started bridge to the engine."""
    from explorer.ui.runs.engine_bridge import EngineBridge

    made = EngineBridge(engine)
    made.start()
    yield made
    made.close()


@pytest.fixture
def start(engine: "FakeEngine", paths: Any, qtbot: Any) -> Iterator[Callable[..., Any]]:
    """Opens the program's window on the fake engine; closes what it opened."""
    with _windows(engine, paths, qtbot) as open_window:
        yield open_window


@pytest.fixture(scope="module")
def start_once(
    qapp: Any, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Any]]:
    """Opens a window that the tests of a module share; closes it after the last of them.

    For tests that leave it as it was, or bring all of it to where they begin. It is given its
    engine, and a robot where something is to be waited for.
    """
    from explorer.paths import Paths
    from tests.quick_bot import QuickBot
    from tests.ui.fake_engine import FakeEngine

    with ExitStack() as opened:

        def open_window(engine: Any = None, **options: Any) -> Any:
            folder = tmp_path_factory.mktemp("shared")
            with pytest.MonkeyPatch.context() as patch:
                for name in ("HOME", "USERPROFILE"):
                    patch.setenv(name, str(folder))
                paths, bot = Paths.profile(folder / "profile"), QuickBot(request)
                windows = _windows(engine or FakeEngine(), paths, bot)
                return opened.enter_context(windows)(**options)

        yield open_window


@contextmanager
def _windows(engine: "FakeEngine", paths: Any, bot: Any) -> Iterator[Callable[..., Any]]:
    from explorer.app import Running
    from explorer.program import Program
    from explorer.settings import SettingsFile

    opened: list[Running] = []

    def open_window(
        settings: Any = None, *, wait: bool = True, page: str = "masked_tokens", **options: Any
    ) -> Running:
        if settings is not None:
            SettingsFile(paths.settings).save(settings)
        if engine.is_closed:
            engine.reopen()
        running = Running(Program(paths, **options), engine)
        opened.append(running)
        running.window.resize(1200, 800)
        put_the_mouse_away()
        if page and running.window.view_area.opened == ["overview"]:
            # What a first start shows asks many questions by itself.
            running.window.view_area.bring_forward(page)
        running.show()
        bot.waitExposed(running.window)
        if wait:
            bot.waitUntil(lambda: "A" in running.bench.models.cards)
            bot.waitUntil(lambda: running.bench.asking.is_idle)
            bot.waitUntil(lambda: not running.bench.checkpoints.is_listing)
        return running

    yield open_window
    for running in opened:
        running.close()


def put_the_mouse_away() -> None:
    """What lies under the mouse waits for it to leave, and another test may have left it there."""
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QCursor

    QCursor.setPos(QPoint(-1000, -1000))


@pytest.fixture
def running(start: Callable[..., Any]) -> Any:
    """The program as a first start shows it, with the miniature's answer."""
    return start()


@pytest.fixture
def warm_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines of their own process that have imported torch when they begin."""
    from tests import warm_engine

    warm_engine.use(monkeypatch)
