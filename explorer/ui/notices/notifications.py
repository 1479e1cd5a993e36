"""Turns what goes wrong anywhere into notices below the views."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject

from explorer.api.family import NeedsRoom
from explorer.api.family.load_options import OFFLOAD
from explorer.api.question import SLOTS, Blame, Failure, ModelStamp
from explorer.api.question.roles import cast_of, missing_of, not_loaded, roles_said
from explorer.engine.messages import Died, Ready, Unresponsive
from explorer.sessions.records import StoredRun
from explorer.text import N_, Phrase
from explorer.ui.document.gestures import Edit
from explorer.ui.notices.missing_fonts import MissingFonts
from explorer.ui.notices.notices import Notice, Notices
from explorer.ui.notices.transient_notices import TransientNotices
from explorer.ui.notices.wording import when
from explorer.ui.workbench.workbench import Workbench

HANGING = "engine_hangs"
END_AND_START = N_("End the engine and start it again")
SWITCH_OFF = N_("Switch off {title} and start the engine again")


OTHER_WAYS = (
    ("float16", N_("Load as float16"), "", "float16"),
    ("8bit", N_("Load as 8 bit"), "", "8bit"),
    ("4bit", N_("Load as 4 bit"), "", "4bit"),
    (OFFLOAD, N_("Load with the disk"), OFFLOAD, ""),
)
"""What is offered where there is no room for a model: how it is then loaded, "" as was chosen."""


class Notifications(QObject):
    """Listens to the workbench and speaks through the notices.

    What it says, and what buttons of it do, outlives the window.
    """

    def __init__(self, bench: Workbench, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._notices = notices
        self.transient_notices = TransientNotices(bench, notices, self)
        self.missing_fonts = MissingFonts(bench, notices, self)
        bench.bridge.died.connect(self._engine_died)
        bench.bridge.ready.connect(self._engine_ready)
        bench.bridge.unresponsive.connect(self._engine_hangs)
        bench.bridge.responsive.connect(self._engine_answers)
        bench.recording.problem_changed.connect(self._log_problem)
        bench.settings_store.problem.connect(self.settings_problem)
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
        self._tell(
            key,
            failure.problem,
            failure.remedy,
            details=failure.traceback,
            level=level,
            actions=ways,
            stays=is_ours,
        )

    def _tell(self, key: str, text: str, hint: str = "", **more: Any) -> None:
        self._notices.tell(Notice(key, text, hint, outlives_window=True, **more))

    def _report(self, failure: Failure | None = None) -> tuple[str, Callable[[], None]]:
        return N_("Report…"), partial(self._bench.report_wanted.emit, failure)

    def take_over(self, other: "Notifications") -> None:
        """Go on saying what the window said that this one takes the place of."""
        self._notices.take_over(other.notices)
        self.missing_fonts.take_over(other.missing_fonts)

    @property
    def notices(self) -> Notices:
        """Where it speaks."""
        return self._notices

    def fault(self, failure: Failure) -> None:
        """Tell of a fault nobody caught."""
        self.failure("fault", failure, "error")

    def settings_problem(self, problem: str) -> None:
        """Tell that the settings were damaged or can't be written."""
        self._tell("settings", problem, level="warning")

    def say(self, key: str, text: str, hint: str = "") -> None:
        """Tell of something that is no failure."""
        self._tell(key, text, hint)

    def say_of_text(self, key: str, text: str, hint: str = "") -> None:
        """Tell of something until the text is another one."""
        self.say(key, text, hint)
        self.transient_notices.with_text(key)

    def say_of_answer(self, key: str, text: str, question: str) -> None:
        """Tell of the answer on a page, as long as that answer is looked at."""
        self.say(key, text)
        self.transient_notices.with_answer(key, question)

    def say_of_comparison(self, key: str, text: str, question: str) -> None:
        """Tell how an answer differs from the pinned one, as long as both are looked at."""
        self.say(key, text)
        self.transient_notices.with_comparison(key, question)

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
        self.transient_notices.with_run("restored")
        actions: list[tuple[str, Callable[[], None]]] = []
        # Where those of the run lie that are loaded, they stay.
        taken = set(cast_of(stored.models, models.cards).values())
        free = [slot for slot in (models.active, *SLOTS) if slot not in taken]
        for stamp, slot in zip(missing.values(), dict.fromkeys(free), strict=False):
            checkpoint = self._bench.checkpoints.find(stamp.id)
            moments = self._bench.moments
            if (at := moments.found(stamp.id)) is not None and at[0] not in taken:
                step = f"{moments.frames(at[0])[at[1]].step:,}"
                actions.append(
                    (Phrase(N_("Show step {step}"), step=step), partial(moments.show, *at))
                )
            elif checkpoint is not None and checkpoint.folder and not checkpoint.problem:
                load = partial(self._bench.actions.load, checkpoint, slot)
                actions.append((Phrase(N_("Load {title}"), title=checkpoint.title), load))
        if len(stored.models) > 1:
            text = Phrase(
                N_("This is the answer of {models} {when}."),
                models=roles_said(stored.models, self._title_of),
                when=when(summary.created_at),
            )
            hint = Phrase.joined(
                (not_loaded(missing, self._title_of), Phrase(N_("To ask again takes both.")))
            )
        else:
            text = Phrase(
                N_("This is the answer of {model_id}, {when}."),
                model_id=", ".join(map(self._title_of, stored.models.values())),
                when=when(summary.created_at),
            )
            hint = Phrase(
                N_("That model is not loaded; a new question goes to the one that is.")
                if models.cards
                else N_("That model is not loaded.")
            )
        self._tell("restored", text, hint, actions=tuple(actions))

    def _title_of(self, stamp: ModelStamp) -> str:
        known = self._bench.checkpoints.find(stamp.id)
        return stamp.name if known is None else known.title

    def _refused(self, path: str, failure: Failure) -> None:
        """A checkpoint can't be loaded; what is known of it can be looked at all the same."""
        actions = self._bench.actions
        known = self._bench.checkpoints.find(path)
        ways: tuple[tuple[str, Callable[[], None]], ...] = ()
        if known is not None and known.family and known.architecture:
            show = partial(actions.architecture_wanted.emit, known.id)
            ways = ((N_("Show its architecture"), show),)
        self._tell(
            "refused",
            failure.problem,
            failure.remedy,
            details=failure.traceback,
            level="warning",
            actions=ways,
        )

    def _edit_refused(self, edit: Edit) -> None:
        self._tell(
            "refused_edit",
            Phrase(
                N_("The text has changed there since, so this was not done: {name}."),
                name=edit.name,
            ),
            Phrase(N_("Choose again when the new answer is here.")),
        )

    def _engine_hangs(self, event: Unresponsive) -> None:
        ways = [(END_AND_START, self._bench.restart_wanted.emit)]
        if event.plugin:
            without = Phrase(SWITCH_OFF, title=event.title)
            ways.insert(0, (without, partial(self._go_on_without, event.plugin)))
        self._tell(
            HANGING,
            event.reason,
            Phrase(
                N_(
                    "Wait for it, or end it: your text and the log are safe, and the models are "
                    "loaded again."
                )
            ),
            level="warning",
            actions=tuple(ways),
        )

    def _go_on_without(self, plugin: str) -> None:
        """Switch a plugin off that never returns, as the Plugins dialog does."""
        settings_store = self._bench.settings_store
        disabled = {*settings_store.settings.disabled_plugins, plugin}
        settings_store.change(disabled_plugins=tuple(sorted(disabled)))
        self._bench.restart_wanted.emit()

    def _engine_died(self, event: Died) -> None:
        self._notices.dismiss(HANGING)
        if self._bench.bridge.restart_was_asked:
            return
        if event.restarting:
            self._tell(
                "engine",
                event.reason,
                Phrase(
                    N_(
                        "It was started again, and the models are being loaded again. "
                        "Your text and the log are safe."
                    )
                ),
                level="warning",
                actions=((N_("Ask again"), self._bench.asking.run_again), self._report()),
            )
            return
        self._tell(
            "engine",
            event.reason,
            Phrase(N_("It ended several times in a row and was not started again.")),
            level="error",
            actions=((N_("Start the engine"), self._bench.bridge.restart), self._report()),
        )

    def _engine_ready(self, event: Ready) -> None:
        self._notices.dismiss(HANGING)
        if event.problem is not None:
            self.failure("torch", event.problem, "error")

    def _log_problem(self, problem: str) -> None:
        if not problem:
            self._notices.dismiss("log")
            return
        self._tell(
            "log",
            Phrase(N_("The session log has a problem: {problem}"), problem=problem),
            Phrase(N_("Answers are shown all the same.")),
            level="warning",
        )

    def _load_failed(self, checkpoint_id: str, failure: Failure) -> None:
        checkpoint = self._bench.checkpoints.find(checkpoint_id)
        title = checkpoint.title if checkpoint is not None else checkpoint_id
        self._tell(
            "load",
            Phrase(N_("{title} was not loaded: {why}"), title=title, why=failure.problem),
            failure.remedy,
            details=failure.traceback,
            level="warning",
            actions=self._what_fits(checkpoint_id, failure),
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
            (text, partial(load, device, dtype))
            for way, text, device, dtype in OTHER_WAYS
            if way in ways
        )
