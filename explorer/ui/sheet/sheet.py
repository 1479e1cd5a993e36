"""The comparison sheet in the window: opened, filled by views and templates, saved."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from explorer.api.question import MODEL, ExplorerError, Failure, Situation
from explorer.document import Document
from explorer.text import N_, NN_, Phrase, _, ngettext
from explorer.ui.notices.notices import Notice
from explorer.ui.sheet.asking import SheetAsking
from explorer.ui.sheet.dialog import SheetDialog
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.sheet.files import KINDS, save_sheet
from explorer.ui.sheet.keeping import SheetKeeping
from explorer.ui.sheet.templates import templates
from explorer.ui.theme.schemes import current_theme
from explorer.ui.views import PageView, views

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow


ADDED = "sheet_added"


class Sheet(QObject):
    """The one sheet of the window; its dialog is made when it is first wanted.

    Signals:
        changed: There is another title, another entry, or another order.
    """

    changed = Signal()

    def __init__(self, window: "HostWindow") -> None:
        super().__init__(window)
        self._window = window
        self._dialog: SheetDialog | None = None
        self._title = ""
        self._is_recalled = False
        self._keeping = SheetKeeping(window.bench.folders.sheet, self)
        self._keeping.left_out.connect(self._say_left_out)
        self._keeping.problem.connect(self._say_problem)
        # Once there is time for it: what was on the sheet is seen when it is opened.
        window.bench.asking.shown.connect(self._begin, Qt.ConnectionType.SingleShotConnection)
        self.asking = SheetAsking(window.bench, self)
        self.asking.answered.connect(self._answered)
        self.asking.failed.connect(self._failed)
        self.asking.stopped.connect(self._stopped)

    def move_to(self, window: "HostWindow") -> None:
        """Go on in a window that takes this one's place, with what is on the sheet."""
        before, self._dialog = self._dialog, None
        self.setParent(window)
        self._window = window
        if before is not None:
            self.dialog.take_over(before)

    @property
    def dialog(self) -> SheetDialog:
        """The sheet's window."""
        if self._dialog is None:
            self._dialog = SheetDialog(self._window)
            self._dialog.template_wanted.connect(self.take_template)
            self._dialog.save_wanted.connect(self._save)
            self._recall(self._dialog)
            self._dialog.changed.connect(self._keep)
        return self._dialog

    def close(self) -> None:
        """Write what is not written yet."""
        self._keeping.close()

    def _begin(self) -> None:
        self._keeping.begin()

    def _recall(self, dialog: SheetDialog) -> None:
        """Put on the sheet what was on it when the program ended; once, for it is taken over."""
        if self._is_recalled:
            return
        self._is_recalled = True
        kept = self._keeping.recall()
        entries = [entry for one in kept.entries if (entry := one.entry()) is not None]
        if entries or kept.title:
            dialog.show_sheet(kept.title or dialog.title.text(), entries)
        lost = kept.lost + len(kept.entries) - len(entries)
        if lost:
            dialog.say(
                ngettext(
                    "{count} answer that was on the sheet can't be read by this version of the "
                    "program.",
                    "{count} answers that were on the sheet can't be read by this version of the "
                    "program.",
                    lost,
                )
            )

    @property
    def title(self) -> str:
        """What it is called; "" for the usual title."""
        title = self.dialog.title.text()
        return "" if title == _("Comparison") else title

    @property
    def entries(self) -> tuple[SheetEntry, ...]:
        """What is on it."""
        return tuple(self.dialog.entries)

    def show(self, title: str, entries: Sequence[SheetEntry]) -> None:
        """Put answers on it in the place of what is there.

        Args:
            title: "" for the usual one.
            entries: In their order.
        """
        if entries or title or self.dialog.entries:
            self.dialog.show_sheet(title or _("Comparison"), entries)

    def _keep(self) -> None:
        self._keeping.keep(self.title, self.entries)
        self.changed.emit()

    def _say_left_out(self, count: int) -> None:
        self.dialog.say(
            ngettext(
                "{count} answer is too large to be on the sheet at the next start.",
                "{count} answers are too large to be on the sheet at the next start.",
                count,
            )
            if count
            else ""
        )

    def _say_problem(self, problem: str) -> None:
        self.dialog.say(problem)

    def open(self) -> None:
        """Show the sheet."""
        self._window.notices.dismiss(ADDED)
        self.dialog.show()
        if QGuiApplication.platformName() != "offscreen":  # which has no windows to raise
            self.dialog.raise_()
            self.dialog.activateWindow()

    def add(self, view: PageView) -> None:
        """Put what a view shows on the sheet."""
        entry = SheetEntry.of(view)
        if entry is None:
            return
        self.dialog.add(entry)
        if not self.dialog.isVisible():
            # Not over the page: whoever adds one answer goes on to the next.
            self._say_added(len(self.dialog.entries))

    def _say_added(self, count: int) -> None:
        self._window.notices.tell(
            Notice(
                ADDED,
                Phrase(
                    NN_(
                        "Added: {count} answer is on the comparison sheet.",
                        "Added: {count} answers are on the comparison sheet.",
                    ),
                    count=count,
                ),
                actions=((N_("Show the sheet"), self.open),),
                # The sheet moves on, too.
                outlives_window=True,
            )
        )

    def add_pinned(self, view: PageView) -> None:
        """Put the pinned answer, the answer of now and their difference on the sheet."""
        entry, pinned = SheetEntry.of(view), view.baseline
        if entry is None or pinned is None:
            return
        then = replace(
            entry.shown,
            result=pinned.result,
            asked=pinned.document,
            now=pinned.document,
            pinned=None,
        )
        before = SheetEntry(entry.page, then, pinned.origin)
        alone = replace(entry, shown=replace(entry.shown, pinned=None), label=_("After"))
        apart = replace(entry, label=_("After minus before"))
        before = replace(before, label=_("Before"))
        self.dialog.show_sheet(_("Before and after"), [before, alone, apart])
        self.open()

    def take_template(self, name: str) -> None:
        """Ask a template's questions; the sheet shows the answers once all are there."""
        template = next(one for one in templates() if one.name == name)
        bench = self._window.bench
        current = self._window.current_view()
        kinds = views()
        document = bench.state.document
        single = [kind for kind in kinds if _takes_one_model(kind)]
        sees_masks = [kind for kind in single if _sees_masks(kind, document)]
        situation = Situation(
            document,
            bench.models.cards,
            current.question if current is not None else "",
            tuple(kind.of.name for kind in single),
            tuple(kind.of.name for kind in sorted(sees_masks, key=_draws_no_difference)),
        )
        try:
            questions = template.questions(situation)
        except ExplorerError as error:
            self._window.notifications.failure("sheet", Failure.of(error))
            return
        self._title = _(template.title)
        self._window.status.showMessage(_("Asking for the comparison sheet…"))
        self.asking.ask(questions)

    def _answered(self, entries: tuple[SheetEntry, ...]) -> None:
        self._window.notices.dismiss("sheet")
        self._window.status.clearMessage()
        self.dialog.show_sheet(self._title, entries)
        self.open()

    def _stopped(self) -> None:
        self._window.status.showMessage(_("The comparison sheet was cancelled."), 6000)

    def _failed(self, failure: Failure) -> None:
        self._window.status.clearMessage()
        self._window.notifications.failure("sheet", failure)

    def _save(self, title: str, entries: tuple[SheetEntry, ...]) -> None:
        def write(path: Path) -> None:
            try:
                save_sheet(title, entries, path, current_theme().scheme)
            except ExplorerError as error:
                failure = Failure.of(error)
                self.dialog.say(f"{failure.said} {failure.advice}".strip())
                self._window.notifications.failure("sheet", failure)
            else:
                self.dialog.say(_("Saved {path}.", path=path))
                self._window.status.showMessage(_("Saved {path}.", path=path), 6000)

        self.dialog.files.save(
            _("Save the comparison sheet"),
            "comparison.html",
            ";;".join(_(kind) for kind in KINDS.values()),
            write,
        )


def _takes_one_model(kind: type[PageView]) -> bool:
    """Whether a view asks the active model alone."""
    return tuple(kind.of.roles) == (MODEL,) and kind.needs_model


def _sees_masks(kind: type[PageView], document: Document) -> bool:
    """Whether a question can be asked without the masks of a document, and then asks another."""
    bare = kind.of.request_of(document.without_masks())
    return bare is not None and bare != kind.of.request_of(document)


def _draws_no_difference(kind: type[PageView]) -> bool:
    return not kind.declared.draws_pinned
