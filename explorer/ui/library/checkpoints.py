"""The checkpoints the library knows, and the downloads under way."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import Blame, Failure
from explorer.engine.messages import Answer, Download, Find, Inspect, ListCheckpoints, Progress
from explorer.text import N_, _, said
from explorer.text.formatting import quantities
from explorer.ui.runs.engine_bridge import EngineBridge, Reply


class Checkpoints(QObject):
    """What the library lists: bundled, opened, cached and published checkpoints.

    Attributes:
        is_listing: The list is on its way, or put off.

    Signals:
        changed: The list is another.
        listing_failed: A Failure.
        folders_changed: The folders the user has opened, to be remembered.
    """

    changed = Signal()
    listing_failed = Signal(object)
    folders_changed = Signal(object)

    def __init__(
        self,
        bridge: EngineBridge,
        folders: tuple[str, ...] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._folders = folders
        self._all: tuple[Checkpoint, ...] = ()
        self.is_listing = False
        self._is_put_off = False
        self._inspections = 0

    @property
    def all(self) -> tuple[Checkpoint, ...]:
        """In the order of the library."""
        return self._all

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders the user has opened."""
        return self._folders

    def find(self, checkpoint_id: str) -> Checkpoint | None:
        """The checkpoint of an id, or None."""
        return next((c for c in self._all if c.id == checkpoint_id), None)

    def put_off(self) -> None:
        """Leave the library unread until somebody wants to see it, or there is time."""
        self.is_listing = self._is_put_off = True

    def read_now(self) -> None:
        """Read the library where that was put off."""
        if self._is_put_off:
            self.refresh()

    def look_up(self, checkpoint_id: str, found: Callable[[Checkpoint | None], None]) -> None:
        """Find one checkpoint without reading all others; None where that is not possible."""
        self._bridge.submit(
            f"find:{checkpoint_id}",
            Find(checkpoint_id),
            Reply(
                answered=lambda answer: found(answer.result),
                failed=lambda _failure: found(None),
                stopped=lambda: found(None),
                lost=lambda _reason: found(None),
            ),
        )

    def refresh(self) -> None:
        """Read the library again."""
        self.is_listing, self._is_put_off = True, False
        self._bridge.submit(
            "library",
            ListCheckpoints(self._folders),
            Reply(
                answered=self._listed,
                failed=self._not_listed,
                stopped=self._listing_stopped,
                lost=self._listing_lost,
            ),
        )

    def inspect(
        self,
        path: str,
        found: Callable[[Checkpoint], None],
        refused: Callable[[Failure], None],
    ) -> None:
        """Read a folder or file; if it is a checkpoint it joins the list.

        One that can't be loaded is refused, and the list stays as it was.
        """

        def answered(answer: Answer) -> None:
            checkpoint = answer.result
            if checkpoint.problem and checkpoint.source is not Source.CONFIG:
                refused(Failure(Blame.USER, checkpoint.problem, checkpoint.hint))
                return
            self._add(checkpoint)
            found(checkpoint)

        self._inspections += 1
        self._bridge.submit(
            f"inspect:{self._inspections}",
            Inspect(path),
            Reply(
                answered=answered,
                failed=refused,
                stopped=lambda: refused(
                    Failure(
                        Blame.USER,
                        _("Reading it was cancelled."),
                        _("Open it again when you like."),
                    )
                ),
                lost=lambda reason: refused(Failure(Blame.MACHINE, reason)),
            ),
        )

    def put(self, checkpoint: Checkpoint) -> None:
        """Replace what is known of a checkpoint, or add it."""
        known = [c for c in self._all if c.id != checkpoint.id]
        if len(known) < len(self._all):
            self._all = tuple(checkpoint if c.id == checkpoint.id else c for c in self._all)
        else:
            self._all = (*known, checkpoint)
        self.changed.emit()

    def remove_folder(self, checkpoint: Checkpoint) -> None:
        """Take an opened folder off the list; its files stay where they are."""
        self._folders = tuple(f for f in self._folders if f != checkpoint.id)
        self._all = tuple(c for c in self._all if c.id != checkpoint.id)
        self.folders_changed.emit(self._folders)
        self.changed.emit()

    def _add(self, checkpoint: Checkpoint) -> None:
        opened = checkpoint.source in {Source.FOLDER, Source.CONFIG}
        if opened and checkpoint.id not in self._folders:
            self._folders = (*self._folders, checkpoint.id)
            self.folders_changed.emit(self._folders)
        self.put(checkpoint)

    def _listed(self, answer: Answer) -> None:
        self.is_listing = False
        self._all = tuple(answer.result)
        self.changed.emit()

    def _not_listed(self, failure: Failure) -> None:
        self.is_listing = False
        self.listing_failed.emit(failure)
        self.changed.emit()

    def _listing_stopped(self) -> None:
        """What was listed before stays."""
        self._not_listed(
            Failure(
                Blame.USER,
                _("Reading the library was cancelled."),
                _("Refresh it when you like: Models, Refresh the library."),
            )
        )

    def _listing_lost(self, _reason: str) -> None:
        self.refresh()


