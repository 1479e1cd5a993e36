"""A branch, a tag or a commit of a published model: typed or chosen, measured, and downloaded."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import Failure
from explorer.engine.downloads.offered import BRANCH, COMMIT, TAG, DownloadSize, Revision
from explorer.series.steps import step_of
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import whole
from explorer.text.formatting.quantities import bytes_precisely
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.library.actions import LibraryActions
from explorer.ui.library.hub.hub_revisions import HubRevisions
from explorer.ui.runs.engine_bridge import EngineBridge
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.text_roles import in_role

KINDS = {BRANCH: N_("branch"), TAG: N_("tag"), COMMIT: N_("commit")}
SHOWN_DIGITS = 10
"""Of a commit in the list."""
ROW = 24
"""Pixels of height of one in the list."""
NAME = Qt.ItemDataRole.UserRole


class RevisionsDialog(QDialog):
    """Nothing reaches the network before a button is pressed, and nothing comes before its size.

    Attributes:
        name: The repository.
        typed: A revision that is typed.
        listed: Those that the hub has, once it was asked; several may be chosen.
        measure: Asks how much the chosen ones are.
        fetch: Downloads them; there once their size is said.
        load: Loads the first of those that are on this computer.
        about: What there is to know now: sizes, faults, how a download is.
    """

    def __init__(self, actions: LibraryActions, bridge: EngineBridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("revisions")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions, self._asked = actions, HubRevisions(bridge, self)
        self.name, self._slot = "", ""
        self._measured: tuple[str, ...] = ()
        self._fetching: list[str] = []
        self._came: list[str] = []
        self.typed = QLineEdit(self)
        self.typed.setObjectName("revision_typed")
        self.typed.setAccessibleName(_("Revision: a branch, a tag or a commit"))
        self.typed.setPlaceholderText(_("Revision: step1000, v1.0, a commit"))
        self.typed.textEdited.connect(self._type)
        self.listed = QListWidget(self)
        self.listed.setObjectName("revision_list")
        self.listed.setAccessibleName(_("Revisions on the hub"))
        self.listed.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.listed.setUniformItemSizes(True)
        self.listed.itemSelectionChanged.connect(self._pick)
        self.about = plain_label(self)
        self.about.setObjectName("revision_about")
        self.about.setWordWrap(True)
        self.ask = self._button("revision_ask", _("List them"), self._list)
        self.ask.setToolTip(_("Asks the hub for branches, tags and the newest commits"))
        self.measure = self._button("revision_measure", _("How large?"), self._measure)
        self.fetch = self._button("revision_fetch", _("Download"), self._fetch)
        self.load = self._button("revision_load", _("Load"), self._load)
        for one in (self.measure, self.fetch, self.load):
            one.setProperty("primary", True)
        self._lay_out()
        self.resize(520, 480)
        actions.downloads.changed.connect(self._follow)
        actions.downloads.failed.connect(self._failed_download)
        actions.checkpoints.changed.connect(self._refresh)
        self.finished.connect(self._asked.forget)

    def aim(self, name: str, revision: str, slot: str) -> None:
        """Show a repository's.

        Args:
            name: On the hub.
            revision: What was typed already.
            slot: Where one is loaded to; "" for the one that answers.
        """
        self._slot = slot
        if name != self.name:
            self._asked.forget()
            with QSignalBlocker(self.listed):
                self.listed.clear()
            self.ask.setEnabled(True)
        self.name = name
        self.setWindowTitle(_("Revisions of {name}", name=name))
        self.typed.setText(revision)
        self._measured = ()
        self.about.setText(
            _(
                "A branch, a tag or a commit is a state of the model with a name: what a paper "
                "pinned, or a step of its training."
            )
        )
        self._refresh()
        self.typed.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def chosen(self) -> tuple[str, ...]:
        """Ids with the revisions that are typed, or were chosen in the list."""
        names = dict.fromkeys(one.strip() for one in self.typed.text().split(",") if one.strip())
        # The main branch is the model as it is without a revision.
        return tuple(self.name if one == "main" else f"{self.name}@{one}" for one in names)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.typed, 1)
        row.addWidget(self.ask)
        close = self._button("revision_close", _("Close"), self.close)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for one in (self.measure, self.fetch, self.load, close):
            buttons.addWidget(one)
        in_role(self.about, "muted")
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(self.listed, 1)
        layout.addWidget(self.about)
        layout.addLayout(buttons)

    def _button(self, name: str, text: str, does: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(does)
        return button

    # ---- what is asked -----------------------------------------------------------------------

    def _list(self) -> None:
        self.ask.setEnabled(False)
        self.about.setText(_("Asking the hub…"))
        self._asked.list(self.name, self._found, self._failed)

    def _found(self, revisions: Sequence[Revision]) -> None:
        self.ask.setEnabled(True)
        with QSignalBlocker(self.listed):
            self.listed.clear()
        for one in sorted(revisions, key=_in_order):
            item = QListWidgetItem(self._line(one))
            item.setData(NAME, one.name)
            item.setSizeHint(QSize(0, max(zoomed(ROW), self.fontMetrics().height() + 6)))
            item.setToolTip(plain_tip(" · ".join(filter(None, (one.commit, one.title)))))
            self.listed.addItem(item)
        count = self.listed.count()
        self.about.setText(ngettext("{count} revision", "{count} revisions", count))
        self._refresh()

    def _line(self, one: Revision) -> str:
        """How a revision is listed."""
        is_commit = one.kind == COMMIT
        step = None if is_commit else step_of(one.name)
        here = self._here(self.name if one.name == "main" else f"{self.name}@{one.name}")
        parts = (
            one.name[:SHOWN_DIGITS] if is_commit else one.name,
            _(KINDS[one.kind]),
            # Where its name does not say it in digits: step_20k.
            "" if step is None or str(step) in one.name else _("step {step}", step=whole(step)),
            one.date.partition("T")[0],
            one.title,
            "" if here is None else _("on this computer"),
        )
        return "  ·  ".join(filter(None, parts))

    def _measure(self) -> None:
        wanted = self.chosen
        self.measure.setEnabled(False)
        self.about.setText(_("Asking the hub…"))

        def found(sizes: Sequence[DownloadSize]) -> None:
            self._measured = wanted if wanted == self.chosen else ()
            self._say_sizes(wanted, sizes)
            self._refresh()

        self._asked.measure(wanted, found, self._failed)

    def _say_sizes(self, wanted: Sequence[str], sizes: Sequence[DownloadSize]) -> None:
        missing = bytes_precisely(sum(one.missing for one in sizes))
        if len(wanted) == 1:
            self.about.setText(
                _(
                    "{name}: {whole}, of which {missing} are to be fetched",
                    name=wanted[0],
                    whole=bytes_precisely(sizes[0].whole),
                    missing=missing,
                )
            )
            return
        count = ngettext("{count} revision", "{count} revisions", len(wanted))
        together = _("Together at most {missing}.", missing=missing)
        self.about.setText(f"{count}. {together}")

    def _failed(self, failure: Failure) -> None:
        self.ask.setEnabled(True)
        self._measured = ()
        self.about.setText(" ".join(filter(None, (failure.said, failure.advice))))
        self._refresh()

    # ---- what comes --------------------------------------------------------------------------

    def _fetch(self) -> None:
        self._fetching, self._came = [*self._measured], []
        for one in self._measured:
            self._actions.downloads.start(one)
        self._refresh()

    def _follow(self) -> None:
        """How the downloads are that were begun here, and when they are over."""
        if not self._fetching:
            return
        transfers = self._actions.downloads.transfers
        left = [one for one in self._fetching if one in transfers]
        if left:
            self.about.setText(f"{left[0]}: {transfers[left[0]].sentence}")
        else:
            # What came is put into the library next.
            self._came, self._fetching = self._fetching, []
        self._refresh()

    def _failed_download(self, checkpoint_id: str, failure: Failure) -> None:
        if checkpoint_id.partition("@")[0] == self.name:
            self._failed(failure)

    def _load(self) -> None:
        here = [found for one in self.chosen if (found := self._here(one)) is not None]
        if here:
            self._actions.load(here[0], self._slot or self._actions.models.active)
            self.close()

    # ---- what can be done --------------------------------------------------------------------

    def _type(self, _text: str) -> None:
        """What is typed counts, and what was chosen in the list no longer does."""
        with QSignalBlocker(self.listed):
            self.listed.clearSelection()
        self._choose()

    def _pick(self) -> None:
        """What is chosen in the list stands where one types."""
        rows = sorted(map(self.listed.row, self.listed.selectedItems()))
        names = [str(self.listed.item(row).data(NAME)) for row in rows]
        self.typed.setText(", ".join(names))
        self._choose()

    def _choose(self) -> None:
        self._measured = ()
        self._refresh()

    def _say_came(self) -> None:
        """Once everything is here; what failed said so itself."""
        if self._came and all(self._here(one) is not None for one in self._came):
            said = ngettext(
                "{count} revision is on this computer",
                "{count} revisions are on this computer",
                len(self._came),
            )
            self.about.setText(said)
            self._came = []

    def _refresh(self) -> None:
        self._say_came()
        chosen = self.chosen
        here = [one for one in chosen if self._here(one) is not None]
        busy = bool(self._fetching)
        is_measured = bool(chosen) and self._measured == chosen
        self.measure.setEnabled(bool(chosen) and not busy)
        self.measure.setVisible(not is_measured and len(here) < max(1, len(chosen)))
        self.fetch.setVisible(is_measured and len(here) < len(chosen))
        self.fetch.setEnabled(not busy)
        self.load.setVisible(bool(here))

    def _here(self, checkpoint_id: str) -> Checkpoint | None:
        """What the library has by this name, if it is on this computer."""
        found = self._actions.checkpoints.find(checkpoint_id)
        return None if found is None or found.source is Source.HUB else found


def _in_order(one: Revision) -> tuple[int, int, str]:
    """Steps in their order, then other branches and tags, then commits as the hub has them."""
    step = step_of(one.name)
    if one.kind == COMMIT:
        return 2, 0, ""
    return (1, 0, one.name) if step is None else (0, step, one.name)


def open_revisions(
    actions: LibraryActions, bridge: EngineBridge, parent: QWidget, typed: tuple[str, str, str]
) -> RevisionsDialog:
    """Show the dialog, or bring the one that is open to the front.

    Args:
        actions: Of the library.
        bridge: To the engine, which asks the hub.
        parent: Over what.
        typed: Repository, revision, slot.
    """
    found = parent.findChild(RevisionsDialog)
    dialog = found if found is not None else RevisionsDialog(actions, bridge, parent)
    dialog.aim(*typed)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog
