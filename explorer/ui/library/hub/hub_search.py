"""Words that the hub is searched for, and how far the search is."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.api.question import Blame, Failure
from explorer.engine.downloads.offered import MOST_FOUND, FoundModel
from explorer.engine.messages import Progress, SearchHub
from explorer.text import N_, _, ngettext, said
from explorer.text.formatting.numbers import whole
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.controls.search_field import SearchField
from explorer.ui.runs.engine_bridge import EngineBridge, Reply
from explorer.ui.theme.text_roles import in_role

LANE = "download:@search"
"""The newest search is what its user waits for."""


class HubSearch(QWidget):
    """Nothing is asked while one types: the button or Enter asks.

    Args:
        bridge: To the engine, whose process alone reaches the network.
        parent: With which it ends.

    Signals:
        found: Models, the most downloaded first; none where nothing has such a name.
        cleared: What was searched for was deleted.

    Attributes:
        words: What is searched for.
        ask: Searches; while it does, cancels.
        about: How far it is, how many were found, or what went wrong.
    """

    found = Signal(object)
    cleared = Signal()

    def __init__(self, bridge: EngineBridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("hub_search")
        self._bridge = bridge
        self.is_searching = False
        self.words = SearchField(self)
        self.words.setObjectName("hub_search_words")
        self.words.setPlaceholderText(_("Words of a name on the hub: korean bert"))
        self.words.setAccessibleName(_("Search the hub for models by words of their names"))
        self.words.returnPressed.connect(self._begin)
        self.words.textChanged.connect(self._change)
        self.ask = QPushButton(self)
        self.ask.setObjectName("hub_search_ask")
        self.ask.setAutoDefault(False)
        self.ask.setToolTip(_("Asks the hub for names and sizes, and downloads nothing"))
        self.ask.clicked.connect(self._press)
        self.about = plain_label(self)
        self.about.setObjectName("hub_search_about")
        self.about.setWordWrap(True)
        in_role(self.about, "muted")
        row = QHBoxLayout()
        row.addWidget(self.words, 1)
        row.addWidget(self.ask)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self.about)
        self._say("")

    def search(self, words: str) -> None:
        """Ask for words that were typed elsewhere."""
        self.words.setText(words)
        self._begin()

    def forget(self) -> None:
        """Nobody waits for it any more."""
        self._bridge.forget(LANE)

    def _press(self) -> None:
        if self.is_searching:
            self._bridge.cancel(LANE)
        else:
            self._begin()

    def _begin(self) -> None:
        words = self.words.text().strip()
        if not words:
            return
        self.is_searching = True
        self._say(_("Asking the hub…"))
        self._bridge.submit(
            LANE,
            SearchHub(words),
            Reply(
                answered=lambda answer: self._answered(words, answer.result),
                failed=self._failed,
                stopped=self._stopped,
                lost=lambda reason: self._failed(
                    Failure(Blame.MACHINE, reason, _("Try it again."))
                ),
                progressed=self._went_on,
            ),
        )

    def _answered(self, words: str, models: Sequence[FoundModel]) -> None:
        self.is_searching = False
        if len(models) >= MOST_FOUND:
            text = N_("The {count} most downloaded for “{words}”: more words find fewer.")
            self._say(_(text, count=len(models), words=words))
        elif models:
            self._say(
                ngettext(
                    "{count} model for “{words}”",
                    "{count} models for “{words}”, the most downloaded first",
                    len(models),
                    words=words,
                )
            )
        else:
            self._say(
                _("The hub has no model for “{words}”: try fewer words, or others.", words=words)
            )
        self.found.emit(models)

    def _went_on(self, progress: Progress) -> None:
        told = said(progress.stage)
        if progress.total:
            told = _(
                "{stage}: {done} of {all}",
                stage=told,
                done=whole(int(progress.done)),
                all=whole(int(progress.total)),
            )
        self._say(told)

    def _failed(self, failure: Failure) -> None:
        self.is_searching = False
        self._say(" ".join(filter(None, (failure.said, failure.advice))))

    def _stopped(self) -> None:
        self.is_searching = False
        self._say(_("The search was cancelled."))

    def _change(self, text: str) -> None:
        self._offer()
        if not text:
            self._bridge.cancel(LANE)
            self._say("")
            self.cleared.emit()

    def _say(self, words: str) -> None:
        self.about.setText(words)
        self.about.setVisible(bool(words))
        self._offer()

    def _offer(self) -> None:
        self.ask.setText(_("Cancel") if self.is_searching else _("Search the hub"))
        self.ask.setEnabled(self.is_searching or bool(self.words.text().strip()))
