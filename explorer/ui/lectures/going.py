"""Goes to a place: the models it needs, its document and its page, and then its question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.family.load_options import as_numbers, numbers_of
from explorer.questions import all_questions
from explorer.text import _, said
from explorer.ui.blocks.page.page import Run
from explorer.ui.views.frame.view_frame import FrameState

if TYPE_CHECKING:
    from explorer.document import Document
    from explorer.ui.window.host import HostWindow

WAITING = (FrameState.EMPTY, FrameState.STALE)
"""What a page shows that waits for its Run button, without an answer and with an earlier one."""


@dataclass(frozen=True)
class Destination:
    """What can be gone to.

    Attributes:
        question: The name of the question whose page is shown.
        document: What is asked.
        name: What the Edit menu says after "Undo ".
        models: The checkpoints that must be loaded, by slot.
        active: The slot whose model answers; "" leaves it.
        is_own: It is the user's own work, which comes back also below a page opened on the way.
    """

    question: str
    document: Document
    name: str
    models: Mapping[str, str] = field(default_factory=dict)
    active: str = ""
    is_own: bool = False


class Going(QObject):
    """One way at a time: to go somewhere else gives up the one before.

    Loading takes seconds, in which the user may open another page. That page stays: whoever
    clicked it is looking at it.

    Signals:
        arrived: The document, the page and the models are there; the question is asked.
        ready: The models are there, and the user is at another page, with the document of before.
        refused: One sentence on why not, and whether a model is what is missing; nothing was
            changed.
        went_on: A model is being loaded, and how far that is.
    """

    arrived = Signal()
    ready = Signal()
    refused = Signal(str, bool)
    went_on = Signal()

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window = window
        self._bench = window.bench
        self._to: Destination | None = None
        self._unlisted: Destination | None = None
        """Where to go as soon as the library says which models there are."""
        self._named: Destination | None = None
        """Where to go as soon as the names are known that the library does not list."""
        self._found: dict[str, Checkpoint | None] = {}
        """What these names say, for the way of now; None for what nothing is called."""
        self._opened: frozenset[str] | None = None
        """The pages that were open when it set out; None while it is not under way."""
        window.view_area.current.turned.connect(self._turned)
        self._bench.checkpoints.changed.connect(self._library_known)
        models = self._bench.models
        # Later: what became of a load is known once all of its signals were heard.
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._look)
        models.progressed.connect(self._later.start)
        models.changed.connect(self._later.start)

    @property
    def is_under_way(self) -> bool:
        """Models are being looked for or loaded for it."""
        return any(one is not None for one in (self._to, self._unlisted, self._named))

    @property
    def loading(self) -> str:
        """What is being read or loaded, and how far that is; "" when nothing is."""
        if self._unlisted is not None or self._named is not None:
            return _("Reading the library…")
        wanted = self._to.models if self._to is not None else {}
        for slot, loading in self._bench.models.loading.items():
            if wanted.get(slot) == loading.checkpoint_id:
                return _(
                    "Loading {title} as {slot}: {stage}",
                    title=loading.title,
                    slot=slot,
                    stage=loading.sentence.lower(),
                )
        return ""

    def go(self, place: Destination) -> None:
        """Load what is missing, then show the place and ask; or refuse, in one sentence."""
        self._opened = frozenset(self._window.view_area.opened)
        self._found.clear()
        self._go(place)

    def _go(self, place: Destination) -> None:
        self._to = self._unlisted = self._named = None
        if self._awaits_library(place):
            self._unlisted = place
            self._bench.checkpoints.read_now()
            self.went_on.emit()
            return
        unknown = self._unknown(place)
        if unknown:
            self._named = place
            for checkpoint_id in unknown:
                self._bench.checkpoints.look_up(
                    checkpoint_id, partial(self._called, place, checkpoint_id)
                )
            self.went_on.emit()
            return
        place = self._as_called(place)
        why_not = self._why_not(place)
        if why_not:
            self._opened = None
            self._bench.asking.go_on()
            self.refused.emit(why_not, self._window.view_area.has(place.question))
            return
        if not self._is_elsewhere(place):
            # Or the page of now would ask the new model about the old text.
            self._bench.asking.hold()
        for slot, checkpoint_id in self._missing(place).items():
            self._load(slot, checkpoint_id)
        self._to = place
        self._look()

    def stop(self) -> None:
        """Stay here; a model that is half loaded is loaded to its end."""
        self._to = self._unlisted = self._named = self._opened = None
        self._bench.asking.go_on()

    # ---- models ------------------------------------------------------------------------------

    def _missing(self, place: Destination) -> dict[str, str]:
        held = self._bench.models.names
        return {slot: name for slot, name in place.models.items() if held.get(slot) != name}

    def _awaits_library(self, place: Destination) -> bool:
        """Whether a model may be there that is not listed yet, as right after the start."""
        checkpoints = self._bench.checkpoints
        if not checkpoints.is_listing or not self._window.view_area.has(place.question):
            return False
        names = self._missing(place).values()
        return any(checkpoints.find(numbers_of(name)[0]) is None for name in names)

    def _library_known(self) -> None:
        place = self._unlisted
        if place is not None and not self._bench.checkpoints.is_listing:
            self._go(place)

    def _unknown(self, place: Destination) -> list[str]:
        """The names of models that the library does not list: a film's, or one of its frames."""
        if not self._window.view_area.has(place.question):
            return []
        names = {numbers_of(name)[0] for name in self._missing(place).values()}
        listed = self._bench.checkpoints.find
        return [one for one in names if listed(one) is None and one not in self._found]

    def _called(self, place: Destination, name: str, found: Checkpoint | None) -> None:
        self._found[name] = found
        if self._named is place and not self._unknown(place):
            self._go(place)

    def _as_called(self, place: Destination) -> Destination:
        """With the ids of models that are called otherwise: NAME of a film is its last frame."""

        def called(name: str) -> str:
            checkpoint_id, dtype = numbers_of(name)
            found = self._found.get(checkpoint_id)
            return name if found is None else as_numbers(found.id, dtype)

        return replace(place, models={slot: called(name) for slot, name in place.models.items()})

    def _known(self, checkpoint_id: str) -> Checkpoint | None:
        listed = self._bench.checkpoints.find(checkpoint_id)
        found = (one for one in self._found.values() if one and one.id == checkpoint_id)
        return listed or next(found, None)

    def _why_not(self, place: Destination) -> str:
        if not self._window.view_area.has(place.question):
            return _(
                "This program has no question “{name}”: it may come with a plugin that is not "
                "here, or with a newer version.",
                name=place.question,
            )
        for name in self._missing(place).values():
            checkpoint_id, _dtype = numbers_of(name)
            checkpoint = self._known(checkpoint_id)
            if checkpoint is None:
                return _(
                    "The model {name} is not in the library. Open its folder, then try again.",
                    name=checkpoint_id,
                )
            if checkpoint.source in (Source.HUB, Source.CONFIG):
                return _(
                    "{title} is not on this computer. Download it in the library, then try again.",
                    title=checkpoint.title,
                )
            if checkpoint.problem:
                return _(
                    "{title} can't be loaded: {problem}",
                    title=checkpoint.title,
                    problem=said(checkpoint.problem),
                )
            if checkpoint.pickled:
                return _(
                    "The weights of {title} are kept in a pickle. Load it from the library, then "
                    "try again.",
                    title=checkpoint.title,
                )
        return ""

    def _load(self, slot: str, name: str) -> None:
        models, actions = self._bench.models, self._bench.actions
        under_way = models.loading.get(slot)
        checkpoint_id = actions.name_for(slot, name)
        options = actions.options_for(slot)
        checkpoint = self._known(checkpoint_id)
        if checkpoint is None or (
            under_way is not None
            and (under_way.checkpoint_id, under_way.options) == (checkpoint_id, options)
        ):
            return
        models.load(slot, checkpoint_id, checkpoint.title, options)

    def _look(self) -> None:
        """Are they all there, or is one not coming?"""
        place = self._to
        if place is None:
            return
        missing = self._missing(place)
        models = self._bench.models
        for slot, name in missing.items():
            checkpoint_id, _dtype = numbers_of(name)
            loading = models.loading.get(slot)
            if loading is None or loading.checkpoint_id != checkpoint_id:
                self._give_up(checkpoint_id)
                return
        if missing:
            self.went_on.emit()
        else:
            is_elsewhere = self._is_elsewhere(place)
            self._to = self._opened = None
            if not is_elsewhere:
                self._arrive(place)
            elif place.is_own:
                self._bench.state.edit(place.name, place.document)
            else:
                self.ready.emit()

    def _is_elsewhere(self, place: Destination) -> bool:
        """Whether the user opened another page on the way, and is there."""
        now = self._window.view_area.opened
        is_new = self._opened is not None and not self._opened.issuperset(now)
        return is_new and place.question not in now

    def _turned(self, _question: str) -> None:
        """Let a page that the user opens on the way answer at once."""
        if self._to is not None and self._is_elsewhere(self._to):
            self._bench.asking.go_on()

    def _give_up(self, checkpoint_id: str) -> None:
        failure = self._bench.models.failures.get(checkpoint_id)
        why = failure.said if failure is not None else _("Loading it was cancelled.")
        self.stop()
        checkpoint = self._known(checkpoint_id)
        title = checkpoint.title if checkpoint is not None else checkpoint_id
        self.refused.emit(_("{title} was not loaded. {why}", title=title, why=why), True)

    # ---- the page ----------------------------------------------------------------------------

    def _arrive(self, place: Destination) -> None:
        bench, window = self._bench, self._window
        self._free(place)
        if place.active:
            bench.models.set_active(place.active)
        bench.state.edit(place.name, place.document)
        window.view_area.bring_forward(place.question)
        bench.asking.go_on()
        window.view_of(place.question).area.verticalScrollBar().setValue(0)
        self._demand(place)
        self.arrived.emit()

    def _free(self, place: Destination) -> None:
        """Free the slot whose model would play a part that the place has nobody for."""
        question = all_questions()[place.question]
        cards = self._bench.models.cards
        cast = question.cast(cards, place.active, place.document) if place.models else {}
        for slot in set(cast.values()) - place.models.keys():
            self._bench.models.unload(slot)

    def _demand(self, place: Destination) -> None:
        """Ask at once what a page would ask only when its button is pressed."""
        view = self._window.view_of(place.question)
        asker = self._bench.asking.askers[place.question]
        if view.declared.looks_first:
            if not view.on_demand(place.document):
                view.act(Run())
        elif asker.is_idle and asker.frame.state in WAITING:
            asker.ask_again()
