"""A published model that can be downloaded, as a row: what it is, how large, and its buttons."""

from dataclasses import dataclass

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.engine.downloads.offered import FoundModel
from explorer.text import _, said
from explorer.text.formatting.numbers import whole
from explorer.text.formatting.quantities import bytes_precisely
from explorer.ui.controls.plain_words import plain_label
from explorer.ui.library.actions import LibraryActions
from explorer.ui.theme.text_roles import TextRole, in_role


@dataclass(frozen=True)
class Suggestion:
    """A model that is offered, or two that belong together.

    Attributes:
        ids: On the hub; of a pair the discriminator first.
        title: As its authors call it.
        good_for: What one can do with it here.
    """

    ids: tuple[str, ...]
    title: str
    good_for: str


def row_label(text: str, role: TextRole, parent: QWidget) -> QLabel:
    """Words of a row, on as many lines as they need."""
    made = plain_label(parent, text)
    made.setWordWrap(True)
    in_role(made, role)
    return made


class SuggestionRow(QFrame):
    """One suggestion: what it is, how large, and the button that gets it or loads it."""

    def __init__(
        self, suggestion: Suggestion, actions: LibraryActions, parent: QWidget, facts: str = ""
    ) -> None:
        super().__init__(parent)
        self.suggestion = suggestion
        self._actions = actions
        self.setObjectName(f"real_model_{suggestion.ids[0].rpartition('/')[2]}")
        self.setAccessibleName(suggestion.title)
        self.state = row_label("", "small", self)
        self.state.setObjectName("real_model_state")
        self.get = QPushButton(self)
        self.get.setObjectName("real_model_get")
        self.get.clicked.connect(self._press)
        self.stop = QPushButton(_("Cancel"), self)
        self.stop.setObjectName("real_model_cancel")
        self.stop.setAccessibleName(_("Cancel the download of {title}", title=suggestion.title))
        self.stop.clicked.connect(self._cancel)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(row_label(suggestion.title, "strong", self))
        words.addWidget(row_label(facts or _(suggestion.good_for), "body", self))
        words.addWidget(self.state)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 4, 0, 4)
        self.row.addLayout(words, 1)
        self.row.addWidget(self.stop)
        self.row.addWidget(self.get)

    def refresh(self) -> None:
        """Follow the library and the downloads."""
        known, downloads = self._known(), self._actions.downloads
        under_way = [one for one in self.suggestion.ids if one in downloads.transfers]
        failure = next(
            (f for one in self.suggestion.ids if (f := downloads.failures.get(one))), None
        )
        away = [one for one in known if one.source is Source.HUB]
        problem = next((one.problem for one in known if one.problem), "")
        if under_way:
            told = downloads.transfers[under_way[0]].sentence
        elif failure is not None:
            told = f"{failure.said} {failure.advice}".strip()
        elif problem:
            told = said(problem)
        elif known and not away:
            told = _("On this computer.")
        else:
            told = self.told_away(known)
        self.state.setText(told)
        self.stop.setVisible(bool(under_way))
        self.get.setVisible(not under_way)
        self.get.setEnabled(self.can_come(known) and not problem)
        self.get.setText(_("Download") if away or not known else _("Load"))
        self.get.setAccessibleName(
            _("Download {title}", title=self.suggestion.title)
            if away or not known
            else _("Load {title}", title=self.suggestion.title)
        )
        self.get.setAccessibleDescription(told)

    def told_away(self, known: list[Checkpoint]) -> str:
        """What there is to say of one that is not on this computer."""
        if not self.can_come(known):
            return _("No plugin that is switched on knows it.")
        size = sum(one.size_bytes or 0 for one in known)
        return _("{size} to download", size=bytes_precisely(size))

    def can_come(self, known: list[Checkpoint]) -> bool:
        """Whether it can be fetched, or loaded: a library that does not know it can do neither."""
        return len(known) == len(self.suggestion.ids)

    def _known(self) -> list[Checkpoint]:
        found = map(self._actions.checkpoints.find, self.suggestion.ids)
        return [one for one in found if one is not None]

    def _press(self) -> None:
        """Fetch what is not here; load it once all of it is."""
        known = self._known()
        away = [one for one in known if one.source is Source.HUB]
        for one in away:
            self._actions.download(one)
        if not known:
            self._actions.downloads.start(self.suggestion.ids[0])
        if away or not known:
            return
        if len(known) > 1:
            self._actions.load_pair(known[0])
        else:
            self._actions.load(known[0], self._actions.models.active)

    def _cancel(self) -> None:
        for one in self.suggestion.ids:
            self._actions.downloads.cancel(one)


class HubModelRow(SuggestionRow):
    """One that a search of the hub found, whether or not the library knows it."""

    def __init__(self, found: FoundModel, actions: LibraryActions, parent: QWidget) -> None:
        self.found = found
        named = Suggestion((found.id,), found.id, "")
        super().__init__(named, actions, parent, facts_of(found))
        self.setObjectName(f"found_{found.id}")
        self.revisions = QPushButton(_("Revisions…"), self)
        self.revisions.setObjectName("found_revisions")
        self.revisions.setAccessibleName(_("Revisions of {name}…", name=found.id))
        self.revisions.clicked.connect(lambda: actions.revisions_wanted.emit(found.id, "", ""))
        self.row.insertWidget(self.row.indexOf(self.stop), self.revisions)
        for button in (self.revisions, self.stop, self.get):
            button.setAutoDefault(False)
        self.refresh()

    def told_away(self, known: list[Checkpoint]) -> str:
        """How much would come, or why nothing does."""
        del known
        found = self.found
        if found.size is None:
            problem = found.problem
            return "" if problem is None else f"{problem.said} {problem.advice}".strip()
        size = bytes_precisely(found.size.missing)
        told = _("{size} to download", size=size)
        if found.is_gated:
            told = _(
                "{size} to download, and gated: open {page}, accept the conditions of its owners, "
                "and sign in here with `hf auth login`.",
                size=size,
                page=found.page,
            )
        if not found.is_known:
            strange = _('No plugin knows models of type "{shown}".', shown=found.model_type)
            told = f"{strange} {told}"
        return told

    def can_come(self, known: list[Checkpoint]) -> bool:
        """Whether it can be fetched or loaded."""
        return bool(known) or self.found.size is not None


def facts_of(found: FoundModel) -> str:
    """What its owners say of it, on a line."""
    parts = (
        ", ".join(found.architectures),
        found.model_type,
        found.library,
        ", ".join(found.languages),
        found.licence,
        _("{count} downloads in a month", count=whole(found.downloads)),
    )
    # A line ends behind a point, not before it.
    return "\u00a0· ".join(filter(None, parts))
