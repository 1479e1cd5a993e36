"""Runs of a log, or of a bundle, asked again: whether the answers are the same, and if not why."""

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer import headless
from explorer.api.question import MODEL, ExplorerError, Failure, UserMistake
from explorer.command_line.asking.loaded_once import ModelsLoadedOnce
from explorer.program import Program
from explorer.sessions.bundle.contents import BundledRun
from explorer.sessions.bundle.data_files import files_at_hand, needed
from explorer.sessions.read.comparing import RunDifference, difference, reasons, verdict
from explorer.sessions.records import StoredRun
from explorer.text import N_, Phrase, _, said


@dataclass(frozen=True)
class AskedAgain:
    """What came of a run that was asked again.

    Attributes:
        answered: The answer of now.
        found: How it differs from the one of then.
        why: What is not as it was.
    """

    answered: headless.AnsweredRun
    found: RunDifference
    why: Sequence[Phrase]

    @property
    def sentence(self) -> Phrase:
        """Both in one line."""
        return verdict(self.found, self.why)


def ask_again(stored: StoredRun, models: ModelsLoadedOnce, *, log: bool) -> AskedAgain:
    """Load what answered then, and ask the same.

    Raises:
        UserMistake: The run can't be read, or one of its models is not here.
        ExplorerError: There is no answer today.
    """
    why_not = stored.unreadable or _unknown_role(stored)
    if why_not:
        raise UserMistake(
            N_("The run {id} can't be asked again: {why_not}"),
            id=stored.summary.id,
            why_not=why_not,
        )
    playing = _playing(stored, models)
    answered = playing.ask(stored.request, stored.document, log=log)
    found = difference(stored.table, answered.run.table)
    return AskedAgain(answered, found, reasons(stored, answered.run))


def _playing(stored: StoredRun, models: ModelsLoadedOnce) -> headless.LoadedModels:
    """Load who played each role.

    Raises:
        UserMistake: One is not here.
    """
    named = {role: stamp.as_asked for role, stamp in stored.models.items()}
    for role, name in named.items():
        if role == MODEL:
            continue
        try:
            models.catalogue.find(name)
        except UserMistake as mistake:
            raise UserMistake(
                N_("The {role} of this run, {id}, can't be loaded: {why}"),
                mistake.advice,
                role=role,
                id=name,
                why=mistake.said,
            ) from mistake
    return models.playing(named)


def _unknown_role(stored: StoredRun) -> str:
    """Why a run does not say who has to answer; "" where it does."""
    from explorer.questions import question_of

    question = question_of(stored.request)
    optional = question.optional_of(stored.request)
    unknown = [
        role
        for role in question.roles_of(stored.request)
        if role not in stored.models and role not in optional
    ]
    if not unknown:
        return ""
    return (
        _("it does not say who the {unknown} was.", unknown=unknown[0])
        if stored.models
        else _("no model answered it.")
    )


class BundleVerdict(enum.StrEnum):
    """What is to be said of a run of a bundle on this machine."""

    SAME = "same"
    DIFFERENT = "different"
    MISSING = "missing"
    """A model or a question is not here."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class CheckedRun:
    """A run of a bundle, asked on this machine.

    Attributes:
        run: As the bundle has it.
        verdict: What is to be said of it.
        sentence: The same in words, with its reasons, or what is missing and how to get it.
        to_download: The published model that is missing; "" where none is.
    """

    run: BundledRun
    verdict: BundleVerdict
    sentence: Phrase
    to_download: str = ""


def check_runs(
    bundle: Path,
    runs: tuple[BundledRun, ...],
    program: Program,
    *,
    allow_pickle: bool = False,
    log: bool = True,
) -> Iterator[CheckedRun]:
    """Ask the runs of a bundle again, one after the other, with the models that are here."""
    with files_at_hand(bundle, runs) as laid:
        yield from _checked(laid, program, allow_pickle=allow_pickle, log=log)


def _checked(
    runs: Sequence[BundledRun], program: Program, *, allow_pickle: bool, log: bool
) -> Iterator[CheckedRun]:
    models = ModelsLoadedOnce(program, allow_pickle=allow_pickle)
    for run in runs:
        missing = _missing(run, models)
        if missing is not None:
            yield CheckedRun(run, BundleVerdict.MISSING, *missing)
            continue
        try:
            stored = run.stored()
            again = ask_again(stored, models, log=log)
        except (ExplorerError, ValueError, KeyError) as error:
            failure = Failure.of(error)
            told = failure.said if isinstance(error, ExplorerError) else _unread()
            yield CheckedRun(run, BundleVerdict.UNREADABLE, Phrase(str(told)))
            continue
        kind = BundleVerdict.SAME if again.found.same else BundleVerdict.DIFFERENT
        yield CheckedRun(run, kind, again.sentence)


def _unread() -> str:
    return said(Phrase(N_("What was asked can't be read by this version of the program.")))


def _missing(run: BundledRun, models: ModelsLoadedOnce) -> tuple[Phrase, str] | None:
    """What is not here of what a run needs, and what is to be downloaded; None where all is."""
    from explorer.questions.former_names import question_named

    if question_named(run.operation) is None:
        plugin = Phrase(
            N_("The question {name} is missing: its plugin is not here."), name=run.operation
        )
        return plugin, ""
    for name in dict.fromkeys(one.id for one in run.models.values()):
        try:
            row = models.catalogue.find(name)
        except ExplorerError:
            folder = N_(
                "The model {name} is missing: it was a folder on the machine that made the bundle."
            )
            return Phrase(folder, name=name), ""
        if row.folder is None and row.operations:
            hub = N_("The model {name} is missing: plm-explorer download {name} gets it.")
            return Phrase(hub, name=name), row.id
    if file := needed(run):
        outside = N_("The run reads the file {name}, which is too large to be in the bundle.")
        return Phrase(outside, name=file), ""
    return None


def told(checked: CheckedRun) -> Mapping[str, object]:
    """A run of a bundle as --json has it."""
    return {
        "run": checked.run.id,
        "operation": checked.run.operation,
        "models": {role: one.id for role, one in checked.run.models.items()},
        "verdict": str(checked.verdict),
        "sentence": checked.sentence,
    }
