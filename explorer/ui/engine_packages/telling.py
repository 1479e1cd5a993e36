"""The notice that offers to install what runs models, says how far it is, and repairs it."""

from functools import partial

from PySide6.QtCore import QObject

from explorer.engine.environment import Variant
from explorer.engine.environment.bundle import CPU, CUDA, MPS
from explorer.text import N_, _
from explorer.text.formatting.quantities import bytes_precisely
from explorer.ui.engine_packages.preparing import Preparing, State
from explorer.ui.notices.notices import Notice, Notices

KEY = "engine_packages"
OFFERS = {
    CPU: N_("Install for the CPU ({size})"),
    CUDA: N_("Install for an NVIDIA GPU ({size})"),
    MPS: N_("Install for this Mac's GPU ({size})"),
}


class PreparingNotice(QObject):
    """Keeps one notice as the packages stand; takes it away when they are there."""

    def __init__(
        self, preparing: Preparing, notices: Notices, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._preparing = preparing
        self._notices = notices
        preparing.changed.connect(self.show)
        self.show()

    def show(self) -> None:
        """Say how it stands; also what was dismissed before."""
        notice = self._notice()
        if notice is None:
            self._notices.dismiss(KEY)
        else:
            self._notices.tell(notice)

    def _notice(self) -> Notice | None:
        preparing = self._preparing
        match preparing.state:
            case State.LOOKING | State.READY:
                return None
            case State.WORKING:
                return Notice(
                    KEY,
                    _("What runs models is being installed; questions wait for it."),
                    _("The log, lectures and texts work meanwhile."),
                    actions=((_("Stop"), preparing.cancel),),
                    stays=True,
                )
            case State.FAILED if preparing.failure is not None:
                return Notice(
                    KEY,
                    preparing.failure.said,
                    preparing.failure.advice,
                    preparing.failure.traceback,
                    "warning",
                    ((_("Try again"), preparing.again), *self._offered(1)),
                    stays=True,
                )
            case _:
                return self._offer()

    def _offer(self) -> Notice:
        if self._preparing.is_offline:
            return Notice(
                KEY,
                _("What runs models is not installed yet, and --offline keeps it from coming."),
                _("Start once without --offline."),
                level="warning",
            )
        return Notice(
            KEY,
            _("What runs models is not installed yet: it differs from machine to machine."),
            _("It is downloaded once."),
            actions=tuple(self._offered(0)),
            stays=True,
        )

    def _offered(self, first: int) -> list[tuple[str, "partial[None]"]]:
        return [
            (_words(one), partial(self._preparing.install, one))
            for one in self._preparing.offers[first:]
        ]


def _words(variant: Variant) -> str:
    return _(OFFERS[variant.name], size=bytes_precisely(variant.size))
