"""Saves what is on screen as a scene, and opens lectures from files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from explorer.api.question import Failure
from explorer.lectures import Scene, Step, StepWords, write_scene
from explorer.lectures.from_document import file_name, step_of
from explorer.lectures.scene_file import ENDING, KIND
from explorer.questions import all_questions
from explorer.text import N_, _, language, ngettext
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.lectures.claims.beside import beside_of
from explorer.ui.lectures.claims.claiming import ClaimedAnswer, Claiming
from explorer.ui.lectures.files.save_dialog import SaveSceneDialog, TypedScene
from explorer.ui.notices.notices import Notice
from explorer.ui.views.frame.view_frame import FrameState
from explorer.ui.views.latest_work import LatestWork

if TYPE_CHECKING:
    from explorer.ui.lectures.lecturing import Lecturing
    from explorer.ui.window.host import HostWindow

SCENES = N_("Scene (*.toml)")
LECTURES = N_("Lectures and scenes (*.zip *.toml)")
NOTICE = "scene_saved"


class Saving(QObject):
    """Dialogs for scenes and lectures."""

    def __init__(
        self, window: HostWindow, lecturing: Lecturing, open_lecture: Callable[[str], object]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._open_lecture = open_lecture
        self._lecturing = lecturing
        self._dialogs = FileDialogs(window)
        self._claiming = Claiming(self)
        self._writing = LatestWork("scene", self)
        self._writing.done.connect(self._saved)
        self._writing.trouble.connect(self._not_saved)

    def pick(self) -> None:
        """Open a lecture or a scene from a file."""
        self._dialogs.file(_("Open a lecture"), _(LECTURES), self.open)

    def pick_folder(self) -> None:
        """Open a folder of scenes."""
        self._dialogs.folder(_("Open a folder of scenes"), self.open)

    def open(self, path: Path) -> None:
        """Open a lecture."""
        self._open_lecture(str(path))

    # ---- saving ------------------------------------------------------------------------------

    def save_as(self) -> SaveSceneDialog | None:
        """Ask for the words of a scene; None where no page is shown, which is told."""
        scene = self.scene_now()
        if scene is None:
            self._window.notifications.say("scene", _("No page is shown: choose a question first."))
            return None
        lecture = self._lecturing.lecture
        chapters = lecture.chapters if lecture is not None else ()
        held, answer = self._held(scene), self._answer()
        dialog = SaveSceneDialog(held, chapters, answer, self._claiming, self._window)
        dialog.save_wanted.connect(partial(self._ask_where, scene, dialog))
        dialog.open()
        return dialog

    def scene_now(self) -> Scene | None:
        """What is on screen, without words."""
        bench, view = self._window.bench, self._window.current_view()
        if view is None:
            return None
        question = all_questions()[view.question]
        asked_of = bench.asking.askers[view.name].state
        cards, document = bench.models.cards, asked_of.document
        cast = question.cast(cards, asked_of.slot(bench.models.active), document)
        playing = sorted({slot for slot in cast.values() if slot in cards})
        asked = [cards[slot] for slot in cast.values() if slot in cards]
        step = step_of(
            document,
            question,
            [bench.models.name_in(slot) for slot in playing],
            lambda other: question.request_of(other, asked),
        )
        return Scene(name="scene", steps=(step,))

    def _answer(self) -> ClaimedAnswer | None:
        """The answer to what is on screen; an earlier one is nothing to claim of."""
        view = self._window.current_view()
        if view is None or view.result is None:
            return None
        if self._window.bench.asking.askers[view.name].frame.state is not FrameState.RESULT:
            return None
        return ClaimedAnswer(view.of, view.result, beside_of(view))

    def _held(self, scene: Scene) -> str:
        """What is saved besides the words."""
        (step,) = scene.steps
        title = all_questions()[step.question].title
        masks = len(step.masked) + len(step.pair_masked)
        parts = [
            _("Saved with it: the page {title}.", title=_(title)),
            _("Models: {models}.", models=", ".join(step.models)) if step.models else "",
            _("The text: {text}", text=step.text) if step.text else "",
            ngettext("{count} mask.", "{count} masks.", masks) if masks else "",
            ngettext("{count} setting.", "{count} settings.", len(step.options))
            if step.options
            else "",
        ]
        return "\n".join(part for part in parts if part)

    def _ask_where(self, scene: Scene, dialog: SaveSceneDialog, written: TypedScene) -> None:
        code = language.current().code
        (step,) = scene.steps
        worded = Scene(
            name=file_name(written.title),
            steps=(_with_words(step, code, written),),
            chapter=written.chapter,
            titles={code: written.title},
        )

        def save(path: Path) -> None:
            dialog.accept()
            self._writing.ask(lambda: _written(worded, path))

        self._dialogs.save(_("Save as scene"), f"{worded.name}{KIND}{ENDING}", _(SCENES), save)

    def _saved(self, path: Path) -> None:
        notices = self._window.notices
        notices.dismiss("scene")
        folder = str(path.parent)
        opened = self._lecturing.path
        if opened in (folder, str(path)):
            self._lecturing.open(opened)
        ways = ((_("Show it"), partial(self.open, path)),) if opened != folder else ()
        notices.tell(Notice(NOTICE, _("Saved {path}.", path=str(path)), actions=ways))

    def _not_saved(self, failure: Failure) -> None:
        self._window.notifications.failure("scene", failure)


def _with_words(step: Step, code: str, written: TypedScene) -> Step:
    words = StepWords(written.look, written.claim_words)
    return replace(
        step,
        claims=(written.claim,) if written.claim else (),
        words={} if words == StepWords() else {code: words},
    )


def _written(scene: Scene, path: Path) -> Path:
    write_scene(scene, path)
    return path
