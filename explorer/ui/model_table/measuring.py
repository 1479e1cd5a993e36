"""Times of models, measured one after the other by the engine, and kept."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal

from explorer.api.family import LoadOptions
from explorer.api.question import Blame, ExplorerError, Failure
from explorer.choosing.times import KeptTimes, SentenceTime
from explorer.engine.messages import Answer, MeasureTime
from explorer.text import _
from explorer.ui.runs.engine_bridge import EngineBridge, Reply

LANE = "measure"


class MeasuredTimes(QObject):
    """Asks for one at a time, so that each is kept as it comes and the rest can be given up.

    Attributes:
        done: How many of those that were wanted are over.
        total: How many were wanted.
        now: The id of the one that is measured; "" for none.

    Signals:
        changed: One began, came or failed, or all are over.
        failed: A checkpoint's id and the Failure.

    Args:
        bridge: To the engine.
        kept: Where they are kept; None keeps them for as long as this lives.
        parent: With which it ends.
    """

    changed = Signal()
    failed = Signal(str, object)

    def __init__(self, bridge: EngineBridge, kept: KeptTimes | None, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge, self._kept = bridge, kept
        self._times = list(kept.all()) if kept is not None else []
        self._left: list[str] = []
        self._options = LoadOptions()
        self.done = self.total = 0
        self.now = ""

    @property
    def all(self) -> tuple[SentenceTime, ...]:
        """Those that are known, the latest last."""
        return tuple(self._times)

    @property
    def is_busy(self) -> bool:
        """Whether one is measured now."""
        return bool(self.now)

    def measure(self, checkpoints: Iterable[str], options: LoadOptions) -> None:
        """Measure models, in this order; nothing where some are measured already.

        Args:
            checkpoints: Their ids.
            options: How those are loaded that are not loaded.
        """
        if self.is_busy:
            return
        self._left = list(dict.fromkeys(checkpoints))
        self._options = options
        self.done, self.total = 0, len(self._left)
        self._next()

    def cancel(self) -> None:
        """Give up the one that is measured, and the rest."""
        self._left.clear()
        if self.is_busy:
            self._bridge.cancel(LANE)

    def _next(self) -> None:
        self.now = self._left.pop(0) if self._left else ""
        self.changed.emit()
        if not self.now:
            return
        self._bridge.submit(
            LANE,
            MeasureTime(self.now, self._options),
            Reply(
                answered=self._came,
                failed=partial(self._fault, self.now),
                stopped=self._stopped,
                lost=lambda reason: self._fault(
                    self.now, Failure(Blame.MACHINE, reason, _("Measure it again."))
                ),
            ),
        )

    def _came(self, answer: Answer) -> None:
        time = answer.result
        if isinstance(time, SentenceTime):
            self._times = [one for one in self._times if one.checkpoint != time.checkpoint]
            self._times.append(time)
            self._keep(time)
        self.done += 1
        self._next()

    def _keep(self, time: SentenceTime) -> None:
        if self._kept is None:
            return
        try:
            self._kept.keep(time)
        except ExplorerError as error:
            self.failed.emit(time.checkpoint, Failure.of(error))

    def _fault(self, checkpoint: str, failure: Failure) -> None:
        self.failed.emit(checkpoint, failure)
        self.done += 1
        self._next()

    def _stopped(self) -> None:
        self._left.clear()
        self._next()
