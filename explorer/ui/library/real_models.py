"""A few published models that know ordinary English, each a click away."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.text import N_, _, said
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


_OF_ELECTRA = N_("Discriminator and generator: replaced tokens, as in the paper.")
_OF_DEBERTA = N_("Content and position apart, and replaced tokens; it fills no masks.")
SUGGESTED = (
    Suggestion(
        ("google-bert/bert-base-uncased",), "BERT base", N_("Fills masks: the usual first choice.")
    ),
    Suggestion(
        ("distilbert/distilbert-base-uncased",),
        "DistilBERT base",
        N_("Taught by BERT base: fills masks, and is compared with its teacher."),
    ),
    Suggestion(
        ("google/electra-small-discriminator", "google/electra-small-generator"),
        "ELECTRA small",
        _OF_ELECTRA,
    ),
    Suggestion(
        ("google/electra-base-discriminator", "google/electra-base-generator"),
        "ELECTRA base",
        _OF_ELECTRA,
    ),
    Suggestion(("microsoft/deberta-v3-small",), "DeBERTa v3 small", _OF_DEBERTA),
    Suggestion(("microsoft/deberta-v3-base",), "DeBERTa v3 base", _OF_DEBERTA),
)
"""Those of the lecture that are small enough for any machine."""


def _label(text: str, role: TextRole, parent: QWidget) -> QLabel:
    made = plain_label(parent, text)
    made.setWordWrap(True)
    in_role(made, role)
    return made


class SuggestionRow(QFrame):
    """One suggestion: what it is, how large, and the button that gets it or loads it."""

    def __init__(self, suggestion: Suggestion, actions: LibraryActions, parent: QWidget) -> None:
        super().__init__(parent)
        self.suggestion = suggestion
        self._actions = actions
        self.setObjectName(f"real_model_{suggestion.ids[0].rpartition('/')[2]}")
        self.setAccessibleName(suggestion.title)
        self.state = _label("", "small", self)
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
        words.addWidget(_label(suggestion.title, "strong", self))
        words.addWidget(_label(_(suggestion.good_for), "body", self))
        words.addWidget(self.state)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 4)
        row.addLayout(words, 1)
        row.addWidget(self.stop)
        row.addWidget(self.get)

    def refresh(self) -> None:
        """Follow the library and the downloads."""
        known, downloads = self._known(), self._actions.downloads
        under_way = [one for one in self.suggestion.ids if one in downloads.transfers]
        failure = next(
            (f for one in self.suggestion.ids if (f := downloads.failures.get(one))), None
        )
        away = [one for one in known if one.source is Source.HUB]
        problem = next((one.problem for one in known if one.problem), "")
        size = sum(one.size_bytes or 0 for one in known)
        if len(known) < len(self.suggestion.ids):
            told = _("No plugin that is switched on knows it.")
        elif under_way:
            told = downloads.transfers[under_way[0]].sentence
        elif failure is not None:
            told = f"{failure.said} {failure.advice}".strip()
        elif problem:
            told = said(problem)
        elif not away:
            told = _("On this computer.")
        else:
            told = _("{size} to download", size=bytes_precisely(size))
        self.state.setText(told)
        self.stop.setVisible(bool(under_way))
        self.get.setVisible(not under_way)
        self.get.setEnabled(len(known) == len(self.suggestion.ids) and not problem)
        self.get.setText(_("Download") if away or not known else _("Load"))
        self.get.setAccessibleName(
            _("Download {title}", title=self.suggestion.title)
            if away or not known
            else _("Load {title}", title=self.suggestion.title)
        )
        self.get.setAccessibleDescription(told)

    def _known(self) -> list[Checkpoint]:
        found = map(self._actions.checkpoints.find, self.suggestion.ids)
        return [one for one in found if one is not None]

    def _press(self) -> None:
        """Fetch what is not here; load it once all of it is."""
        known = self._known()
        away = [one for one in known if one.source is Source.HUB]
        for one in away:
            self._actions.download(one)
        if away:
            return
        if len(known) > 1:
            self._actions.load_pair(known[0])
        else:
            self._actions.load(known[0], self._actions.models.active)

    def _cancel(self) -> None:
        for one in self._known():
            self._actions.cancel(one)


class RealModels(QDialog):
    """The suggestions, below each other; nothing is fetched before its button is pressed."""

    def __init__(
        self, actions: LibraryActions, open_folder: Callable[[], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("real_models")
        self.setWindowTitle(_("Get a real model"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions = actions
        self.about = _label("", "body", self)
        self.about.setObjectName("real_models_about")
        self.rows = [SuggestionRow(one, actions, self) for one in SUGGESTED]
        inner = QWidget(self)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 0)
        for row in self.rows:
            column.addWidget(row)
        column.addStretch(1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        self.open_folder = QPushButton(_("Open a model folder…"), self)
        self.open_folder.setObjectName("real_models_folder")
        self.open_folder.clicked.connect(open_folder)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(self.open_folder)
        buttons.addStretch(1)
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.about)
        layout.addWidget(area, 1)
        layout.addLayout(buttons)
        self.resize(560, 470)
        for changed in (
            actions.downloads.changed,
            actions.checkpoints.changed,
            actions.models.changed,
        ):
            changed.connect(self.refresh)
        actions.downloads.failed.connect(self._failed)
        self.refresh()

    def refresh(self) -> None:
        """Follow the library and the downloads."""
        for row in self.rows:
            row.refresh()
        here = [self._actions.checkpoints.find(row.suggestion.ids[0]) for row in self.rows]
        if any(one is not None and one.source is Source.HUB and one.problem for one in here):
            self.about.setText(
                _(
                    "The program was started offline and downloads nothing. Open a folder that "
                    "holds a model, or start the program without --offline."
                )
            )
        else:
            self.about.setText(
                _(
                    "These are the published models of the papers. They come from the Hugging "
                    "Face hub, are kept in its usual cache, and know ordinary English."
                )
            )

    def _failed(self, _checkpoint_id: str, _failure: object) -> None:
        self.refresh()


def open_real_models(
    actions: LibraryActions, open_folder: Callable[[], None], parent: QWidget
) -> RealModels:
    """Show the dialog, or bring the one that is open to the front."""
    found = parent.findChild(RealModels)
    dialog = found if found is not None else RealModels(actions, open_folder, parent)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog
