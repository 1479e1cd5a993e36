"""Published models, each a click away: a few suggestions, and a search of the hub."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from explorer.api.family.checkpoint import Source
from explorer.engine.downloads.offered import FoundModel
from explorer.text import N_, _
from explorer.ui.library.actions import LibraryActions
from explorer.ui.library.hub.hub_search import HubSearch
from explorer.ui.library.hub.offered_row import HubModelRow, Suggestion, SuggestionRow, row_label
from explorer.ui.runs.engine_bridge import EngineBridge

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


class RealModels(QDialog):
    """The suggestions, below each other, or what a search of the hub found.

    The hub is asked, and something is fetched, when a button of it is pressed, and not before.
    """

    def __init__(
        self,
        actions: LibraryActions,
        bridge: EngineBridge,
        open_folder: Callable[[], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("real_models")
        self.setWindowTitle(_("Get a real model"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions = actions
        self.about = row_label("", "body", self)
        self.about.setObjectName("real_models_about")
        self.rows = [SuggestionRow(one, actions, self) for one in SUGGESTED]
        self.found: list[HubModelRow] = []
        self.search = HubSearch(bridge, self)
        self.search.found.connect(self._show_found)
        self.search.cleared.connect(self._show_suggestions)
        self.search.words.down.connect(self._go_to_rows)
        inner = QWidget(self)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 8, 0)
        for row in self.rows:
            column.addWidget(row)
        # What is found goes before the stretch.
        self._column = column
        column.addStretch(1)
        area = self._area = QScrollArea(self)
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
        layout.addWidget(self.search)
        layout.addWidget(self.about)
        layout.addWidget(area, 1)
        layout.addLayout(buttons)
        self.resize(640, 520)
        for changed in (
            actions.downloads.changed,
            actions.checkpoints.changed,
            actions.models.changed,
        ):
            changed.connect(self.refresh)
        actions.downloads.failed.connect(self._failed)
        self.finished.connect(self.search.forget)
        self.refresh()

    def refresh(self) -> None:
        """Follow the library and the downloads."""
        for row in (*self.rows, *self.found):
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

    def _show_found(self, found: Sequence[FoundModel]) -> None:
        for old in self.found:
            old.hide()
            old.deleteLater()
        self.found = [HubModelRow(one, self._actions, self) for one in found]
        for row in self.found:
            self._column.insertWidget(self._column.count() - 1, row)
        self._show_only(self.found or self.rows)

    def _show_suggestions(self) -> None:
        self._show_only(self.rows)

    def _show_only(self, wanted: Sequence[SuggestionRow]) -> None:
        for row in (*self.rows, *self.found):
            row.setVisible(row in wanted)
        self.about.setVisible(wanted is self.rows)
        self._area.verticalScrollBar().setValue(0)

    def _go_to_rows(self) -> None:
        """On to the first button that does something."""
        rows = (row for row in (*self.found, *self.rows) if not row.isHidden())
        first = next((row.get for row in rows if row.get.isEnabled()), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)

    def _failed(self, _checkpoint_id: str, _failure: object) -> None:
        self.refresh()


def open_real_models(
    actions: LibraryActions,
    bridge: EngineBridge,
    open_folder: Callable[[], None],
    parent: QWidget,
    words: str = "",
) -> RealModels:
    """Show the dialog, or bring the one that is open to the front.

    Args:
        actions: Of the library.
        bridge: To the engine, which asks the hub.
        open_folder: Lets the user choose a folder.
        parent: Over what.
        words: What the hub is searched for at once; "" for nothing.
    """
    found = parent.findChild(RealModels)
    dialog = found if found is not None else RealModels(actions, bridge, open_folder, parent)
    if words:
        dialog.search.search(words)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog
