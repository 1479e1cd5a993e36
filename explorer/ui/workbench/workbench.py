"""Everything behind the window that is no widget, wired to each other."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from explorer.api.family.checkpoint import Checkpoint
from explorer.program import Program
from explorer.questions.former_names import document_today
from explorer.ui.document.edits import Edits
from explorer.ui.document.examples import ExampleFinder
from explorer.ui.document.state import DocumentState
from explorer.ui.engine_packages.preparing import Preparing
from explorer.ui.library.actions import Consent, LibraryActions
from explorer.ui.library.checkpoints import Checkpoints, Downloads
from explorer.ui.library.models import ModelSlots, SlotNumbers
from explorer.ui.library.moments.moments import ModelMoments
from explorer.ui.library.suggestions import ModelSuggestions
from explorer.ui.overview.survey import OverviewSurvey
from explorer.ui.runs.asking import ViewAskers
from explorer.ui.runs.engine_bridge import EngineBridge
from explorer.ui.runs.recording import Recording, RunLog
from explorer.ui.session_log.queries import LogQueries
from explorer.ui.workbench.settings_store import SettingsStore


@dataclass(frozen=True)
class Folders:
    """Folders the menus can open.

    Attributes:
        logs: The program's own logs.
        plugins: The user's plugins.
        sessions: The session database's file.
        texts: The catalogues of other languages.
        sheet: The comparison sheet's file.
    """

    logs: Path
    plugins: Path
    sessions: Path
    texts: Path
    sheet: Path


class Workbench(QObject):
    """The document, the models, what is asked, what is kept.

    Attributes:
        bridge: To the engine.
        recording: To the session log.
        queries: From the session log; None without one.
        settings_store: The settings.
        folders: What the menus open.
        program: What was asked for at the start, for processes that do the same; None in tests
            of parts.
        preparing: What installs the packages that run models; None where the program has them.
        open_log: Opens the session log, where the settings kept it shut at the start.

    Signals:
        restart_wanted: End the engine and start it anew.
        report_wanted: Gather what a developer needs to know of a Failure, or None: of how all is.
    """

    restart_wanted = Signal()
    report_wanted = Signal(object)

    def __init__(
        self,
        bridge: EngineBridge,
        recording: Recording,
        queries: LogQueries | None,
        settings_store: SettingsStore,
        folders: Folders,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        settings = settings_store.settings
        self.bridge = bridge
        self.recording = recording
        self.queries = queries
        self.settings_store = settings_store
        self.folders = folders
        self.program: Program | None = None
        self.preparing: Preparing | None = None
        self.open_log: Callable[[], RunLog] | None = None
        self.state = DocumentState(document_today(settings.document), self)
        self.edits = Edits(self.state)
        self.models = ModelSlots(bridge, self)
        for slot, device in settings.slot_devices.items():
            self.models.own[slot] = SlotNumbers(device)
        self.moments = ModelMoments(bridge, self.models, self)
        self.moments.play_at(settings.film_pace)
        self.moments.repeat(settings.film_repeats)
        self.moments.film_set.connect(self._keep_film)
        self.checkpoints = Checkpoints(bridge, settings.recent_folders, self)
        self.downloads = Downloads(bridge, self)
        self.downloads.finished.connect(self.moments.look_again)
        self.asking = ViewAskers(self.state, self.models, bridge, recording, self)
        self.asking.set_typing_pause(settings.debounce_ms)
        self.consent: Consent = lambda _checkpoint, _agreed: None
        self.actions = LibraryActions(
            self.checkpoints,
            self.models,
            self.downloads,
            self._ask_consent,
            self,
        )
        self.actions.history = self.state.stack
        self.actions.device = settings.device
        self.actions.dtype = settings.dtype
        self.overview = OverviewSurvey(
            self.state, self.models, bridge, self.asking.answers_of, self
        )
        self.overview.typing_pause_ms = settings.debounce_ms
        self.examples = examples = ExampleFinder(self.edits, lambda: self.models.cards)
        self.asking.examples = examples.ways
        ways = ModelSuggestions(self.actions, examples)
        self.asking.ways, self.asking.to_load = ways.to_ask, ways.to_load
        self.checkpoints.changed.connect(self.asking.refresh)
        self._remember()

    @property
    def is_offline(self) -> bool:
        """Nothing may reach the network: by the settings, or as the program was started."""
        return self.settings_store.settings.offline or self.is_started_offline

    @property
    def is_started_offline(self) -> bool:
        """The program was started so."""
        return self.program is not None and self.program.offline

    def close(self) -> None:
        """Stop what runs, write what waits; nothing happens any more."""
        if self.preparing is not None:
            self.preparing.close()
        self.bridge.close()
        if self.queries is not None:
            self.queries.close()
        self.recording.close()
        self.settings_store.close()

    def _ask_consent(self, checkpoint: Checkpoint, agreed: Callable[[], None]) -> None:
        # The window puts its dialog here once there is a window.
        self.consent(checkpoint, agreed)

    def _keep_film(self, pace: int, repeats: bool) -> None:
        self.settings_store.change(film_pace=pace, film_repeats=repeats)

    def _remember(self) -> None:
        remember = self.settings_store.change
        self.state.changed.connect(lambda document: remember(document=document))
        self.checkpoints.folders_changed.connect(lambda folders: remember(recent_folders=folders))
        self.models.changed.connect(
            lambda: remember(
                checkpoints=self.models.names,
                slot_devices={
                    slot: own.device for slot, own in self.models.own.items() if own.device
                },
            )
        )
