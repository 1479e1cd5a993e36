"""Moments of the loaded models: which steps of training are here, and which one is shown."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.question import SLOTS, ModelCard
from explorer.engine.messages import Answer, ReadSeries
from explorer.series.naming import series_named
from explorer.series.series import CheckpointSeries, Frame
from explorer.ui.library.models import ModelSlots
from explorer.ui.runs.engine_bridge import EngineBridge, Reply, nothing

PACE_MS = 350
"""Between two frames of a film that plays; answers that take longer are waited for."""
ASIDE = ("download:", "library", "inspect:", "series:")
"""Lanes whose work a film does not wait for."""


class ModelMoments(QObject):
    """The series that each slot's model is a frame of, and the way to its other frames.

    Signals:
        changed: Another frame is shown, a series is known, or a film began or ended.

    Attributes:
        series: By slot.
        playing: The slots whose film plays.
    """

    changed = Signal()

    def __init__(
        self, bridge: EngineBridge, models: ModelSlots, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge, self._models = bridge, models
        self.series: dict[str, CheckpointSeries] = {}
        self.playing: set[str] = set()
        self._wanted: dict[str, Frame] = {}
        self._asked: dict[str, str] = {}
        self._pace = QTimer(self)
        self._pace.setInterval(PACE_MS)
        self._pace.timeout.connect(self._play_on)
        models.changed.connect(self._look)

    def frames(self, slot: str) -> tuple[Frame, ...]:
        """Those of a slot that can be shown; none where its model is no moment of a series."""
        series = self.series.get(slot)
        return () if series is None else tuple(one for one in series.frames if not one.problem)

    def place(self, slot: str) -> int:
        """Which of these is shown, or on its way; -1 for none of them."""
        frames, card = self.frames(slot), self._models.cards.get(slot)
        shown = self._wanted[slot].id if slot in self._wanted else card and card.stamp.id
        return next((n for n, one in enumerate(frames) if one.id == shown), -1)

    def show(self, slot: str, place: int) -> None:
        """Put a slot's model to a frame; while one is on its way, the newest wish comes next."""
        frames = self.frames(slot)
        if not 0 <= place < len(frames) or place == self.place(slot):
            return
        is_on_its_way = slot in self._wanted
        self._wanted[slot] = frames[place]
        if not is_on_its_way:
            self._move(slot, frames[place])
        self.changed.emit()

    def play(self, slot: str) -> None:
        """Show all frames one after the other, from the first where the last is shown; or stop."""
        if slot in self.playing:
            self.playing.discard(slot)
        elif len(self.frames(slot)) > 1:
            if self.place(slot) == len(self.frames(slot)) - 1:
                self.show(slot, 0)
            self.playing.add(slot)
        self._keep_pace()

    def _play_on(self) -> None:
        """The next frame of each film, once everything that was asked of this one is answered."""
        if any(not lane.startswith(ASIDE) for lane in self._bridge.busy):
            return
        for slot in tuple(self.playing):
            place = self.place(slot) + 1
            if place >= len(self.frames(slot)):
                self.playing.discard(slot)
            self.show(slot, place)
        self._keep_pace()

    def _keep_pace(self) -> None:
        if bool(self.playing) != self._pace.isActive():
            self._pace.start() if self.playing else self._pace.stop()
        self.changed.emit()

    def _look(self) -> None:
        for slot in SLOTS:
            card = self._models.cards.get(slot)
            wanted = self._wanted.get(slot)
            if wanted is not None and card is not None and slot not in self._models.moving:
                if card.stamp.id == wanted.id:
                    del self._wanted[slot]
                else:
                    self._move(slot, wanted)
            self._look_for_series(slot, card)
        self._keep_pace()

    def _look_for_series(self, slot: str, card: ModelCard | None) -> None:
        if card is not None and any(one.id == card.stamp.id for one in self.frames(slot)):
            return
        if slot not in self._wanted:
            self.series.pop(slot, None)
            self.playing.discard(slot)
        if (
            card is None
            or not series_named(card.stamp.id)
            or self._asked.get(slot) == card.stamp.id
        ):
            return
        self._asked[slot] = card.stamp.id

        def forget(_why: object) -> None:
            self._asked.pop(slot, None)

        self._bridge.submit(
            f"series:{slot}",
            ReadSeries(card.stamp.id),
            Reply(
                answered=partial(self._found, slot, card.stamp.id),
                failed=forget,
                stopped=nothing,
                lost=forget,
            ),
        )

    def _found(self, slot: str, checkpoint_id: str, answer: Answer) -> None:
        self._asked.pop(slot, None)
        card = self._models.cards.get(slot)
        if isinstance(answer.result, CheckpointSeries) and card and card.stamp.id == checkpoint_id:
            self.series[slot] = answer.result
            self.changed.emit()

    def _move(self, slot: str, frame: Frame) -> None:
        self._models.move(slot, frame.id, partial(self._given_up, slot, frame))

    def _given_up(self, slot: str, frame: Frame) -> None:
        """A frame that can't be shown, or in whose place another model is loaded."""
        wanted = self._wanted.get(slot)
        if wanted is not None and wanted != frame and slot not in self._models.loading:
            self._move(slot, wanted)
            return
        self._wanted.pop(slot, None)
        self.playing.discard(slot)
        self._keep_pace()
