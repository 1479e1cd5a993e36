"""What holds for every test: no screen, no network, no user's folders, no silent complaints."""

import gc
import importlib.util
import itertools
import logging
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.processes import listed_once
from explorer.text import language as languages
from tests import speaking, static_checks, unloading, whole_suite
from tests.hf import kept

pytest_plugins = ["tests.windows"]

ROOT = Path(__file__).resolve().parent.parent
THREADS_THAT_STAY = {"tqdm_monitor"}
THREAD_GRACE = 30.0
"""Seconds a thread that is about to end gets: on a busy machine pages take long to be imported."""
COLLECTS_AFTER = (20_000, 20, 50)
"""Objects and collections, as `gc.set_threshold` has them; each file begins with one of its own."""

# Libraries read these when they are imported, so they are set before anything else is.
_HOME = Path(tempfile.mkdtemp(prefix="plm-explorer-tests-"))
_COUNTED = itertools.count()
os.environ.update(
    QT_QPA_PLATFORM="offscreen",
    QTWEBENGINE_DISABLE_SANDBOX="1",
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    HF_HUB_DISABLE_TELEMETRY="1",
    HF_HOME=str(_HOME / "huggingface"),
    MPLCONFIGDIR=str(_HOME / "matplotlib"),
    TOKENIZERS_PARALLELISM="false",
    LANGUAGE="en",
    # Small models are no quicker with more threads, and workers share the machine. What is shared
    # out among more is summed in another order, which is tried so.
    OMP_NUM_THREADS=os.environ.get("PLM_EXPLORER_TEST_THREADS", "1"),
)
os.environ.pop("HF_HUB_CACHE", None)

_WRITES_NO_BYTECODE = sys.dont_write_bytecode
# Until all tests are collected: to rewrite their assertions anew takes half of that.
sys.dont_write_bytecode = False


def _has_qt() -> bool:
    try:
        if importlib.util.find_spec("PySide6") is None:
            return False
    except ImportError:
        return False
    try:
        importlib.import_module("PySide6.QtWidgets")
    except ImportError as error:
        # Installed but not loadable: to skip hundreds of tests in silence would be a lie.
        from explorer.system_libraries import QT_GUI, advice, missing

        absent = missing(QT_GUI)
        pytest.exit(advice(absent) if absent else f"Qt can't be loaded: {error}", returncode=4)
    return True


def _import_plainly() -> None:
    """As the window does: torch, which is never beside Qt in the program, has very many imports."""
    if HAS_QT:
        importlib.import_module("explorer.ui.plain_imports").take_the_wrapper_off()


_CHECKS = pytest.StashKey[Any]()
HAS_QT = _has_qt()
_import_plainly()
listed_once.list_once()
# Journeys, and what holds how pages look, go through the window from their first line on.
WITH_QT = [
    *("ui/*", "tour/*", "journeys", "journeys/*", "questions/*test_page*.py"),
    *("published/test_learning_curves.py", "questions/test_headlines.py"),
    "questions/architecture/architecture/test_numbers_of_the_notes.py",
    "questions/knowledge/entities/test_pinned.py",
    "questions/knowledge/graph_question/test_over_files.py",
    *(f"questions/many/file_of_sentences/test_{one}.py" for one in ("titles", "groups")),
    "questions/many/file_of_sentences/test_taken_columns.py",
    "questions/masking/masked_tokens/test_languages.py",
    "questions/pairs/sentence_pair/test_pooled.py",
    *("command_line/test_argparse_texts.py", "command_line/test_opening.py"),
    "docs/test_notebooks.py",
]
collect_ignore_glob = [] if HAS_QT else WITH_QT


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Without PySide6 pytest-qt can't even start; take it out before it tries."""
    parser.addoption("--all", action="store_true", help="what passed before and costs much, too")
    if not HAS_QT and pluginmanager.has_plugin("pytest-qt"):
        pluginmanager.unregister(name="pytest-qt")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    whole_suite.prepare(config, _HOME)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    whole_suite.tell_worker(node)


def pytest_configure() -> None:
    _block_network()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts what is to run in the background so; Ctrl-C is tried here all the same.
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[_CHECKS] = whole_suite.begin(session.config)


def pytest_report_header(config: pytest.Config) -> str | None:
    return whole_suite.header(config)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return whole_suite.is_left_out(collection_path, config) or None


def pytest_unconfigure(config: pytest.Config) -> None:
    _let_go_of_the_clipboard()
    if running := config.stash.get(_CHECKS, None):
        static_checks.stop(running)
    shutil.rmtree(_HOME, ignore_errors=True)


def _let_go_of_the_clipboard() -> None:
    """As the program does at its end: what a test has copied would end this process in a crash."""
    if "PySide6.QtWidgets" in sys.modules:
        from explorer import app

        if app.QApplication.instance():
            app.let_go_of_the_clipboard()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what uses the QApplication; leave it out where there is no PySide6."""
    kept, left_out = [], []
    for item in items:
        if {"qapp", "qtbot"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.gui)
        is_possible = HAS_QT or item.get_closest_marker("gui") is None
        is_kept = is_possible and whole_suite.is_wanted(item, config)
        (kept if is_kept else left_out).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[object]:
    """Let the collector of garbage rest while everything is imported, and pass over it after.

    It lasts to the end anyway. A model that is unloaded is collected at once, and that took
    longer than many a test does.
    """
    gc.disable()
    try:
        with whole_suite.one_compiles(session.config):
            return (yield)
    finally:
        sys.dont_write_bytecode = _WRITES_NO_BYTECODE
        _import_plainly()
        # Not collected first: half a second for the little that nobody needs any more.
        gc.freeze()
        gc.set_threshold(*COLLECTS_AFTER)
        gc.enable()


# ---- the network ------------------------------------------------------------------------------


class NetworkUsed(OSError):
    """A test tried to reach another machine; fails the test even where the program copes."""

    def __init__(self, what: str) -> None:
        super().__init__(f"a test {what}")
        ATTEMPTS.append(what)


ATTEMPTS: list[str] = []
_LOCAL = {"localhost", "127.0.0.1", "::1", "", None}


def _block_network() -> None:
    """Let sockets reach this machine only. Names of other machines are not even looked up."""
    connect, connect_ex, sendto = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.socket.sendto,
    )
    getaddrinfo = socket.getaddrinfo

    def check(own: socket.socket, address: Any) -> None:
        if own.family in {socket.AF_INET, socket.AF_INET6} and address[0] not in _LOCAL:
            raise NetworkUsed(f"tried to connect to {address!r}")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        check(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        check(self, address)
        return connect_ex(self, address)

    def guarded_sendto(self: socket.socket, data: Any, *rest: Any) -> int:
        check(self, rest[-1])
        return sendto(self, data, *rest)

    def guarded_getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name not in _LOCAL:
            raise NetworkUsed(f"looked up {name!r}")
        return getaddrinfo(host, *args, **kwargs)

    socket.socket.connect = guarded_connect
    socket.socket.connect_ex = guarded_connect_ex
    socket.socket.sendto = guarded_sendto
    socket.getaddrinfo = guarded_getaddrinfo


# ---- the log ----------------------------------------------------------------------------------


class LogWatch:
    """Collects what is logged at WARNING and above, by loggers that do not propagate too."""

    def __init__(self) -> None:
        self.records: list[logging.LogRecord] = []
        self.expected: list[re.Pattern[str]] = []
        self._original = logging.Logger.callHandlers

    def install(self) -> None:
        watch, original = self, self._original

        def call_handlers(self: logging.Logger, record: logging.LogRecord) -> None:
            if record.levelno >= logging.WARNING:
                watch.records.append(record)
            original(self, record)

        logging.Logger.callHandlers = call_handlers

    def remove(self) -> None:
        logging.Logger.callHandlers = self._original

    def complaint(self) -> str:
        """What was logged and not expected, or expected and not logged; then forget it."""
        texts = [f"{r.levelname} {r.name}: {r.getMessage()}" for r in self.records]
        lines = [
            f"logged: {text}" for text in texts if not any(p.search(text) for p in self.expected)
        ]
        lines += [
            f"not logged: {pattern.pattern}"
            for pattern in self.expected
            if not any(pattern.search(text) for text in texts)
        ]
        lines += [f"network: it {attempt}" for attempt in ATTEMPTS]
        self.records.clear()
        self.expected.clear()
        ATTEMPTS.clear()
        return "\n".join(lines)


_LOG_WATCH = pytest.StashKey[LogWatch]()
_file_of_last_test: list[Path] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if _file_of_last_test != [item.path]:
        _file_of_last_test[:] = [item.path]
        kept.begin_file()
        unloading.unload_quickly()
        # What is left of other files lasts: each model that is unloaded would have it looked
        # through anew, which took a fifth of the whole suite.
        gc.collect()
        gc.freeze()
    watch = item.stash[_LOG_WATCH] = LogWatch()
    watch.install()
    try:
        return (yield)
    finally:
        watch.remove()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    result = yield
    if complaint := item.stash[_LOG_WATCH].complaint():
        pytest.fail(f"The log or the network was used unexpectedly.\n{complaint}", pytrace=False)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    result = yield
    if item.stash[_LOG_WATCH].records and (complaint := item.stash[_LOG_WATCH].complaint()):
        pytest.fail(f"Logged while tidying up.\n{complaint}", pytrace=False)
    return result


@pytest.fixture
def speak() -> Iterator[Callable[..., None]]:
    """Speak another language for the length of a test: speak("de", **texts), speak("en_XA")."""
    before = languages.current()
    yield speaking.use
    languages.use(before)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Leave the language as it was, whatever a test chose."""
    before = languages.current()
    yield
    languages.use(before)


@pytest.fixture
def expect_log(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Call it with a pattern that must be logged at WARNING or above in this test.

    It is matched with "LEVEL logger: message".
    """

    def expect(pattern: str) -> None:
        request.node.stash[_LOG_WATCH].expected.append(re.compile(pattern))

    return expect


# ---- folders ----------------------------------------------------------------------------------


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As pytest's own; without its link to the last one, which takes longer than most tests do."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = tmp_path_factory.getbasetemp() / f"{name}{next(_COUNTED)}"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a home folder of its own; the user's is never touched."""
    home = _HOME / f"home{next(_COUNTED)}"
    home.mkdir()
    folders = {
        "HOME": home,
        "USERPROFILE": home,
        "APPDATA": home / "AppData" / "Roaming",
        "LOCALAPPDATA": home / "AppData" / "Local",
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_CACHE_HOME": home / "cache",
        "XDG_STATE_HOME": home / "state",
    }
    for name, folder in folders.items():
        monkeypatch.setenv(name, str(folder))
    return home


@pytest.fixture
def environment_is_put_back() -> Iterator[None]:
    """Leave the environment as it was, whatever a command that ran in this process set."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def paths(tmp_path: Path) -> Any:
    """A profile in the test's own folder, with the program's own plugins and resources."""
    from explorer.paths import Paths

    return Paths.profile(tmp_path / "profile")


# ---- what a test leaves behind ----------------------------------------------------------------


@pytest.fixture(autouse=True)
def no_questions_brought() -> Iterator[None]:
    """Forget the questions of plugins that a test brought; their folders are gone."""
    yield
    questions = sys.modules.get("explorer.questions")
    if questions is not None:
        questions.bring(questions.none_brought)


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread or a top-level widget behind, or a kept model changed."""
    before = set(threading.enumerate())
    windows = {_address(widget) for widget in _top_level_widgets()}
    yield
    left = [t for t in threading.enumerate() if t not in before and t.name not in THREADS_THAT_STAY]
    deadline = time.monotonic() + THREAD_GRACE
    for thread in left:
        thread.join(max(0.0, deadline - time.monotonic()))
    problems = [f"thread {thread.name!r}" for thread in left if thread.is_alive()]
    if "qapp" in request.fixturenames:
        problems += [
            f"window {widget.metaObject().className()} {widget.objectName()!r}"
            for widget in _top_level_widgets()
            if _address(widget) not in windows and not _goes_with(widget, windows)
        ]
    problems += [f"a changed {model}" for model in kept.changed()]
    if problems:
        pytest.fail("The test left behind: " + ", ".join(problems), pytrace=False)


def _top_level_widgets() -> list[Any]:
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or not isinstance(
        application := widgets.QApplication.instance(), widgets.QApplication
    ):
        return []
    core = sys.modules["PySide6.QtCore"]
    application.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
    return list(widgets.QApplication.topLevelWidgets())


def _goes_with(widget: Any, windows: Collection[int]) -> bool:
    """Whether it is closed with a window that was there before: one that a module's tests share."""
    while windows and (widget := widget.parentWidget()) is not None:
        if _address(widget) in windows:
            return True
    return False


def _address(widget: Any) -> int:
    from shiboken6 import getCppPointer

    return int(getCppPointer(widget)[0])
