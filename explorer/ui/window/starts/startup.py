"""What is on screen at a start: what was there last, or a first example."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import SLOTS
from explorer.document import Document
from explorer.samples.samples import first_sample
from explorer.settings import Settings
from explorer.text import N_, Phrase
from explorer.ui.notices.notices import Notice, Notices
from explorer.ui.workbench.workbench import Workbench

FIRST_CHECKPOINT = "bert-miniature"
LOOK_MS = 100
"""Between two looks whether the engine has time to read the library."""
LATEST_MS = 10_000
"""After which the library is read whatever the engine does."""


def first_settings(settings: Settings) -> Settings:
    """Settings of a start: out of the lecture, and with an example where there was nothing yet."""
    own = settings.own_place
    if own is not None:
        settings = replace(settings, document=own.document, checkpoints=own.models, own_place=None)
    if settings.document != Document() or settings.checkpoints:
        return settings
    first = replace(first_sample().document(), top_k=settings.top_k)
    return replace(settings, document=first, first_steps=True)


class Startup(QObject):
    """Loads the models of last time, or the first miniature; then has the library read.

    Reading it takes the engine about as long as loading a miniature, and the first answer would
    wait for that. Only what can't be loaded as it was found waits for the library.

    Attributes:
        notices: Where it says what it could not load.
    """

    def __init__(self, bench: Workbench, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self.notices = notices
        wanted = dict(bench.settings_store.settings.checkpoints)
        self._is_first = not wanted
        self._sought = {
            slot: bench.actions.name_for(slot, name)
            for slot, name in (wanted or {SLOTS[0]: FIRST_CHECKPOINT}).items()
        }
        checkpoints = bench.checkpoints
        bench.models.are_expected = True
        checkpoints.changed.connect(self._library_known)
        checkpoints.put_off()
        for slot, checkpoint_id in tuple(self._sought.items()):
            checkpoints.look_up(checkpoint_id, partial(self._found, slot))
        for first in (bench.asking.shown, bench.overview.answered):
            first.connect(checkpoints.read_now, Qt.ConnectionType.SingleShotConnection)
        self._idle = QTimer(self)
        self._idle.setInterval(LOOK_MS)
        self._idle.timeout.connect(self._read_when_idle)
        self._idle.start()
        QTimer.singleShot(LATEST_MS, checkpoints, checkpoints.read_now)

    def _read_when_idle(self) -> None:
        """Read the library where the models are there and nothing is asked of them."""
        bench = self._bench
        if not bench.checkpoints.is_listing:
            self._idle.stop()
            return
        loads = bench.models.are_expected or bench.models.loading
        if not loads and bench.asking.is_idle and bench.overview.is_idle:
            bench.checkpoints.read_now()

    def _found(self, slot: str, checkpoint: Checkpoint | None) -> None:
        models = self._bench.models
        if checkpoint is None or not _loads_at_once(checkpoint):
            self._bench.checkpoints.read_now()
            return
        self._sought.pop(slot, None)
        if slot not in models.cards and slot not in models.loading:
            self._bench.actions.load(checkpoint, slot)
        models.are_expected = bool(self._sought)

    def _library_known(self) -> None:
        bench = self._bench
        if bench.checkpoints.is_listing or not bench.checkpoints.all:
            return
        bench.checkpoints.changed.disconnect(self._library_known)
        bench.models.are_expected = False
        sought, self._sought = self._sought, {}
        for slot in (one for one in SLOTS if one in sought):
            if slot in bench.models.cards or slot in bench.models.loading:
                continue  # the user was quicker
            if self._is_first:
                self._load_first()
            else:
                self._load(slot, sought[slot])

    def _load_first(self) -> None:
        bundled = [c for c in self._bench.checkpoints.all if c.source is Source.BUNDLED]
        usable = [c for c in bundled if not c.problem and not c.pickled]
        usable.sort(key=lambda c: c.id != FIRST_CHECKPOINT)
        if usable:
            self._bench.actions.load(usable[0], "A")

    def _load(self, slot: str, checkpoint_id: str) -> None:
        checkpoint = self._bench.checkpoints.find(checkpoint_id)
        if checkpoint is None or checkpoint.source is Source.HUB:
            library = partial(self._bench.actions.library_wanted.emit, slot)
            self.notices.tell(
                Notice(
                    f"gone_{slot}",
                    Phrase(
                        N_("{checkpoint_id} was loaded last time and is not on this computer now."),
                        checkpoint_id=checkpoint_id,
                    ),
                    Phrase(N_("Choose another model from the library.")),
                    actions=((N_("Open the library"), library),),
                    outlives_window=True,
                )
            )
        elif checkpoint.pickled:
            self._offer(slot, checkpoint)
        else:
            self._bench.actions.load(checkpoint, slot)

    def _offer(self, slot: str, checkpoint: Checkpoint) -> None:
        """A pickle is not opened without a question, and a start is no time for dialogs."""
        load = partial(self._bench.actions.load, checkpoint, slot)
        self.notices.tell(
            Notice(
                f"pickled_{slot}",
                Phrase(
                    N_("{title} was loaded last time; its weights are kept in a pickle."),
                    title=checkpoint.title,
                ),
                actions=((Phrase(N_("Load as {slot}"), slot=slot), load),),
                outlives_window=True,
            )
        )


def _loads_at_once(checkpoint: Checkpoint) -> bool:
    """Whether nobody has to be told or asked anything before."""
    is_here = checkpoint.source is not Source.HUB
    return is_here and not checkpoint.problem and not checkpoint.pickled
