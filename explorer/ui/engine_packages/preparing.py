"""Installs the packages that run models on a thread, and says how far that is."""

import enum
import threading
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from explorer.api.question import Cancelled, ExplorerError, Failure
from explorer.engine.environment import Bundle, PackagesFolder, Variant
from explorer.engine.environment.bundle import CPU, CUDA, MPS
from explorer.engine.environment.machine import fitting
from explorer.text import N_, Phrase, _
from explorer.text.formatting.quantities import bytes_precisely
from explorer.ui.library.models import ModelSlots
from explorer.ui.views.frame.state_pages import Way

NOT_INSTALLED = N_("The packages that run models are not installed yet")
STOPPED = N_("Installing the packages that run models was stopped")
INSTALLING = N_("Installing the packages that run models")
OFFERS = {
    CPU: N_("Install for the CPU ({size})"),
    CUDA: N_("Install for an NVIDIA GPU ({size})"),
    MPS: N_("Install for this Mac's GPU ({size})"),
}


class State(enum.StrEnum):
    """How it stands."""

    LOOKING = "looking"
    ABSENT = "absent"
    WORKING = "working"
    FAILED = "failed"
    READY = "ready"


class Preparing(QObject):
    """The engine's packages: there, on their way, or still to be asked for.

    Attributes:
        state: How it stands.
        offers: The variants, the one that fits this machine first; empty while that is looked at.
        failure: Why the last try failed, or None.
        is_offline: Nothing may be downloaded.

    Signals:
        changed: Another state.
        went_on: The same, further on: a Phrase, bytes done, bytes of all.
    """

    changed = Signal()
    went_on = Signal(object, object, object)
    _arrived = Signal(object)

    def __init__(
        self,
        bundle: Bundle,
        place: PackagesFolder,
        models: ModelSlots,
        *,
        offline: bool = False,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bundle = bundle
        self._place = place
        self._models = models
        self._wanted: Variant | None = None
        self._stop = threading.Event()
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self.is_offline = offline
        self.offers: Sequence[Variant] = ()
        self.failure: Failure | None = None
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        models.changed.connect(self._look_again)
        self.state = State.READY if place.ready(bundle) else State.LOOKING
        if self.state is State.READY:
            place.lend()
        else:
            self._say(NOT_INSTALLED)
            self._begin(self._look)

    @property
    def is_idle(self) -> bool:
        """Nothing is being installed or looked at."""
        return self._thread is None or not self._thread.is_alive()

    def ways(self) -> Sequence[Way]:
        """What can be pressed to come by them, the best one first; nothing while they come."""
        if self.is_offline or self.state not in (State.ABSENT, State.FAILED):
            return ()
        offered = [
            (_(OFFERS[one.name], size=bytes_precisely(one.size)), partial(self.install, one))
            for one in self.offers
        ]
        if self.state is State.FAILED:
            return [(_("Try again"), self.again), *offered[1:]]
        return offered

    def install(self, variant: Variant) -> None:
        """Install one of the offers; does nothing while another is being installed."""
        if self.state in (State.WORKING, State.READY) or self.is_offline:
            return
        self._wanted, self.failure = variant, None
        self._stop.clear()
        self._say(INSTALLING)
        self._enter(State.WORKING)
        self._begin(lambda: self._make(variant))

    def again(self) -> None:
        """Try once more what failed."""
        if self._wanted is not None:
            self.install(self._wanted)

    def cancel(self) -> None:
        """Stop; what has come is kept for the next try."""
        self._stop.set()

    def close(self) -> None:
        """Stop, and return when nothing runs any more; what is still on its way is not heard."""
        self._is_closed = True
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    # ---- on the thread -----------------------------------------------------------------------

    def _begin(self, work: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=work, name="engine packages", daemon=True)
        self._thread.start()

    def _look(self) -> None:
        first = fitting(self._bundle.variants)
        others = [one for one in self._bundle.variants.values() if one.name != first]
        self._tell((self._bundle.variants[first], *others))

    def _make(self, variant: Variant) -> None:
        from explorer.engine.environment.making import make

        try:
            make(self._bundle, self._place, variant, self._tell, self._stop.is_set)
        except Cancelled:
            self._tell(State.ABSENT)
        except ExplorerError as error:
            self._tell(Failure.of(error))
        except Exception as error:  # noqa: BLE001  told in the window: nobody else hears of it here
            self._tell(Failure.of(error))
        else:
            self._tell(State.READY)

    def _tell(self, what: object) -> None:
        try:
            self._arrived.emit(what)
        except RuntimeError:
            self._stop.set()  # the window is gone

    # ---- on the window's ---------------------------------------------------------------------

    def _deliver(self, what: object) -> None:
        if self._is_closed:  # Qt delivers what was queued before
            return
        if isinstance(what, tuple):
            self.offers = what
            if self.state is State.LOOKING:
                self._enter(State.ABSENT)
                self._stand(NOT_INSTALLED)
        elif isinstance(what, Failure):
            self.failure = what
            self._enter(State.FAILED)
            self._stand(STOPPED)
        elif isinstance(what, State):
            self._enter(what)
            if what is State.ABSENT:
                self._stand(STOPPED)
            else:
                self._models.wait_for_engine()
        else:
            self._step(what)

    def _look_again(self) -> None:
        """A model was loaded: the command line or another window has installed what it needs."""
        waits = self.state in (State.LOOKING, State.ABSENT, State.FAILED)
        if waits and not self._is_closed and self._place.ready(self._bundle):
            self._models.wait_for_engine()
            self._enter(State.READY)

    def _step(self, step: object) -> None:
        from explorer.engine.environment.making import InstallStep

        if isinstance(step, InstallStep) and self.state is State.WORKING:
            words = Phrase(step.stage, name=step.name)
            self._say(words, step.done, step.total)
            self.went_on.emit(words, step.done, step.total)

    def _say(self, words: str, done: float = 0, total: float = 0) -> None:
        self._models.wait_for(words, done, total)

    def _stand(self, words: str) -> None:
        """Nothing goes on before the user presses something."""
        self._models.wait_for(words, ways=self.ways)

    def _enter(self, state: State) -> None:
        self.state = state
        if state is State.READY:
            self._place.lend()
        self.changed.emit()
