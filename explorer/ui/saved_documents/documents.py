"""Documents in the window: opened, saved, and from then on saved by themselves."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.family.load_options import as_numbers
from explorer.api.question import SLOTS, ExplorerError, Failure
from explorer.text import N_, Phrase, _
from explorer.ui.notices.notices import Notice
from explorer.ui.saved_documents.file import (
    ENDING,
    NamedModel,
    OnScreen,
    SavedDocument,
    read_document,
    write_document,
    written_document,
)
from explorer.ui.saved_documents.gathering import bring_on_screen, on_screen_now, pins_now
from explorer.ui.sheet.keeping import KeptLines
from explorer.ui.sheet.kept_entries import line_of_pin
from explorer.ui.views.latest_work import LatestWork

if TYPE_CHECKING:
    from explorer.ui.lectures.lecturing import Lecturing
    from explorer.ui.sheet.sheet import Sheet
    from explorer.ui.window.host import HostWindow

KIND = N_("Documents of PLM Explorer (*.plm)")
DELAY_MS = 1500
"""Changes are gathered this long; a crash loses no more than this of a document."""
RECENT = 10
SHORT = 8
"""Digits of a fingerprint that are shown."""
KEY = "document"


class Documents(QObject):
    """One document at most is open: what is changed on screen is changed in its file.

    Attributes:
        path: Its file; None where what is on screen has none.

    Signals:
        changed: Another one is open, or none, or another was opened lately.
        written: The file holds what is on screen.
    """

    changed = Signal()
    written = Signal()
    _failed = Signal(object)

    def __init__(self, window: HostWindow, lecturing: Lecturing, sheet: Sheet) -> None:
        super().__init__(window)
        self._window, self._lecturing, self._sheet = window, lecturing, sheet
        self._bench = window.bench
        self.path: Path | None = None
        self._awaited: dict[str, NamedModel] = {}
        self._to_load: OnScreen | None = None
        self._scene: OnScreen | None = None
        self._unread: tuple[str, ...] = ()
        self._content = b""
        self._lines = KeptLines()
        self._lock = threading.Lock()
        self._writes = self._last_write = 0
        self._reading = LatestWork("documents", self)
        self._reading.done.connect(self._read)
        self._reading.trouble.connect(self._refused)
        self._then: Callable[[SavedDocument], None] = lambda _saved: None
        self._failed.connect(self._refused, Qt.ConnectionType.QueuedConnection)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(DELAY_MS)
        self._later.timeout.connect(self._save_soon)
        bench = self._bench
        for signal in (
            bench.state.changed,
            bench.models.active_changed,
            window.view_area.visibility_changed,
            lecturing.moved,
            sheet.changed,
        ):
            signal.connect(self._touched)
        bench.models.changed.connect(self._models_changed)
        bench.checkpoints.changed.connect(self._library_known)
        bench.downloads.finished.connect(self._downloaded)
        lecturing.opened.connect(self._lecture_opened)

    @property
    def recent(self) -> tuple[Path, ...]:
        """Those that were opened or saved lately, the latest first."""
        return tuple(map(Path, self._bench.settings_store.settings.recent_documents))

    # ---- opening -----------------------------------------------------------------------------

    def pick(self) -> None:
        """Ask for a file and open it."""
        self._window.dialogs.file(_("Open a document"), _(KIND), self.open)

    def open(self, path: Path) -> None:
        """Open a document; what is on screen can be brought back."""
        self._later_than_now()
        self._then = partial(self._show, path)
        self._reading.ask(lambda: read_document(path))

    def _read(self, saved: object) -> None:
        if isinstance(saved, SavedDocument):
            self._then(saved)

    def _show(self, path: Path, saved: SavedDocument) -> None:
        before = self._bench.folders.sheet.with_name(f"before{ENDING}")
        is_before = path == before
        if not is_before:
            self._write(before, self._gathered())
        self.path = None
        bring_on_screen(saved, self._window, self._lecturing, self._sheet)
        self._awaited = dict(saved.on_screen.models)
        self._unread = saved.unread
        self._content = saved.content
        self.path = None if is_before else path
        if not is_before:
            self._remember(path)
            self._window.notices.tell(
                Notice(
                    KEY,
                    Phrase(N_("{name} is open. What you change is saved in it."), name=path.name),
                    self._said_unread(saved),
                    actions=((N_("Back to what was there before"), lambda: self.open(before)),),
                )
            )
        self.changed.emit()
        self._load_models(saved.on_screen)

    def _said_unread(self, saved: SavedDocument) -> str:
        if not saved.unread:
            return ""
        return Phrase(
            N_("Some of its answers can't be read by this program; they stay in the file.")
        )

    # ---- models ------------------------------------------------------------------------------

    def _load_models(self, read: OnScreen) -> None:
        """Load them once the library is known; say what is missing, and how to come by it."""
        checkpoints = self._bench.checkpoints
        if checkpoints.is_listing or not checkpoints.all:
            self._to_load = read
            checkpoints.read_now()
            return
        models = self._bench.models
        for slot in SLOTS:
            named = read.models.get(slot)
            card = models.cards.get(slot)
            if named is None:
                if card is not None:
                    models.unload(slot)
                continue
            was = models.own_of(slot).dtype
            self._bench.actions.name_for(slot, as_numbers(named.id, named.dtype))
            is_other = was != models.own_of(slot).dtype
            if card is None or is_other or card.stamp.fingerprint != named.fingerprint:
                if card is not None:
                    models.unload(slot)
                self._load(slot, named)
        self._models_changed()
        if read.active in models.cards or read.active in models.loading:
            models.set_active(read.active)
        if read.scene:
            self._go_to_scene(read)

    def _library_known(self) -> None:
        read, self._to_load = self._to_load, None
        if read is not None:
            self._load_models(read)

    def _load(self, slot: str, named: NamedModel) -> None:
        bench, library = self._bench, partial(self._window.open_library, slot)
        found = bench.checkpoints.find(named.id)
        if found is not None and found.source is not Source.HUB and not found.problem:
            loading = bench.models.loading.get(slot)
            if loading is None or loading.checkpoint_id != found.id:
                bench.actions.load(found, slot)
            return
        ways: list[tuple[str, Callable[[], None]]] = [(N_("Choose another model…"), library)]
        if found is not None and found.source is Source.HUB:
            ways.insert(0, (N_("Download it"), partial(bench.actions.download, found)))
        self._window.notices.tell(
            Notice(
                f"{KEY}_{slot}",
                Phrase(
                    N_("The document's model {slot}, {title}, is not on this computer."),
                    slot=slot,
                    title=named.title or named.id,
                ),
                Phrase(
                    N_("Its fingerprint is {fingerprint}. The document keeps its name."),
                    fingerprint=named.fingerprint[:SHORT],
                ),
                level="warning",
                actions=tuple(ways),
            )
        )

    def _downloaded(self, checkpoint: object) -> None:
        """A model that the document names has been fetched."""
        models = self._bench.models
        for slot, named in [*self._awaited.items()]:
            free = slot not in models.cards and slot not in models.loading
            if free and isinstance(checkpoint, Checkpoint) and checkpoint.id == named.id:
                self._bench.actions.load(checkpoint, slot)

    def _models_changed(self) -> None:
        """A model that the document names has come; another one in its place is the user's."""
        models = self._bench.models
        for slot, named in [*self._awaited.items()]:
            card = models.cards.get(slot)
            if card is None or slot in models.loading:
                continue
            del self._awaited[slot]
            if card.stamp.id == named.id:
                self._window.notices.dismiss(f"{KEY}_{slot}")
            if card.stamp.id == named.id and card.stamp.fingerprint != named.fingerprint:
                self._window.notices.tell(
                    Notice(
                        f"{KEY}_{slot}",
                        Phrase(
                            N_("{title} is loaded, and has other weights than the document's."),
                            title=card.title,
                        ),
                        Phrase(
                            N_("Its fingerprint is {here} and not {there}."),
                            here=card.stamp.fingerprint[:SHORT],
                            there=named.fingerprint[:SHORT],
                        ),
                        level="warning",
                    )
                )
        self._touched()

    def _go_to_scene(self, read: OnScreen) -> None:
        self._scene = read
        self._lecturing.open(read.lecture)

    def _lecture_opened(self) -> None:
        read, self._scene, lecture = self._scene, None, self._lecturing.lecture
        if read is None or lecture is None or self._lecturing.path != read.lecture:
            return
        scene = next((one for one in lecture.scenes if one.name == read.scene), None)
        if scene is not None and 0 <= read.step < len(scene.steps):
            self._lecturing.show(scene, read.step)

    # ---- saving ------------------------------------------------------------------------------

    def save(self) -> None:
        """Save at once; where there is no file yet, ask for one."""
        if self.path is None:
            self.save_as()
            return
        self._save_soon()
        self._window.status.showMessage(_("Saved {path}.", path=self.path), 6000)

    def save_as(self) -> None:
        """Ask for a file, and go on in it."""
        name = self.path.name if self.path is not None else f"document{ENDING}"
        self._window.dialogs.save(_("Save as document"), name, _(KIND), self.save_in)

    def save_in(self, path: Path) -> None:
        """Save in a file, and from now on by itself."""
        self.path, self._content = path, b""
        self._remember(path)
        self.changed.emit()
        self.save()

    def let_go(self) -> None:
        """Save, and have no file any more; what is on screen stays."""
        self._later_than_now()
        self.path, self._unread, self._content = None, (), b""
        self._awaited.clear()
        self._remember(None)
        self.changed.emit()

    def close(self) -> None:
        """Write what is not written yet; the next start goes on in it."""
        self._later_than_now()
        known = digest(self._content) if self.path is not None else ""
        self._bench.settings_store.change(document_digest=known)

    def _later_than_now(self) -> None:
        """What is to be written soon is written before anything else is done."""
        if self.path is not None:
            self._later.stop()
            self._write(self.path, self._gathered())

    def _touched(self, *_what: object) -> None:
        if self.path is not None and not self._later.isActive():
            self._later.start()

    def _save_soon(self) -> None:
        if self.path is not None:
            work = self._gathered()
            path = self.path
            threading.Thread(
                target=lambda: self._write(path, work), name="document writer", daemon=True
            ).start()

    def _gathered(self) -> Callable[[], bytes]:
        """What is on screen now; to be written out where nobody waits for it."""
        on_screen = on_screen_now(self._window, self._lecturing, self._sheet, self._awaited)
        entries, pins, unread = self._sheet.entries, pins_now(self._window), self._unread
        self._writes += 1
        number = self._writes

        def work() -> bytes:
            if number < self._last_write:
                return b""
            self._last_write = number
            lines = [one for one in self._lines.of(entries) if one]
            pinned = [line_of_pin(name, one) for name, one in pins.items()]
            return written_document(on_screen, lines, pinned, unread)

        return work

    def _write(self, path: Path, work: Callable[[], bytes]) -> None:
        try:
            # The whole of it: what was gathered first must not be on the disk last.
            with self._lock:
                content = work()
                is_open = path == self.path
                if content and not (is_open and content == self._content):
                    write_document(path, content)
                    if is_open:
                        self._content = content
            self.written.emit()
        except ExplorerError as error:
            self._failed.emit(Failure.of(error))
        except RuntimeError:
            return  # the window is gone

    def _refused(self, failure: Failure) -> None:
        self._window.notifications.failure(KEY, failure)

    def _remember(self, path: Path | None) -> None:
        store = self._bench.settings_store
        recent = store.settings.recent_documents
        if path is not None:
            recent = tuple(dict.fromkeys((str(path), *recent)))[:RECENT]
        store.change(recent_documents=recent, open_document="" if path is None else str(path))

    # ---- from one start to the next, and one window to the next -------------------------------

    def resume(self, path: Path) -> None:
        """Go on in the document of last time, if its file is as it was left."""

        def go_on(saved: SavedDocument) -> None:
            is_ours = digest(saved.content) == self._bench.settings_store.settings.document_digest
            if is_ours and self.path is None:
                self.path, self._content, self._unread = path, saved.content, saved.unread
                held = self._bench.models.cards
                self._awaited = {
                    slot: one for slot, one in saved.on_screen.models.items() if slot not in held
                }
                self.changed.emit()

        self._then = go_on
        self._reading.ask(lambda: read_document(path))

    def take_over(self, other: Documents) -> None:
        """Go on where another window's were, which this one takes the place of."""
        other._later_than_now()
        self._to_load, self._scene = other._to_load, other._scene
        self.path, self._content, self._unread = other.path, other._content, other._unread
        self._awaited = dict(other._awaited)
        other.path = None
        self.changed.emit()


def digest(content: bytes) -> str:
    """What tells a file from every other one."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()
