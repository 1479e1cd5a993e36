"""Turns what goes wrong anywhere into notices below the views."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from explorer.api import (
    SLOTS,
    Blame,
    Failure,
    NeedsRoom,
    cast_of,
    missing_of,
    not_loaded,
    roles_said,
)
from explorer.api.load_options import OFFLOAD
from explorer.engine.messages import Died, Ready
from explorer.sessions.records import StoredRun
from explorer.text import N_, _, said
from explorer.ui.document.gestures import Edit
from explorer.ui.notices.missing_fonts import MissingFonts
from explorer.ui.notices.notices import Notice, Notices
from explorer.ui.notices.passing import Passing
from explorer.ui.notices.wording import when
from explorer.ui.window.workbench import Workbench

HANGING = "engine_hangs"
END_AND_START = N_("End the engine and start it again")


OTHER_WAYS = (
    ("float16", N_("Load it as float16"), "", "float16"),
    ("8bit", N_("Load it as 8 bit"), "", "8bit"),
    ("4bit", N_("Load it as 4 bit"), "", "4bit"),
    (OFFLOAD, N_("Load it with layers on the disk"), OFFLOAD, ""),
)
"""What is offered where there is no room for a model: how it is then loaded, "" as was chosen."""


class Telling(QObject):
    """Listens to the workbench and speaks through the notices.

    Signals:
        restart_wanted: End the engine and start it anew.
        report_wanted: Gather what a developer needs to know of a Failure, or None: of how all is.
    """

    restart_wanted = Signal()
    report_wanted = Signal(object)

    def __init__(self, bench: Workbench, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._notices = notices
        self.passing = Passing(bench, notices, self)
        self.missing_fonts = MissingFonts(bench, notices, self)
        bench.bridge.died.connect(self._engine_died)
        bench.bridge.ready.connect(self._engine_ready)
        bench.bridge.unresponsive.connect(self._engine_hangs)
        bench.bridge.responsive.connect(self._engine_answers)
        bench.recording.problem_changed.connect(self._log_problem)
        bench.remembering.problem.connect(self.settings_problem)
        bench.checkpoints.listing_failed.connect(self._listing_failed)
        bench.actions.refused.connect(self._refused)
        bench.models.failed.connect(self._load_failed)
        bench.models.changed.connect(self._forget_refusals)
        # Another checkpoint is turned to: what is said of that one comes after this.
        bench.actions.chosen.connect(self._forget_refusals)
        bench.actions.architecture_wanted.connect(self._forget_refusals)
        bench.downloads.failed.connect(self._download_failed)
        bench.downloads.changed.connect(self._downloads_changed)
        bench.state.refused.connect(self._edit_refused)
        bench.state.changed.connect(self._document_changed)
        bench.asking.tokenising.failed.connect(self._not_tokenised)
        bench.asking.tokenising.tokenised.connect(self._tokenised)
        if bench.queries is not None:
            bench.queries.failed.connect(self._log_unread)

    def failure(self, key: str, failure: Failure, level: str = "warning") -> None:
        """Tell of a failure."""
        is_ours = failure.blame is Blame.BUG
        ways = (self._report(failure),) if is_ours else ()
        self._notices.tell(
            Notice(key, failure.said, failure.advice, failure.traceback, level, ways, stays=is_ours)
        )

    def _report(self, failure: Failure | None = None) -> tuple[str, Callable[[], None]]:
        return _("Report…"), partial(self.report_wanted.emit, failure)

    def fault(self, failure: Failure) -> None:
        """Tell of a fault nobody caught."""
        self.failure("fault", failure, "error")

    def settings_problem(self, problem: str) -> None:
        """Tell that the settings were damaged or can't be written."""
        self._notices.tell(Notice("settings", problem, level="warning"))

    def say(self, key: str, text: str, hint: str = "") -> None:
        """Tell of something that is no failure."""
        self._notices.tell(Notice(key, text, hint))

    def say_of_text(self, key: str, text: str, hint: str = "") -> None:
        """Tell of something until the text is another one."""
        self.say(key, text, hint)
        self.passing.with_text(key)

    def say_of_answer(self, key: str, text: str, operation: str) -> None:
        """Tell of the answer on a page, as long as that answer is looked at."""
        self.say(key, text)
        self.passing.with_answer(key, operation)

    # What lives longer than a window is connected to methods alone: Qt lets go of these with the
    # window, and of a lambda never.

    def _engine_answers(self) -> None:
        self._notices.dismiss(HANGING)

    def _listing_failed(self, failure: Failure) -> None:
        self.failure("library", failure)

    def _forget_refusals(self, _id: str = "") -> None:
        for key in ("load", "refused"):
            self._notices.dismiss(key)

    def _download_failed(self, _id: str, failure: Failure) -> None:
        self.failure("download", failure)

    def _document_changed(self, _document: object) -> None:
        self._notices.dismiss("refused_edit")

    def _tokenised(self, *_told: object) -> None:
        self._notices.dismiss("tokens")

    def _not_tokenised(self, failure: Failure) -> None:
        self.failure("tokens", failure)

    def _log_unread(self, failure: Failure) -> None:
        self.failure("log_reading", failure)

    def _downloads_changed(self) -> None:
        if not self._bench.downloads.failures:
            self._notices.dismiss("download")

    def restored(self, stored: StoredRun) -> None:
        """Say what is shown, and offer its models where others are loaded."""
        summary = stored.summary
        self._notices.dismiss("restored")
        models = self._bench.models
        missing = missing_of(stored.models, models.cards)
        if not missing:
            return
        self.passing.with_run("restored")
        actions: list[tuple[str, Callable[[], None]]] = []
        # Where those of the run lie that are loaded, they stay.
        taken = set(cast_of(stored.models, models.cards).values())
        free = [slot for slot in (models.active, *SLOTS) if slot not in taken]
        for stamp, slot in zip(missing.values(), dict.fromkeys(free), strict=False):
            checkpoint = self._bench.checkpoints.find(stamp.id)
            if checkpoint is not None and checkpoint.folder and not checkpoint.problem:
                load = partial(self._bench.actions.load, checkpoint, slot)
                actions.append((_("Load {title}", title=checkpoint.title), load))
        if len(stored.models) > 1:
            self._notices.tell(
                Notice(
                    "restored",
                    _(
                        "This is the answer of {models} {when}.",
                        models=said(roles_said(stored.models)),
                        when=when(summary.created_at),
                    ),
                    " ".join((said(not_loaded(missing)), _("To ask again takes both."))),
                    actions=tuple(actions),
                )
            )
            return
        self._notices.tell(
            Notice(
                "restored",
                _(
                    "This is the answer of {model_id}, {when}.",
                    model_id=summary.model_id,
                    when=when(summary.created_at),
                ),
                _("That model is not loaded; a new question goes to the one that is.")
                if models.cards
                else _("That model is not loaded."),
                actions=tuple(actions),
            )
        )

    def _refused(self, path: str, failure: Failure) -> None:
        """A checkpoint can't be loaded; what is known of it can be looked at all the same."""
        actions = self._bench.actions
        known = self._bench.checkpoints.find(path)
        ways: tuple[tuple[str, Callable[[], None]], ...] = ()
        if known is not None and known.family and known.architecture:
            show = partial(actions.architecture_wanted.emit, known.id)
            ways = ((_("Show its architecture"), show),)
        self._notices.tell(
            Notice(
                "refused",
                failure.said,
                failure.advice,
                failure.traceback,
                "warning",
                actions=ways,
            )
        )

    def _edit_refused(self, edit: Edit) -> None:
        self._notices.tell(
            Notice(
                "refused_edit",
                _(
                    "The text has changed there since, so this was not done: {name}.",
                    name=edit.name,
                ),
                _("Choose again when the new answer is here."),
            )
        )

    def _engine_hangs(self, reason: str) -> None:
        self._notices.tell(
            Notice(
                HANGING,
                said(reason),
                _(
                    "Wait for it, or end it: your text and the log are safe, and the models are "
                    "loaded again."
                ),
                level="warning",
                actions=((_(END_AND_START), self.restart_wanted.emit),),
            )
        )

    def _engine_died(self, event: Died) -> None:
        self._notices.dismiss(HANGING)
        if self._bench.bridge.restart_was_asked:
            return
        if event.restarting:
            self._notices.tell(
                Notice(
                    "engine",
                    said(event.reason),
                    _(
                        "It was started again, and the models are being loaded again. "
                        "Your text and the log are safe."
                    ),
                    level="warning",
                    actions=((_("Ask again"), self._bench.asking.run_again), self._report()),
                )
            )
            return
        self._notices.tell(
            Notice(
                "engine",
                said(event.reason),
                _("It ended several times in a row and was not started again."),
                level="error",
                actions=((_("Start the engine"), self._bench.bridge.restart), self._report()),
            )
        )

    def _engine_ready(self, event: Ready) -> None:
        self._notices.dismiss(HANGING)
        if event.problem is not None:
            self.failure("torch", event.problem, "error")

    def _log_problem(self, problem: str) -> None:
        if not problem:
            self._notices.dismiss("log")
            return
        self._notices.tell(
            Notice(
                "log",
                _("The session log has a problem: {problem}", problem=problem),
                _("Answers are shown all the same."),
                level="warning",
            )
        )

    def _load_failed(self, checkpoint_id: str, failure: Failure) -> None:
        checkpoint = self._bench.checkpoints.find(checkpoint_id)
        title = checkpoint.title if checkpoint is not None else checkpoint_id
        self._notices.tell(
            Notice(
                "load",
                _("{title} was not loaded: {why}", title=title, why=failure.said),
                failure.advice,
                failure.traceback,
                "warning",
                actions=self._what_fits(checkpoint_id, failure),
            )
        )

    def _what_fits(
        self, checkpoint_id: str, failure: Failure
    ) -> tuple[tuple[str, Callable[[], None]], ...]:
        """Buttons that load a model as there is room for it."""
        if failure.kind != NeedsRoom.__name__:
            return ()
        ways = str(failure.values.get("fitting", "")).split(",")
        load = partial(self._bench.models.load_otherwise, checkpoint_id)
        return tuple(
            (_(text), partial(load, device, dtype))
            for way, text, device, dtype in OTHER_WAYS
            if way in ways
        )
