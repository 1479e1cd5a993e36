"""The only place where the parts of the window's side are wired together.

This process never imports torch: the models run in the engine's process, which has begun before
this module is imported, and is told what it is to be as soon as the window can be seen. What fills
the window is imported only then, too.
"""

from explorer.ui import plain_imports  # noqa: F401  before whatever imports much

# isort: split
import faulthandler
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO, TYPE_CHECKING

from PySide6.QtCore import (
    QDeadlineTimer,
    QEventLoop,
    QLibraryInfo,
    QLocale,
    QObject,
    QSocketNotifier,
    Qt,
    QTimer,
    QTranslator,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from explorer import __version__
from explorer.files.private import make_file, make_folder
from explorer.processes.collector import collector_at_rest
from explorer.program import Program
from explorer.settings import Settings, SettingsFile
from explorer.text import language as languages
from explorer.ui.theme import chrome
from explorer.ui.theme.schemes import apply_theme, styled_application
from explorer.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from explorer.api.question import Failure
    from explorer.engine.configuration import EngineConfiguration
    from explorer.engine.interface import Engine
    from explorer.engine.process.engine_handle import EngineHandle
    from explorer.ui.engine_packages.preparing import Preparing
    from explorer.ui.in_steps import InSteps
    from explorer.ui.runs.engine_bridge import EngineBridge

LOG_BYTES = 1_000_000
TRANSLATOR = "translator"
UNPAINTED_MS = 1000
"""A window that starts minimised is never painted."""


def run(program: Program, opened: Path | None = None, begun: "EngineHandle | None" = None) -> int:
    """Open the window and stay until it is closed; returns the exit status.

    Args:
        program: Folders and options.
        opened: A lecture, a model or a text that is to be seen in it.
        begun: The engine's process, where it has begun.
    """
    app = application()
    logs = LogFiles(program)
    from explorer.ui.notices.faults import Faults

    faults = Faults()
    faults.install()
    running = Running(program, show_first=True, begun=begun)
    faults.happened.connect(running.tell_fault)
    faults.interrupted.connect(running.leave)
    signals = Signals(running.leave)
    running.closed = app.quit
    running.show()
    if opened is not None:
        running.open(opened)
    try:
        app.exec()
        # Behind the window, which is gone already: an engine that is busy may take a moment.
        running.close()
    finally:
        let_go_of_the_clipboard()
        signals.close()
        faults.remove()
        logs.close()
    return 0


def let_go_of_the_clipboard() -> None:
    """Take back what was copied where no other program could have it.

    Qt would let go of it when Python has ended, which crashes: it belongs to both. Platforms with
    a clipboard of their own hand it over while the application ends.
    """
    if QApplication.platformName() in ("offscreen", "minimal"):
        QApplication.clipboard().clear()


def application() -> QApplication:
    """The QApplication, made if there is none."""
    found = QApplication.instance()
    if isinstance(found, QApplication):
        return found
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    # Qt WebEngine, which is imported only when a page is shown, needs it from the beginning.
    QGuiApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    QApplication.setApplicationName("plm-explorer")
    QApplication.setApplicationDisplayName("PLM Explorer")
    QApplication.setApplicationVersion(__version__)
    QApplication.setDesktopFileName("plm-explorer")
    return styled_application(sys.argv[0])


class Running:
    """A program with its window, its engine and its files; close it once.

    Attributes:
        window: The main window, hidden until `show`; another one once the language was changed.
        bench: What is behind it.
        closed: Called when the user closes the window.
    """

    def __init__(
        self,
        program: Program,
        engine: "Engine | None" = None,
        *,
        show_first: bool = False,
        begun: "EngineHandle | None" = None,
    ) -> None:
        """Build everything.

        Args:
            program: Folders and options.
            engine: In the place of a process; for tests and tours.
            show_first: Show the window while it is still empty, and go on when it is painted.
            begun: The engine's process, where it has begun.
        """
        # A window that is one of many, as in tests, would never be freed.
        self._at_rest = collector_at_rest if show_first else nullcontext
        self._closed = False
        self._importing: InSteps | None = None
        self.closed: Callable[[], object] = lambda: None
        with self._at_rest():
            self._build(program, engine, begun, show_first=show_first)

    def _build(
        self,
        program: Program,
        engine: "Engine | None",
        begun: "EngineHandle | None",
        *,
        show_first: bool,
    ) -> None:
        app = application()
        store = SettingsFile(program.paths.settings)
        settings = store.load()
        choose_language(app, program, settings.language)
        apply_theme(app, settings.color_scheme)
        chrome.scale_font(app, settings.font_scale)
        self.window = MainWindow(settings)
        if show_first:
            self._show_empty()

        from explorer.engine.process.client import EngineProcess
        from explorer.ui.runs.engine_bridge import EngineBridge

        self._process: EngineProcess | None = None
        self._program = program
        if engine is None:
            self._process = EngineProcess(self._configuration(settings), begun=begun)
            engine = self._process
        bridge = EngineBridge(engine)
        # The engine has torch to import, which takes longer than all that follows here.
        bridge.start()
        program.bring_questions()
        self._fill(bridge, store, settings)
        if show_first and self.bench.settings_store.settings.first_steps:
            self.window.first_steps.offer()
        if show_first:
            from explorer.ui.charts.library import import_in_steps

            import_in_steps(self.bench)

    def _fill(self, bridge: "EngineBridge", store: SettingsFile, settings: Settings) -> None:
        from explorer.sessions.log.log import SessionLog
        from explorer.sessions.read.reader import SessionReader
        from explorer.ui.runs.recording import Recording
        from explorer.ui.session_log.queries import LogQueries
        from explorer.ui.window.starts.startup import Startup, first_settings
        from explorer.ui.workbench.settings_store import SettingsStore
        from explorer.ui.workbench.workbench import Folders, Workbench

        paths = self._program.paths
        open_log = partial(SessionLog, paths.sessions, "window")
        own_place, settings = settings.own_place, first_settings(settings)
        self.bench = Workbench(
            bridge,
            Recording(open_log() if settings.log_enabled else None),
            LogQueries(SessionReader(paths.sessions)),
            SettingsStore(store, settings),
            Folders(paths.logs, paths.user_plugins, paths.sessions, paths.texts, paths.sheet),
        )
        self.bench.program = self._program
        self.bench.open_log = open_log
        self.bench.preparing = self._preparing()
        if self._program.device != "auto":
            self.bench.actions.device = self._program.device
        if self._program.dtype != "auto":
            self.bench.actions.dtype = self._program.dtype
        self.window.fill(self.bench)
        self._own_page = own_place.operation if own_place is not None else ""
        self._listen()
        # Those that are not shown can wait until the one that is shows its first answer.
        for first in (self.bench.asking.shown, self.bench.overview.answered):
            first.connect(self._import_pages, Qt.ConnectionType.SingleShotConnection)
        self._beginning = Startup(self.bench, self.window.notices, self.bench)
        if settings.open_document:
            self.window.documents.resume(Path(settings.open_document))
        if store.problem:
            self.window.notifications.settings_problem(store.problem)

    def _import_pages(self, *_shown: object) -> None:
        """Import the pages that nobody wanted yet; where that has begun, they are found made."""
        from explorer.ui.views import import_in_steps

        if self._importing is None:
            self._importing = import_in_steps(self.bench, self._at_rest)

    def _preparing(self) -> "Preparing | None":
        """What installs the packages that run models, where the program came without them."""
        from explorer.engine.environment import PackagesFolder, bundle

        came_in = bundle()
        if came_in is None:
            return None
        from explorer.ui.engine_packages.preparing import Preparing

        program = self._program
        return Preparing(
            came_in,
            PackagesFolder(program.paths.engine),
            self.bench.models,
            offline=self.bench.is_offline,
            parent=self.bench,
        )

    def _show_empty(self) -> None:
        """Show the window and wait until it can be seen; what the user types waits as well."""
        self.window.show()
        patience = QDeadlineTimer(UNPAINTED_MS)
        while not self.window.is_painted and not patience.hasExpired():
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def show(self) -> None:
        """Show the window, filled."""
        self.window.show()
        # Of a lecture that was on screen at the end the page is remembered as well.
        self.window.view_area.bring_forward(self._own_page)
        self.window.log.refresh()

    def open(self, path: Path) -> None:
        """Open a lecture, a model or a text, as if it were dropped on the window."""
        from explorer.ui.document.dropping import Dropped
        from explorer.ui.document.text_files import is_text

        self.window.commands.take_drop(Dropped(path, is_text(path)))

    def close(self) -> None:
        """Close everything; returns when the engine's process is gone and all is written."""
        if self._closed:
            return
        self._closed = True
        self.window.hide()
        self.window.remember_layout()
        self.window.file_session.close()
        self.window.documents.close()
        self.window.sheet.close()
        self.window.shut_views()
        self.bench.close()
        self.window.deleteLater()

    def tell_fault(self, failure: "Failure") -> None:
        """Say in the window that something went wrong that nobody caught."""
        self.window.notifications.fault(failure)

    def leave(self) -> None:
        """Close the window, as its user does."""
        self.window.close()

    def speak(self, setting: str) -> None:
        """Remember a language and speak it from now on, in everything that is on the screen.

        Args:
            setting: As settings have it: a code, or "system".
        """
        self.bench.settings_store.change(language=setting)
        before = languages.current()
        found = languages.of_setting(setting, os.environ, self._program.paths.texts)
        languages.use(found)
        self.window.menus.refresh()
        if (found.code, found.locale) != (before.code, before.locale):
            tell_qt(application())
            with self._at_rest():
                self._renew()

    def _listen(self) -> None:
        window = self.window
        window.restart_wanted.connect(self._restart)
        # Not from within the dialog, which goes with the window.
        window.reload_wanted.connect(lambda: QTimer.singleShot(0, window, self._reload))
        window.closed.connect(self._tell_closed)
        # Not from within the menu, which goes with the window.
        window.language_wanted.connect(
            lambda setting: QTimer.singleShot(0, window, lambda: self.speak(setting))
        )

    def _tell_closed(self) -> None:
        self.closed()

    def _renew(self) -> None:
        """Put a window made anew in the place of this one; all that is behind it lives on."""
        from explorer.ui.window.starts.window_handover import WindowHandover

        before = self.window
        handing_over = WindowHandover(before)
        # Asked for before it leaves the full screen, which a desktop does some time later.
        is_usual = before.windowState() == Qt.WindowState.WindowNoState
        place = before.geometry() if is_usual else before.normalGeometry()
        before.leave_screen()
        before.remember_layout()
        self.window = MainWindow(self.bench.settings_store.settings)
        if before.windowState() == Qt.WindowState.WindowNoState:
            # As large as it is, not as what was remembered of it would fit on this screen.
            self.window.setGeometry(place)
        self.window.fill(self.bench, before)
        handing_over.fill(before, self.window)
        self._beginning.notices = self.window.notices
        self._listen()
        self.window.show()
        # Once it is laid out.
        QTimer.singleShot(0, self.window, partial(handing_over.settle, self.window))
        before.hide()
        before.shut_views()
        before.deleteLater()

    def _restart(self) -> None:
        """Start the engine anew with the plugins that are switched on now."""
        if self._process is not None:
            self._process.configuration = self._configuration(self.bench.settings_store.settings)
        self.bench.bridge.restart()
        # Other plugins know other checkpoints.
        self.bench.checkpoints.refresh()

    def _reload(self) -> None:
        """Read the plugins anew, here and in an engine that is started anew.

        Models are loaded again, and what plugins' questions answered is let go of: it was made by
        other code.
        """
        from explorer.engine.plugins.plugin import forget_imported
        from explorer.questions import brought

        before = frozenset(brought())
        forget_imported()
        self._program.bring_questions()
        self.bench.asking.forget(before.union(brought()))
        self._restart()
        with self._at_rest():
            self._renew()

    def _configuration(self, settings: Settings) -> "EngineConfiguration":
        from explorer.engine.configuration import EngineConfiguration

        return EngineConfiguration.of(
            self._program.paths,
            device=self._program.device,
            offline=self._program.offline or settings.offline,
            safe_mode=self._program.safe_mode,
            disabled_plugins=frozenset(settings.disabled_plugins),
        )


def choose_language(app: QApplication, program: Program, setting: str) -> None:
    """Speak the language of the settings, but for one that was asked for at the start."""
    if not program.language and setting != languages.SYSTEM:
        found = languages.find(setting, program.paths.texts)
        if found is not None:
            languages.use(found)
    tell_qt(app)


def tell_qt(app: QApplication) -> None:
    """Let Qt speak the language in use as well."""
    # Qt's own fields write numbers, too, and its dialogs have buttons.
    locale = QLocale(languages.current().locale)
    QLocale.setDefault(locale)
    # Not looked for among the children of the application: PySide6 would dress up each of them.
    if (spoken := app.property(TRANSLATOR)) is not None:
        app.removeTranslator(spoken)
        spoken.deleteLater()
        app.setProperty(TRANSLATOR, None)
    if not languages.current().is_source:
        translator = QTranslator(app)
        app.setProperty(TRANSLATOR, translator)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if translator.load(locale, "qtbase", "_", folder):
            app.installTranslator(translator)


class PrivateLogFile(RotatingFileHandler):
    """Log files that nobody but the user may read: what they type may be quoted there."""

    def _open(self) -> TextIOWrapper:
        make_file(Path(self.baseFilename))
        return super()._open()


class LogFiles:
    """window.log, and window-crash.log for what ends the process at once."""

    def __init__(self, program: Program) -> None:
        self._crash: IO[bytes] | None = None
        self._handler: logging.Handler | None = None
        folder = program.paths.logs
        try:
            make_folder(folder)
            make_file(folder / "window-crash.log")
            self._crash = (folder / "window-crash.log").open("ab")
            self._handler = PrivateLogFile(
                folder / "window.log", maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8"
            )
        except OSError as error:
            # Without a place for it the program still runs; standard error hears of it.
            logging.getLogger(__name__).warning("There is no log file: %s", error)
            return
        faulthandler.enable(self._crash)
        self._handler.setFormatter(
            logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s")
        )
        self._handler.setLevel(logging.INFO)
        logging.getLogger().addHandler(self._handler)

    def close(self) -> None:
        """Let go of the files."""
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
            self._handler.close()
        if self._crash is not None:
            faulthandler.disable()
            self._crash.close()


class Signals(QObject):
    """Ctrl-C and a polite kill close the window.

    Python looks at signals between two of its own instructions, and there are none while Qt
    waits; a byte in a socket wakes Qt up.
    """

    def __init__(self, close: Callable[[], object]) -> None:
        super().__init__()
        self._reading, self._writing = socket.socketpair()
        for end in (self._reading, self._writing):
            end.setblocking(False)
        self._old_descriptor = signal.set_wakeup_fd(
            self._writing.fileno(), warn_on_full_buffer=False
        )
        self._old = {
            number: signal.signal(number, lambda *_: close())
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        self._notifier = QSocketNotifier(self._reading.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)

    def close(self) -> None:
        """Give the signals back."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._old_descriptor)
        for number, handler in self._old.items():
            signal.signal(number, handler)
        self._reading.close()
        self._writing.close()

    def _drain(self) -> None:
        # The handler itself has run by the time Python gets here.
        self._reading.recv(64)
