"""Moments of the loaded models: which steps of training are here, and which one is shown."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.question import SLOTS, Blame, Failure, ModelCard
from explorer.engine.messages import Answer, ReadSeries
from explorer.series.naming import series_named
from explorer.series.series import CheckpointSeries, Frame
from explorer.text import Phrase
from explorer.ui.library.models import ModelSlots
from explorer.ui.runs.engine_bridge import EngineBridge, Reply, nothing

PACES = (1, 2, 3, 5, 10)
"""Frames a second of a film that plays; answers that take longer are waited for."""
USUAL_PACE = 3
ASIDE = ("download:", "library", "inspect:", "series:")
"""Lanes whose work a film does not wait for."""


class ModelMoments(QObject):
    """The series that each slot's model is a frame of, and the way to its other frames.

    Signals:
        changed: Another frame is shown, a series is known, or a film began or ended.
        film_wanted: A checkpoint's id: train its like anew, and keep the moments of that.
        file_wanted: Write the page that is shown at all frames as a film.
        steps_wanted: Ask what the page asks at every frame, for a chart.
        film_set: How films play from now on: frames a second, and whether they begin again.

    Attributes:
        series: By slot.
        playing: The slots whose film plays.
        pace: Frames a second that are shown at most.
        repeats: After the last frame a film begins again.
    """

    changed = Signal()
    film_wanted = Signal(str)
    file_wanted = Signal()
    steps_wanted = Signal()
    film_set = Signal(int, bool)

    def __init__(
        self, bridge: EngineBridge, models: ModelSlots, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._bridge, self._models = bridge, models
        self.series: dict[str, CheckpointSeries] = {}
        self.playing: set[str] = set()
        self._wanted: dict[str, Frame] = {}
        self._asked: dict[str, str] = {}
        self.pace, self.repeats = USUAL_PACE, False
        self._pace = QTimer(self)
        self._pace.setInterval(1000 // USUAL_PACE)
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

    def found(self, checkpoint_id: str) -> tuple[str, int] | None:
        """The slot whose series has a frame, and its place there; None where no series has it."""
        for slot in self._models.cards:
            for place, one in enumerate(self.frames(slot)):
                if one.id == checkpoint_id:
                    return slot, place
        return None

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

    def show_frame(self, slot: str, checkpoint_id: str) -> bool:
        """Put a slot's model to the frame of a name; False where its series has none such."""
        names = [one.id for one in self.frames(slot)]
        if checkpoint_id not in names:
            return False
        self.show(slot, names.index(checkpoint_id))
        return True

    def play(self, slot: str) -> None:
        """Show all frames one after the other, from the first where the last is shown; or stop."""
        if slot in self.playing:
            self.playing.discard(slot)
        elif len(self.frames(slot)) > 1:
            if self.place(slot) == len(self.frames(slot)) - 1:
                self.show(slot, 0)
            self.playing.add(slot)
            # A run that is being trained may have kept more by now.
            self.look_again()
        self._keep_pace()

    def play_at(self, pace: int) -> None:
        """Play so many frames a second, as far as answers are there by then."""
        self.pace = pace
        self._pace.setInterval(1000 // pace)
        self.film_set.emit(self.pace, self.repeats)

    def repeat(self, repeats: bool) -> None:
        """Begin again after the last frame, or stop there."""
        self.repeats = repeats
        self.film_set.emit(self.pace, self.repeats)

    @staticmethod
    def other(slot: str) -> str:
        """The slot that what is in this one is compared with."""
        return next(one for one in SLOTS if one != slot)

    def compare(self, slot: str, place: int) -> None:
        """Load another frame of a slot's series into the other slot, or move what is there to it.

        Args:
            slot: It holds a frame.
            place: Of the other one, among those that can be shown.
        """
        frames, other = self.frames(slot), self.other(slot)
        if not 0 <= place < len(frames):
            return
        there = next((n for n, one in enumerate(self.frames(other)) if one == frames[place]), -1)
        if there >= 0 and other not in self._models.loading:
            self.show(other, there)
            return
        frame, series = frames[place], self.series[slot]
        title = f"{series.title}@{frame.step}"
        self._models.load(other, frame.id, title, self._models.options_of(slot))

    def _play_on(self) -> None:
        """The next frame of each film, once everything that was asked of this one is answered."""
        if any(not lane.startswith(ASIDE) for lane in self._bridge.busy):
            return
        for slot in tuple(self.playing):
            place = self.place(slot) + 1
            if place >= len(self.frames(slot)) and self.repeats:
                place = 0
            elif place >= len(self.frames(slot)):
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
        self._read(slot, card)

    def look_again(self, _came: object = None) -> None:
        """More frames may be on this computer: read the series of the loaded models anew."""
        for slot, card in self._models.cards.items():
            if slot in self.series and slot not in self._wanted:
                self._read(slot, card)

    def _read(self, slot: str, card: ModelCard) -> None:
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

    def _given_up(self, slot: str, frame: Frame, failure: Failure | None) -> None:
        """A frame that can't be shown, or in whose place another model is loaded."""
        wanted = self._wanted.get(slot)
        if failure is not None and failure.blame is Blame.CHECKPOINT:
            self._leave_out(frame, failure)
            if wanted == frame:
                # The film goes on with the frames that are left.
                del self._wanted[slot]
                self._keep_pace()
                return
        if wanted is not None and wanted != frame and slot not in self._models.loading:
            self._move(slot, wanted)
            return
        self._wanted.pop(slot, None)
        self.playing.discard(slot)
        self._keep_pace()

    def _leave_out(self, frame: Frame, failure: Failure) -> None:
        """Name a frame as damaged that was found to be so when it was read."""
        problem = Phrase(failure.code or failure.message, **failure.values)
        hint = Phrase(failure.hint_code or failure.hint, **failure.values)
        for slot, series in self.series.items():
            frames = tuple(
                replace(one, problem=problem, hint=hint) if one.id == frame.id else one
                for one in series.frames
            )
            self.series[slot] = replace(series, frames=frames)
