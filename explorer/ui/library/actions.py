"""What can be done with a checkpoint: load, unload, download, cancel, remove, show."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QMessageBox, QWidget

from explorer.api.family import LoadOptions
from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.family.load_options import numbers_of
from explorer.api.question import SLOTS, Blame, Failure
from explorer.text import _
from explorer.ui.controls.opened_by_system import open_in_system
from explorer.ui.library.checkpoints import Checkpoints, Downloads
from explorer.ui.library.models import ModelSlots, SlotNumbers
from explorer.ui.library.number_steps import NumbersStep

Consent = Callable[[Checkpoint, Callable[[], None]], None]
"""Asks about a pickled file; calls the second argument if the user agrees."""


def ask_in_dialog(parent: QWidget) -> Consent:
    """Ask in a dialog that blocks nothing else."""

    def ask(checkpoint: Checkpoint, agreed: Callable[[], None]) -> None:
        box = QMessageBox(parent)
        box.setObjectName("pickle_question")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(_("Open a pickled file?"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(_("The weights of {title} are kept in a pickle.", title=checkpoint.title))
        box.setInformativeText(
            _(
                "A pickle can hold more than numbers. It is opened with weights_only, which "
                "refuses everything else. Open it only if you trust where it comes from."
            )
        )
        yes = box.addButton(_("Open it"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.finished.connect(lambda _: agreed() if box.clickedButton() is yes else None)
        box.finished.connect(box.deleteLater)
        box.open()

    return ask


class LibraryActions(QObject):
    """The verbs of the library, for its buttons, the menus, and what is dropped on the window.

    Attributes:
        device: Where models are loaded whose slot has no device of its own.
        dtype: As which numbers, likewise.
        history: Where what is chosen for a slot can be undone.

    Signals:
        refused: A path or id, and the Failure: nothing was changed.
        chosen: A checkpoint's id: the library shows it.
        architecture_wanted: A checkpoint's id: take it apart, loaded or not.
        film_wanted: A checkpoint's id: train its like anew, and keep the moments of that.
        library_wanted: A slot: choose a model for it in the library.
        revisions_wanted: A repository's name, one of its revisions or "", and a slot: offer others.
        compared: A student and its teacher are being loaded to be compared.
    """

    refused = Signal(str, object)
    chosen = Signal(str)
    architecture_wanted = Signal(str)
    film_wanted = Signal(str)
    library_wanted = Signal(str)
    revisions_wanted = Signal(str, str, str)
    compared = Signal()

    def __init__(
        self,
        checkpoints: Checkpoints,
        models: ModelSlots,
        downloads: Downloads,
        consent: Consent,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.checkpoints = checkpoints
        self.models = models
        self.downloads = downloads
        self._consent = consent
        self.device = "auto"
        self.dtype = "auto"
        self.history = QUndoStack(self)
        downloads.finished.connect(self._downloaded)

    def load(self, checkpoint: Checkpoint, slot: str, dtype: str | None = None) -> None:
        """Load a checkpoint, after a question where its weights are pickled.

        Args:
            checkpoint: Which.
            slot: Where.
            dtype: As which numbers this slot is loaded from now on, "" for those of the settings;
                None leaves it.
        """
        self.chosen.emit(checkpoint.id)
        if checkpoint.problem:
            self.refused.emit(checkpoint.id, self._why_not(checkpoint))
        elif checkpoint.pickled:
            self._consent(checkpoint, lambda: self._load(checkpoint, slot, dtype, pickle=True))
        else:
            self._load(checkpoint, slot, dtype, pickle=False)

    def load_by_id(self, checkpoint_id: str, slot: str) -> None:
        """Load a checkpoint that is known by its id or path; one on the hub is downloaded."""
        checkpoint = self.checkpoints.find(checkpoint_id)
        if checkpoint is None:
            self.open_path(Path(checkpoint_id), slot)
        elif checkpoint.source is Source.HUB:
            self.download(checkpoint)
        else:
            self.load(checkpoint, slot)

    def load_pair(self, checkpoint: Checkpoint) -> None:
        """Load a discriminator as A and its generator as B, whichever half was chosen."""
        judges = "replaced_tokens" in checkpoint.operations
        first, second = checkpoint.id, checkpoint.partner
        if not judges:
            first, second = second, first
        self.load_by_id(first, "A")
        self.load_by_id(second, "B")
        self.models.set_active("A")

    def load_with_teacher(self, checkpoint: Checkpoint) -> None:
        """Load a student as B and the model that taught it as A, to be compared."""
        self.load_by_id(checkpoint.teacher, "A")
        self.load_by_id(checkpoint.id, "B")
        self.models.set_active("A")
        self.compared.emit()

    def activate(self, checkpoint: Checkpoint, slot: str = "", dtype: str | None = None) -> None:
        """What a double click does: load, into the active slot if none is named, or download.

        Of what has no weights the architecture can be read, and nothing else.
        """
        if checkpoint.source is Source.HUB:
            self.download(checkpoint)
        elif checkpoint.source is Source.CONFIG and checkpoint.architecture:
            self.chosen.emit(checkpoint.id)
            self.architecture_wanted.emit(checkpoint.id)
        elif not self.models.loading_of(checkpoint.id):
            self.load(checkpoint, slot or self.models.active, dtype)

    def load_again(self) -> None:
        """Load again what is loaded otherwise than by the device and number type of now."""
        for slot in SLOTS:
            card, loading = self.models.cards.get(slot), self.models.loading.get(slot)
            if loading is not None:
                was, held, title = loading.options, loading.checkpoint_id, loading.title
            elif card is not None:
                was, held, title = self.models.options_of(slot), card.stamp.id, card.title
            else:
                continue
            options = self.options_for(slot, allow_pickle=was.allow_pickle)
            if options != was:
                self.models.load(slot, held, title, options)

    def options_for(self, slot: str, *, allow_pickle: bool = False) -> LoadOptions:
        """How a model is loaded into a slot."""
        own = self.models.own_of(slot)
        return LoadOptions(own.device or self.device, own.dtype or self.dtype, allow_pickle)

    def choose_numbers(
        self, slot: str, device: str | None = None, dtype: str | None = None
    ) -> None:
        """Give a slot a device or number type of its own, and load what it holds so, as a step.

        Args:
            slot: Which.
            device: "" for that of the settings; None leaves it.
            dtype: Likewise.
        """
        before = self.models.own_of(slot)
        after = SlotNumbers(
            before.device if device is None else device, before.dtype if dtype is None else dtype
        )
        if after != before:
            self.history.push(NumbersStep(slot, before, after, self._give))

    def _give(self, slot: str, numbers: SlotNumbers) -> None:
        self.models.own[slot] = numbers
        self.load_again()
        self.models.changed.emit()

    def name_for(self, slot: str, name: str) -> str:
        """The id of a model that is named for a slot; a number type after it becomes the slot's."""
        checkpoint_id, dtype = numbers_of(name)
        own = self.models.own_of(slot)
        self.models.own[slot] = SlotNumbers(own.device, dtype)
        return checkpoint_id

    def download(self, checkpoint: Checkpoint) -> None:
        """Fetch a checkpoint from the hub."""
        self.chosen.emit(checkpoint.id)
        self.downloads.start(checkpoint.id)

    def download_tokenizer(self, checkpoint: Checkpoint) -> None:
        """Fetch what a tokenizer is read from, and no weights."""
        self.chosen.emit(checkpoint.id)
        self.downloads.start(checkpoint.id, tokenizer_only=True)

    def fetch_tokenizer(self, checkpoint_id: str) -> None:
        """The same by its id, for a page that wants it."""
        checkpoint = self.checkpoints.find(checkpoint_id)
        if checkpoint is not None:
            self.download_tokenizer(checkpoint)

    def cancel(self, checkpoint: Checkpoint) -> None:
        """Stop its load or download."""
        slot = self.models.loading_of(checkpoint.id)
        if slot:
            self.models.cancel(slot)
        self.downloads.cancel(checkpoint.id)

    def unload(self, checkpoint: Checkpoint) -> None:
        """Free every slot that holds it."""
        for slot in self.models.slots_of(checkpoint.id):
            self.models.unload(slot)

    def remove(self, checkpoint: Checkpoint) -> None:
        """Take an opened folder off the list."""
        self.checkpoints.remove_folder(checkpoint)

    @staticmethod
    def show_folder(checkpoint: Checkpoint) -> None:
        """Open the system's file manager at its folder."""
        if checkpoint.folder:
            open_in_system(checkpoint.folder)

    def open_path(self, path: Path, slot: str = "") -> None:
        """Read a folder or file the user picked or dropped, and load it if it can be loaded."""

        def found(checkpoint: Checkpoint) -> None:
            self.load(checkpoint, slot or self.models.active)

        self.checkpoints.inspect(
            str(path), found, lambda failure: self.refused.emit(str(path), failure)
        )

    def list_path(self, path: str) -> None:
        """Let the library list a folder, and load nothing of it."""
        self.checkpoints.inspect(
            path, lambda _found: None, lambda failure: self.refused.emit(path, failure)
        )

    def _load(self, checkpoint: Checkpoint, slot: str, dtype: str | None, *, pickle: bool) -> None:
        before = self.models.own_of(slot)
        if dtype is not None and dtype != before.dtype:
            after = replace(before, dtype=dtype)
            self.models.own[slot] = after
            self.history.push(NumbersStep(slot, before, after, self._give, is_done=True))
        options = self.options_for(slot, allow_pickle=pickle)
        self.models.load(slot, checkpoint.id, checkpoint.title, options)

    def _downloaded(self, checkpoint: object) -> None:
        if isinstance(checkpoint, Checkpoint):
            self.checkpoints.put(checkpoint)

    @staticmethod
    def _why_not(checkpoint: Checkpoint) -> Failure:
        return Failure(Blame.CHECKPOINT, checkpoint.problem, checkpoint.hint)
