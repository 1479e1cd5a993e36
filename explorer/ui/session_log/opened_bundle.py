"""A bundle of runs that was opened in the window: what each run is on this machine."""

import html
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from explorer.program import Program
from explorer.questions.former_names import question_named
from explorer.text import N_, _, ngettext
from explorer.ui.library.actions import LibraryActions
from explorer.ui.library.hub.offered_row import Suggestion, SuggestionRow
from explorer.ui.notices.reading_pages import ReadingPage
from explorer.ui.notices.wording import when
from explorer.ui.own_process import OwnProcess
from explorer.ui.theme.schemes import current_theme, theme_signals

WORKER = "explorer.command_line.workers.bundle_worker"
SAID = {
    "same": N_("The same"),
    "different": N_("Different"),
    "missing": N_("Something is missing"),
    "unreadable": N_("Not asked"),
}
COLOURS = {"same": "positive", "different": "warning", "missing": "danger", "unreadable": "muted"}
ROOM = 150
"""Pixels for the models that are missing; more of them are scrolled to."""


class BundlePage(ReadingPage):
    """Lists the runs of a bundle while another process asks them again; closed, that ends too.

    Args:
        file: The bundle.
        program: How this window was started.
        actions: Get a model that is missing.
        parent: The window.
    """

    def __init__(
        self, file: Path, program: Program, actions: LibraryActions, parent: QWidget | None
    ) -> None:
        title = _("Runs of {name}", name=file.name)
        super().__init__("bundle", title, parent)
        self._file, self._program, self._actions = file, program, actions
        self._process: OwnProcess | None = None
        self.missing: dict[str, SuggestionRow] = {}
        """Published models that are not here, each with what gets it."""
        holder = QWidget(self)
        self._column = QVBoxLayout(holder)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._area = QScrollArea(self)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setMaximumHeight(ROOM)
        self._area.setWidget(holder)
        self._area.hide()
        self.column.insertWidget(1, self._area)
        self.again = self.buttons.addButton(_("Ask again"), QDialogButtonBox.ButtonRole.ActionRole)
        self.again.setObjectName("bundle_again")
        self.again.clicked.connect(self._ask)
        self.finished.connect(self._end)
        theme_signals().changed.connect(self._fill)
        for changed in (actions.downloads.changed, actions.checkpoints.changed):
            changed.connect(self._follow)
        self.resize(720, 520)
        self._ask()

    def _ask(self) -> None:
        self._end()
        self._runs: list[dict[str, Any]] = []
        self.verdicts: dict[int, tuple[str, str]] = {}
        self.is_done = False
        self._problem = ""
        for row in self.missing.values():
            row.deleteLater()
        self.missing.clear()
        self._area.hide()
        self._process = OwnProcess(WORKER, self._program, {"file": str(self._file)}, self)
        self._process.told.connect(self._hear)
        self._process.ended.connect(self._finished)
        self._process.start()
        self._fill()

    def _hear(self, told: dict[str, Any]) -> None:
        if "runs" in told:
            self._runs = told["runs"]
        elif "place" in told:
            self.verdicts[told["place"]] = told["verdict"], told["sentence"]
            if told["to_download"] and told["to_download"] not in self.missing:
                self._offer(told["to_download"])
        elif "failed" in told:
            self._problem = " ".join((told["failed"], told["advice"]))
        else:
            self.is_done = True
        self._fill()

    def _offer(self, name: str) -> None:
        """What gets a model that is missing."""
        offered = Suggestion((name,), self._title_of(name), N_("Runs of this bundle need it."))
        row = self.missing[name] = SuggestionRow(offered, self._actions, self)
        self._column.addWidget(row)
        row.refresh()
        self._area.show()

    def _title_of(self, name: str) -> str:
        """What is read for a model: its title in the library, its name where that has none."""
        known = self._actions.checkpoints.find(name)
        return name if known is None else known.title

    def _follow(self, *_what: object) -> None:
        for row in self.missing.values():
            row.refresh()

    def _finished(self) -> None:
        self._process = None
        if not self.is_done and not self._problem:
            self._problem = _("The runs could not be asked again. The program's log says more.")
        self._fill()

    def _end(self, *_how: object) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def _fill(self) -> None:
        self.again.setEnabled(self._process is None)
        theme = current_theme()
        place = self.text.verticalScrollBar().value()
        parts = [f"<p>{html.escape(self._how_far())}</p>"]
        for number, run in enumerate(self._runs):
            verdict, sentence = self.verdicts.get(number, ("", ""))
            said = _(SAID[verdict]) if verdict else _("Not asked yet")
            colour = getattr(theme, COLOURS.get(verdict, "muted")).name()
            question = question_named(run["operation"])
            title = run["operation"] if question is None else _(question.title)
            text = html.escape(run["text"])
            models = map(self._title_of, run["models"])
            about = " · ".join((title, *models, when(run["created_at"])))
            parts.append(
                f'<p><b style="color:{colour}">{html.escape(said)}</b> — {html.escape(about)}<br>'
                f"{text}<br>"
                f'<span style="color:{theme.muted.name()}">{html.escape(sentence)}</span></p>'
            )
        self.text.setHtml("".join(parts))
        self.text.verticalScrollBar().setValue(place)

    def _how_far(self) -> str:
        if self._problem:
            return self._problem
        if not self._runs:
            return _("Reading…")
        count = len(self._runs)
        if self.is_done:
            same = sum(verdict == "same" for verdict, _sentence in self.verdicts.values())
            return ngettext(
                "{same} of {count} run is the same on this machine.",
                "{same} of {count} runs are the same on this machine.",
                count,
                same=same,
            )
        return _(
            "Each run is asked again with the models that are here: {done} of {count}.",
            done=len(self.verdicts),
            count=count,
        )
