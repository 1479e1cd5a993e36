"""A bundle of runs that was dropped on the window: what each run is on this machine."""

import html
import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QProcess, QProcessEnvironment
from PySide6.QtWidgets import QWidget

from explorer.processes.own_processes import command_line, environment
from explorer.program import Program
from explorer.questions.former_names import question_named
from explorer.text import N_, _, language, ngettext
from explorer.ui.notices.reading_pages import ReadingPage
from explorer.ui.notices.wording import when
from explorer.ui.theme.schemes import current_theme, theme_signals

WORKER = "explorer.command_line.bundle_worker"
SAID = {
    "same": N_("The same"),
    "different": N_("Different"),
    "missing": N_("Something is missing"),
    "unreadable": N_("Not asked"),
}
COLOURS = {"same": "positive", "different": "warning", "missing": "danger", "unreadable": "muted"}


class BundlePage(ReadingPage):
    """Lists the runs of a bundle while another process asks them again; closed, that ends too.

    Args:
        file: The bundle.
        program: How this window was started.
        parent: The window.
    """

    def __init__(self, file: Path, program: Program, parent: QWidget | None) -> None:
        title = _("Runs of {name}", name=file.name)
        super().__init__("bundle", title, parent)
        self._runs: list[dict[str, Any]] = []
        self.verdicts: dict[int, tuple[str, str]] = {}
        self.is_done = False
        self._problem = ""
        self._rest = b""
        self._process = QProcess(self)
        program_file, *arguments = command_line(WORKER)
        self._process.setProgram(program_file)
        self._process.setArguments(arguments)
        surroundings = QProcessEnvironment()
        for name, value in environment().items():
            surroundings.insert(name, value)
        self._process.setProcessEnvironment(surroundings)
        self._process.readyReadStandardOutput.connect(self._hear)
        self._process.finished.connect(self._finished)
        self._process.errorOccurred.connect(self._not_started)
        self.finished.connect(self._end)
        theme_signals().changed.connect(self._fill)
        self.resize(720, 520)
        self._fill()
        wanted = {
            "program": program.to_json(),
            "language": language.current().code,
            "file": str(file),
        }
        self._process.start()
        self._process.write(json.dumps(wanted).encode())
        self._process.closeWriteChannel()

    def _hear(self) -> None:
        *lines, self._rest = (self._rest + self._process.readAllStandardOutput().data()).split(
            b"\n"
        )
        for line in lines:
            told = json.loads(line)
            if "runs" in told:
                self._runs = told["runs"]
            elif "place" in told:
                self.verdicts[told["place"]] = told["verdict"], told["sentence"]
            elif "failed" in told:
                self._problem = " ".join((told["failed"], told["advice"]))
            else:
                self.is_done = True
        if lines:
            self._fill()

    def _finished(self, *_how: object) -> None:
        self._hear()
        if not self.is_done and not self._problem:
            self._problem = _("The runs could not be asked again. The program's log says more.")
        self._fill()

    def _not_started(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._finished()

    def _end(self) -> None:
        self._process.blockSignals(True)
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished(1000)

    def _fill(self) -> None:
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
            about = " · ".join((title, *run["models"], when(run["created_at"])))
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
