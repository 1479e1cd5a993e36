"""Which models are loaded, and which are on their way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from explorer.api.family import LoadOptions
from explorer.api.family.load_options import as_numbers
from explorer.api.question import SLOTS, Blame, Failure, ModelCard, ModelStamp
from explorer.api.question.roles import RoleBinding
from explorer.engine.messages import Answer, Died, Failed, LoadModel, Progress, Unload
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import percent
from explorer.ui.runs.engine_bridge import UNHEARD, EngineBridge, Reply

if TYPE_CHECKING:
    from explorer.ui.views.frame.state_pages import Way


@dataclass(frozen=True)
class Loading:
    """A load under way.

    Attributes:
        checkpoint_id: What is being loaded.
        title: What the user reads.
        options: How.
        stage: What it does now, a short phrase.
        done: In the unit of total.
        total: 0 when unknown.
        ways: What the user may press, in the language of now, where it does not go on before that;
            None where it is at work.
    """

    checkpoint_id: str
    title: str
    options: LoadOptions
    stage: str = N_("Waiting for the engine")
    done: float = 0.0
    total: float = 0.0
    ways: "Callable[[], Sequence[Way]] | None" = None

    @property
    def sentence(self) -> str:
        """What it does, with how far it is where that is known."""
        if self.total > 0:
            share = percent(min(1.0, self.done / self.total))
            return _("{stage}, {share}", stage=said(self.stage), share=share)
        return said(self.stage)


@dataclass(frozen=True)
class SlotNumbers:
    """Where a slot's models run and as which numbers, whatever the settings say for all.

    Attributes:
        device: "" as the settings have it.
        dtype: "" likewise.
    """

    device: str = ""
    dtype: str = ""


def load_lane(slot: str) -> str:
    """The lane of a slot's loads."""
    return f"load:{slot}"


