"""Notices that go with what they speak of: a text, an answer, a run from the log."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from explorer.ui.notices.notices import Notices
from explorer.ui.window.workbench import Workbench


class Passing(QObject):
    """Takes a notice away as soon as its matter is no longer on the screen."""

    def __init__(self, bench: Workbench, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._notices = notices
        self._holds: dict[str, Callable[[], bool]] = {}
        bench.state.changed.connect(self.refresh)
        bench.models.changed.connect(self.refresh)
        bench.models.active_changed.connect(self.refresh)

    def with_text(self, key: str) -> None:
        """This notice speaks of the text of now."""
        self._keep(key, lambda: self._text)

    def with_run(self, key: str) -> None:
        """This notice speaks of the logged run that is shown now."""
        self._keep(key, lambda: self._bench.state.run_id)

    def with_answer(self, key: str, operation: str) -> None:
        """This notice speaks of a page's answer of now.

        Args:
            key: The notice's.
            operation: Whose page it is.
        """
        state, models = self._bench.state, self._bench.models
        self._keep(
            key,
            lambda: (state.document, state.run_id, models.active_card, self._is_seen(operation)),
        )

    def refresh(self, _changed: object = None) -> None:
        """Something may have changed: another text, another model, another page."""
        for key, holds in list(self._holds.items()):
            if not holds():
                del self._holds[key]
                self._notices.dismiss(key)

    def _keep(self, key: str, look: Callable[[], object]) -> None:
        told = look()
        self._holds[key] = lambda: look() == told

    @property
    def _text(self) -> tuple[object, ...]:
        document = self._bench.state.document
        return document.text, document.pair, document.masks

    def _is_seen(self, operation: str) -> bool:
        asker = self._bench.asking.askers.get(operation)
        return asker is not None and asker.is_visible
