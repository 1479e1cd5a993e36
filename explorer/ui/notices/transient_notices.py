"""Notices that go with what they speak of: a text, an answer, a run from the log."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject

from explorer.ui.notices.notices import Notices
from explorer.ui.workbench.workbench import Workbench

Matter = Callable[[Workbench], object]
"""Looks at what a notice speaks of."""


class TransientNotices(QObject):
    """Takes a notice away as soon as its matter is no longer on the screen."""

    def __init__(self, bench: Workbench, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._notices = notices
        self._told: dict[str, tuple[Matter, object]] = {}
        bench.state.changed.connect(self.refresh)
        bench.models.changed.connect(self.refresh)
        bench.models.active_changed.connect(self.refresh)

    @property
    def matters(self) -> Mapping[str, Matter]:
        """What the notices on screen speak of, by their keys."""
        return {key: look for key, (look, _told) in self._told.items() if key in self._notices.keys}

    def keep(self, matters: Mapping[str, Matter]) -> None:
        """These notices speak of what is on the screen now."""
        for key, look in matters.items():
            self._told[key] = (look, look(self._bench))

    def with_text(self, key: str) -> None:
        """This notice speaks of the text of now."""
        self.keep({key: _text})

    def with_run(self, key: str) -> None:
        """This notice speaks of the logged run that is shown now."""
        self.keep({key: _run})

    def with_answer(self, key: str, question: str) -> None:
        """This notice speaks of a page's answer of now.

        Args:
            key: The notice's.
            question: Whose page it is.
        """
        self.keep({key: partial(_answer, question)})

    def with_comparison(self, key: str, question: str) -> None:
        """This notice speaks of how a page's answer of now differs from the pinned one."""
        self.keep({key: partial(_comparison, question)})

    def seen(self, question: str) -> object:
        """Which answer of a page is on the screen; None where the page is not seen."""
        asker = self._bench.asking.askers.get(question)
        is_seen = asker is not None and asker.is_visible
        return _answer(question, self._bench) if is_seen else None

    def refresh(self, _changed: object = None) -> None:
        """Something may have changed: another text, another model, another page."""
        for key, (look, told) in list(self._told.items()):
            if look(self._bench) != told:
                del self._told[key]
                self._notices.dismiss(key)


def _text(bench: Workbench) -> object:
    document = bench.state.document
    return document.text, document.pair, document.masks


def _run(bench: Workbench) -> object:
    return bench.state.run_id


def _answer(question: str, bench: Workbench) -> object:
    asker = bench.asking.askers.get(question)
    is_seen = asker is not None and asker.is_visible
    return bench.state.document, bench.state.run_id, bench.models.active_card, is_seen


def _comparison(question: str, bench: Workbench) -> object:
    asker = bench.asking.askers.get(question)
    # Its identity: what answers hold is not always to be compared.
    return _answer(question, bench), id(asker.page.baseline) if asker is not None else None