class ModelSlots(QObject):
    """The two slots of the window: what each holds, loads, or failed to load.

    Attributes:
        moving: Frames that models are put to, by slot: the model that is there answers meanwhile.
        own: What was chosen for a slot alone: its device and number type.
        are_expected: At a start, some are about to be loaded as soon as the library is known.

    Signals:
        changed: A slot holds another model, or none.
        progressed: A load went on, began or ended.
        failed: A checkpoint's id and the Failure.
        active_changed: Another slot answers the views.
    """

    changed = Signal()
    progressed = Signal()
    failed = Signal(str, object)
    active_changed = Signal(str)

    def __init__(self, bridge: EngineBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.cards: dict[str, ModelCard] = {}
        self.loading: dict[str, Loading] = {}
        self.moving: dict[str, str] = {}
        self.failures: dict[str, Failure] = {}
        self.own: dict[str, SlotNumbers] = {}
        self._options: dict[str, LoadOptions] = {}
        self._tried: dict[str, tuple[str, Loading]] = {}
        self._active = "A"
        self._waits_for = Loading("", "", LoadOptions())
        self.are_expected = False
        bridge.unasked.connect(self._unasked)
        bridge.died.connect(self._engine_died)

    @property
    def active(self) -> str:
        """The slot whose model answers the views."""
        return self._active

    @property
    def active_card(self) -> ModelCard | None:
        """The model that answers the views, or None."""
        return self.cards.get(self._active)

    def set_active(self, slot: str) -> None:
        """Let another slot's model answer."""
        if slot != self._active and slot in SLOTS:
            self._active = slot
            self.active_changed.emit(slot)

    def stamps_of(self, cast: RoleBinding) -> dict[str, ModelStamp]:
        """Who plays which role; roles whose slot is empty are left out."""
        return {role: self.cards[slot].stamp for role, slot in cast.items() if slot in self.cards}

    def options_of(self, slot: str) -> LoadOptions:
        """How a slot's model was loaded."""
        return self._options.get(slot, LoadOptions())

    def own_of(self, slot: str) -> SlotNumbers:
        """What was chosen for a slot alone."""
        return self.own.get(slot, SlotNumbers())

    def name_in(self, slot: str) -> str:
        """The id of a slot's model, with the number type that was chosen for it; "" for none."""
        held = self._id_in(slot)
        return as_numbers(held, self.own_of(slot).dtype) if held else ""

    @property
    def names(self) -> dict[str, str]:
        """Those of all slots that hold a model."""
        return {slot: self.name_in(slot) for slot in SLOTS if slot in self.cards}

    def load_otherwise(self, checkpoint_id: str, device: str, dtype: str) -> None:
        """Load a checkpoint that was not loaded the way it was tried; "" leaves what was chosen."""
        slot, tried = self._tried[checkpoint_id]
        options = tried.options
        options = replace(options, device=device or options.device, dtype=dtype or options.dtype)
        self.load(slot, checkpoint_id, tried.title, options)

    def slots_of(self, checkpoint_id: str) -> tuple[str, ...]:
        """The slots that hold a checkpoint."""
        return tuple(slot for slot in SLOTS if self._id_in(slot) == checkpoint_id)

    def loading_of(self, checkpoint_id: str) -> str:
        """The slot a checkpoint is being loaded into, or ""."""
        for slot, loading in self.loading.items():
            if loading.checkpoint_id == checkpoint_id:
                return slot
        return ""

    def load(self, slot: str, checkpoint_id: str, title: str, options: LoadOptions) -> None:
        """Load a checkpoint; what the slot holds stays until the new one is there."""
        self.failures.pop(checkpoint_id, None)
        self.loading[slot] = replace(
            self._waits_for, checkpoint_id=checkpoint_id, title=title, options=options
        )
        self._bridge.submit(
            load_lane(slot),
            LoadModel(slot, checkpoint_id, options),
            Reply(
                answered=lambda answer: self._loaded(slot, answer),
                failed=lambda failure: self._load_failed(slot, failure),
                stopped=lambda: self._ended(slot),
                progressed=lambda progress: self._went_on(slot, progress),
                lost=lambda reason: self._lost(slot, reason),
            ),
        )
        self.progressed.emit()

    def move(
        self, slot: str, checkpoint_id: str, given_up: Callable[[Failure | None], None]
    ) -> None:
        """Put the model of a slot to another frame of its series, loaded as it is.

        Args:
            slot: It holds a frame.
            checkpoint_id: The other one's.
            given_up: The model stays what it was, or another one is loaded there; with why a
                frame can't be shown.
        """

        def ended(failure: Failure | None = None) -> None:
            self.moving.pop(slot, None)
            if failure is not None:
                self.failed.emit(checkpoint_id, failure)
            given_up(failure)

        def answered(answer: Answer) -> None:
            self.moving.pop(slot, None)
            self._loaded(slot, answer)

        self.moving[slot] = checkpoint_id
        self._bridge.submit(
            load_lane(slot),
            LoadModel(slot, checkpoint_id, self.options_of(slot)),
            Reply(answered=answered, failed=ended, stopped=ended, lost=lambda _reason: ended()),
        )

    def wait_for(
        self,
        stage: str,
        done: float = 0.0,
        total: float = 0.0,
        ways: "Callable[[], Sequence[Way]] | None" = None,
    ) -> None:
        """Say what loads wait for, those under way and those that come, instead of the engine."""

        def waiting(loading: Loading) -> Loading:
            return replace(loading, stage=stage, done=done, total=total, ways=ways)

        self._waits_for = waiting(self._waits_for)
        for slot, loading in self.loading.items():
            self.loading[slot] = waiting(loading)
        if self.loading:
            self.progressed.emit()

    def wait_for_engine(self) -> None:
        """Loads wait for nothing but the engine, as is usual."""
        usual = Loading("", "", LoadOptions())
        self.wait_for(usual.stage, usual.done, usual.total)

    def cancel(self, slot: str) -> None:
        """Stop a load; what the slot held before stays."""
        if slot in self.loading:
            self._bridge.cancel(load_lane(slot))

    def unload(self, slot: str) -> None:
        """Free a slot."""
        self.cancel(slot)
        if slot not in self.cards:
            return
        del self.cards[slot]
        self._options.pop(slot, None)
        self._bridge.submit(f"unload:{slot}", Unload(slot), UNHEARD)
        other = next((s for s in SLOTS if s in self.cards), None)
        if slot == self._active and other is not None:
            self.set_active(other)
        self.changed.emit()

    def _id_in(self, slot: str) -> str:
        card = self.cards.get(slot)
        return card.stamp.id if card is not None else ""

    def _went_on(self, slot: str, progress: Progress) -> None:
        loading = self.loading.get(slot)
        if loading is not None:
            self.loading[slot] = replace(
                loading,
                stage=progress.detail or progress.stage or loading.stage,
                done=progress.done,
                total=progress.total,
                ways=None,
            )
            self.progressed.emit()

    def _loaded(self, slot: str, answer: Answer) -> None:
        loading = self.loading.pop(slot, None)
        card = answer.result
        if not isinstance(card, ModelCard):
            return
        self.cards[slot] = card
        if loading is not None:
            self._options[slot] = loading.options
        if self._active not in self.cards:
            self.set_active(slot)
        self.progressed.emit()
        self.changed.emit()

    def _load_failed(self, slot: str, failure: Failure) -> None:
        loading = self.loading.pop(slot, None)
        self.progressed.emit()
        if loading is not None:
            self.failures[loading.checkpoint_id] = failure
            self._tried[loading.checkpoint_id] = (slot, loading)
            self.failed.emit(loading.checkpoint_id, failure)

    def _ended(self, slot: str) -> None:
        self.loading.pop(slot, None)
        self.progressed.emit()

    def _lost(self, slot: str, reason: str) -> None:
        self._load_failed(
            slot,
            Failure(Blame.MACHINE, reason, _("Load it again, or choose a smaller model or dtype.")),
        )

    def _engine_died(self, event: Died) -> None:
        """What was loaded is loaded again by the engine, unless there is no engine any more."""
        if not event.restarting:
            self.cards.clear()
            self.changed.emit()
            return
        for slot, card in self.cards.items():
            if slot not in self.loading:
                options = self.options_of(slot)
                self.loading[slot] = Loading(
                    card.stamp.id, card.title, options, _("Loading it again")
                )
        self.progressed.emit()

    def _unasked(self, event: Answer | Failed) -> None:
        slot = event.lane.removeprefix("load:")
        if slot not in SLOTS:
            return
        if isinstance(event, Answer):
            self._loaded(slot, event)
            return
        self.cards.pop(slot, None)
        self._load_failed(slot, event.failure)
        self.changed.emit()
