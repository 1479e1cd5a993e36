"""Makes a film of a page, in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from explorer.command_line.options.picture_options import FILM_DPI
from explorer.export_choices import PictureChoice
from explorer.serialise import to_json
from explorer.sessions.schema.atomic import remove_unfinished
from explorer.text import N_, _, ngettext, said
from explorer.ui.controls.opened_by_system import open_in_system
from explorer.ui.export.figure_parts import leaves_of, parts_of
from explorer.ui.export.film.kinds import FOLDER, GIF, PAGE, VIDEO
from explorer.ui.export.film.writing import SECONDS
from explorer.ui.notices.notices import Notice
from explorer.ui.own_process import OwnProcess

if TYPE_CHECKING:
    from explorer.series.series import CheckpointSeries, Frame
    from explorer.ui.views.page_view import PageView
    from explorer.ui.window.host import HostWindow

WORKER = "explorer.command_line.workers.film_worker"
NOTICE = "film"
FILES = {GIF: N_("GIF (*.gif)"), VIDEO: N_("MP4 (*.mp4)"), PAGE: N_("HTML page (*.html)")}
STAGES = {
    "asking": N_("frame {done} of {count} is asked"),
    "drawing": N_("{done} of {count} frames are drawn"),
    "writing": N_("{done} of {count} frames are written"),
}


@dataclass(frozen=True)
class _WantedFilm:
    """Of which page, at which frames of whom."""

    view: PageView
    role: str
    slot: str
    frames: Sequence[Frame]
    series: CheckpointSeries


class FilmExporter(QObject):
    """One film at a time; the window goes on meanwhile."""

    def __init__(self, window: HostWindow) -> None:
        super().__init__(window)
        self._window = window
        self._process: OwnProcess | None = None
        self._file, self._last = Path(), dict[str, Any]()
        self._kind, self._seconds = GIF, SECONDS
        self._choice: PictureChoice | None = None
        self._damaged: dict[str, str] = {}
        self.left_out: dict[str, frozenset[str]] = {}

    @property
    def is_under_way(self) -> bool:
        """One is being made."""
        return self._process is not None

    def pick_of(self, view: PageView) -> None:
        """Ask as what and where to, and make it, of the page at all steps of its model."""
        from explorer.ui.export.film.dialog import FilmDialog

        say, found = self._window.notifications.say, self._wanted(view)
        if not view.has_result:
            say(NOTICE, _("There is no answer to make a film of."), _("Ask something first."))
        elif found is None:
            say(
                NOTICE,
                _("A film shows a model at the steps of its training, and this one has none here."),
                _("Load a model with steps, as the BERT film is, or train one."),
            )
        elif self._process is not None:
            say(NOTICE, _("A film is being made."), _("Wait for it, or cancel that."))
        else:
            usual = replace(self._window.bench.settings_store.settings.picture, dpi=FILM_DPI)
            choice = self._choice or replace(usual, form="svg", both=False)
            count, kind, seconds = len(found.frames), self._kind, self._seconds
            dialog = FilmDialog(view.title, count, kind, choice, seconds, self._window)
            dialog.save_wanted.connect(partial(self._save, found))
            dialog.open()

    def _wanted(self, view: PageView) -> _WantedFilm | None:
        """Who of the answer's models is moved: the first one that is a frame of a series."""
        bench = self._window.bench
        slots = {card.stamp: slot for slot, card in bench.models.cards.items()}
        for role, stamp in view.origin.models.items():
            slot = slots.get(stamp, "")
            frames = bench.moments.frames(slot)
            if len(frames) > 1:
                return _WantedFilm(view, role, slot, frames, bench.moments.series[slot])
        return None

    def _save(self, wanted: _WantedFilm, kind: str, choice: PictureChoice, seconds: float) -> None:
        self._kind, self._choice, self._seconds = kind, choice, seconds
        name = f"{wanted.view.question.replace('_', '-')}-{Path(wanted.series.id).name}"
        dialogs, make = self._window.dialogs, partial(self._make, wanted, choice, seconds)
        if kind == FOLDER:
            dialogs.folder(_("Export film"), lambda place: make(_unused(place / name)))
        else:
            dialogs.save(_("Export film"), f"{name}.{kind}", _(FILES[kind]), make)

    def _make(self, wanted: _WantedFilm, choice: PictureChoice, seconds: float, path: Path) -> None:
        bench, view = self._window.bench, wanted.view
        shown = view.shown()
        if bench.program is None or self._process is not None or shown is None:
            return
        options = bench.models.options_of(wanted.slot)
        program = replace(bench.program, device=options.device, dtype=options.dtype)
        told = view.origin.provenance(view.of, shown.asked, shown.result)
        off = self.left_out.get(view.question)
        known = () if off is None else leaves_of(parts_of(view.declared, shown))
        asked = {
            "file": str(path),
            "question": view.question,
            "request": to_json(told.request),
            "document": to_json(replace(shown.asked, options=shown.now.options)),
            "models": {role: stamp.id for role, stamp in view.origin.models.items()},
            "role": wanted.role,
            "frames": [(one.step, one.id) for one in wanted.frames],
            "allow_pickle": options.allow_pickle,
            "choice": to_json(choice),
            "parts": [one.key for one in known if one.key not in (off or ())],
            "seconds": seconds,
        }
        self._file, self._last = path, {}
        self._damaged = {one.name: said(one.problem) for one in wanted.series.frames if one.problem}
        self._process = OwnProcess(WORKER, program, asked, self)
        self._process.told.connect(self._hear)
        self._process.ended.connect(self._finished)
        self._say(_("loading the model"))
        self._process.start()

    def cancel(self) -> None:
        """Stop; nothing is written."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()
            remove_unfinished(self._file)
        self._window.notices.dismiss(NOTICE)

    def _say(self, stage: str) -> None:
        words = _("Making the film {name}: {stage}", name=self._file.name, stage=stage)
        ways = ((_("Cancel"), self.cancel),)
        notice = Notice(NOTICE, words, actions=ways, dismissed=self.cancel, is_spoken=False)
        self._window.notices.tell(notice)

    def _hear(self, told: dict[str, Any]) -> None:
        self._last = told
        stage = STAGES.get(told.get("stage", ""))
        if stage is not None:
            self._say(_(stage, done=told["done"], count=told["count"]))

    def _finished(self) -> None:
        self._process = None
        told, notices = self._last, self._window.notices
        if "written" not in told:
            remove_unfinished(self._file)
            words = told.get("failed") or _("The film could not be made.")
            advice = told.get("advice") or _("Try again; the program's log says more.")
            notices.tell(Notice(NOTICE, words, advice, level="warning"))
            return
        words = ngettext(
            "A film of {count} frame is in {path}.",
            "A film of {count} frames is in {path}.",
            told["written"],
            path=self._file,
        )
        hints = [
            _("{name} is left out: {problem}", name=name, problem=problem)
            for name, problem in {**self._damaged, **told["left_out"]}.items()
        ]
        show = partial(open_in_system, self._file.parent)
        ways = ((_("Show in file manager"), show),)
        notices.tell(Notice(NOTICE, words, " ".join(hints), actions=ways))


def _unused(folder: Path) -> Path:
    """A name in a folder that nothing there has."""
    number, found = 1, folder
    while found.exists():
        number += 1
        found = folder.with_name(f"{folder.name}-{number}")
    return found