@dataclass(frozen=True)
class DownloadProgress:
    """A download under way.

    Attributes:
        done: Bytes here already.
        total: Bytes altogether; 0 when unknown.
        rate: Bytes a second lately; 0 when unknown.
        stage: What it does, where it is not fetching bytes.
    """

    done: float = 0.0
    total: float = 0.0
    rate: float = 0.0
    stage: str = N_("Waiting")

    @property
    def fraction(self) -> float:
        """From 0 to 1; negative when unknown."""
        return min(1.0, self.done / self.total) if self.total > 0 else -1.0

    @property
    def sentence(self) -> str:
        """How far it is, how fast, and how long it will take."""
        if self.total <= 0:
            return said(self.stage)
        parts = [
            _(
                "{in_bytes} of {in_bytes_2}",
                in_bytes=quantities.in_bytes(self.done),
                in_bytes_2=quantities.in_bytes(self.total),
            )
        ]
        if self.rate > 0:
            parts.append(f"{quantities.in_bytes(self.rate)}/s")
            parts.append(quantities.left_of_download((self.total - self.done) / self.rate))
        return " · ".join(parts)


class Downloads(QObject):
    """Downloads from the hub, started by the user and by nothing else.

    Signals:
        changed: One began, went on or ended.
        finished: The Checkpoint that is on this computer now.
        failed: A checkpoint's id and the Failure.
    """

    changed = Signal()
    finished = Signal(object)
    failed = Signal(str, object)

    def __init__(
        self,
        bridge: EngineBridge,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._clock = clock
        self.transfers: dict[str, DownloadProgress] = {}
        self.failures: dict[str, Failure] = {}
        self._marks: dict[str, tuple[float, float]] = {}

    def start(self, checkpoint_id: str, *, tokenizer_only: bool = False) -> None:
        """Fetch a checkpoint; one that was cut off goes on where it stopped."""
        if checkpoint_id in self.transfers:
            return
        self.failures.pop(checkpoint_id, None)
        self.transfers[checkpoint_id] = DownloadProgress()
        self._bridge.submit(
            f"download:{checkpoint_id}",
            Download(checkpoint_id, tokenizer_only),
            Reply(
                answered=lambda answer: self._done(checkpoint_id, answer),
                failed=lambda failure: self._failed(checkpoint_id, failure),
                stopped=lambda: self._ended(checkpoint_id),
                progressed=lambda progress: self._went_on(checkpoint_id, progress),
                lost=lambda reason: self._failed(
                    checkpoint_id, Failure(Blame.MACHINE, reason, _("Start the download again."))
                ),
            ),
        )
        self.changed.emit()

    def cancel(self, checkpoint_id: str) -> None:
        """Stop a download; what is here already is kept for the next try."""
        if checkpoint_id in self.transfers:
            self._bridge.cancel(f"download:{checkpoint_id}")

    def _went_on(self, checkpoint_id: str, progress: Progress) -> None:
        before = self.transfers.get(checkpoint_id)
        if before is None:
            return
        now = self._clock()
        mark_time, mark_done = self._marks.setdefault(checkpoint_id, (now, progress.done))
        rate = before.rate
        if now - mark_time >= 1.0:
            latest = max(0.0, (progress.done - mark_done) / (now - mark_time))
            # Smoothed, so that the time left does not jump about with every packet.
            rate = latest if rate == 0 else 0.7 * rate + 0.3 * latest
            self._marks[checkpoint_id] = (now, progress.done)
        stage = progress.detail or progress.stage or _("Downloading")
        self.transfers[checkpoint_id] = DownloadProgress(progress.done, progress.total, rate, stage)
        self.changed.emit()

    def _done(self, checkpoint_id: str, answer: Answer) -> None:
        self._ended(checkpoint_id)
        self.finished.emit(answer.result)

    def _failed(self, checkpoint_id: str, failure: Failure) -> None:
        self.failures[checkpoint_id] = failure
        self._ended(checkpoint_id)
        self.failed.emit(checkpoint_id, failure)

    def _ended(self, checkpoint_id: str) -> None:
        self.transfers.pop(checkpoint_id, None)
        self._marks.pop(checkpoint_id, None)
        self.changed.emit()
