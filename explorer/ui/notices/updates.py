"""Help > Check for updates: asks the package index, once a click."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from explorer import __version__
from explorer.api.question import Failure
from explorer.text import _
from explorer.ui.notices.notices import Notice, Notices
from explorer.ui.views.latest_work import LatestWork

KEY = "updates"


class Updates(QObject):
    """Asks when it is told to, on a thread, and says what the answer is."""

    def __init__(
        self, notices: Notices, offline: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._notices = notices
        self._offline = offline
        self._work = LatestWork("updates", self)
        self._work.done.connect(self._told)
        self._work.trouble.connect(self._failed)

    @property
    def is_idle(self) -> bool:
        """Nothing is being asked."""
        return self._work.is_idle

    def ask(self) -> None:
        """Ask for the newest version."""
        from explorer.updates.newest import newest

        self._say(Notice(KEY, _("Asking the package index for the newest version…")))
        offline = self._offline()
        self._work.ask(lambda: newest(offline=offline))

    def _told(self, answer: object) -> None:
        from explorer.updates.newest import Newest
        from explorer.updates.ways import way_to_update

        if not isinstance(answer, Newest):
            return
        if not answer.is_newer:
            self._say(Notice(KEY, _("This is the newest version, {own}.", own=__version__)))
            return
        there = _(
            "Version {version} is there; this is {own}.", version=answer.version, own=__version__
        )
        self._say(Notice(KEY, there, _(way_to_update())))

    def _failed(self, failure: Failure) -> None:
        again = ((_("Try again"), self.ask),)
        self._say(Notice(KEY, failure.said, failure.advice, failure.traceback, "warning", again))

    def _say(self, notice: Notice) -> None:
        self._notices.tell(notice)
