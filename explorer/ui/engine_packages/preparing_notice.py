"""The notice that offers to install what runs models, says how far it is, and repairs it."""

from PySide6.QtCore import QObject

from explorer.text import _
from explorer.ui.engine_packages.preparing import Preparing, State
from explorer.ui.notices.notices import Notice, Notices

KEY = "engine_packages"


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
                    _("The packages that run models are being installed; questions wait for them."),
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
                    tuple(preparing.ways()),
                    stays=True,
                )
            case _:
                return self._offer()

    def _offer(self) -> Notice:
        if self._preparing.is_offline:
            return Notice(
                KEY,
                _(
                    "The packages that run models are not installed yet, and --offline keeps them "
                    "from coming."
                ),
                _("Start once without --offline."),
                level="warning",
            )
        return Notice(
            KEY,
            _(
                "The packages that run models are not installed yet: they differ from machine to "
                "machine."
            ),
            _("They are downloaded once."),
            actions=tuple(self._preparing.ways()),
            stays=True,
        )
