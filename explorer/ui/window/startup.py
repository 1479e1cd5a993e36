"""What is on screen at a start: what was there last, or a first example."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import SLOTS
from explorer.document import Document
from explorer.samples import first_sample
from explorer.settings import Settings
from explorer.text import N_, Phrase
from explorer.ui.notices.notices import Notice, Notices
from explorer.ui.workbench.workbench import Workbench

FIRST_CHECKPOINT = "bert-miniature"


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
    """Loads the models of last time, or the first miniature, once the library is known.

    Attributes:
        notices: Where it says what it could not load.
    """

    def __init__(self, bench: Workbench, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self.notices = notices
        self._wanted = dict(bench.settings_store.settings.checkpoints)
        bench.models.are_expected = True
        bench.checkpoints.changed.connect(self._library_known)
        bench.checkpoints.refresh()

    def _library_known(self) -> None:
        bench = self._bench
        if bench.checkpoints.is_listing or not bench.checkpoints.all:
            return
        bench.checkpoints.changed.disconnect(self._library_known)
        bench.models.are_expected = False
        if bench.models.cards or bench.models.loading:
            return  # the user was quicker
        if not self._wanted:
            self._load_first()
            return
        for slot in SLOTS:
            if slot in self._wanted:
                self._load(slot, self._wanted[slot])

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
