"""One question asked without a window: load, ask, log, print.

The commands differ in how they build the request and how a person reads the result; the rest
is here. stdout carries the answer only; whatever a library prints goes to stderr.
"""

import argparse
import contextlib
import json
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from explorer.api.context import nobody
from explorer.api.family import LoadOptions
from explorer.api.family.load_options import as_numbers
from explorer.api.model import commits_of
from explorer.api.question import (
    DISCRIMINATOR,
    ENCODER,
    FIRST,
    GENERATOR,
    MODEL,
    REASONER,
    REFERENCE,
    ROUNDED,
    SECOND,
    SLOTS,
    STUDENT,
    TEACHER,
    Context,
    Detail,
    ExplorerError,
    Failure,
    ModelStamp,
    Question,
    UserMistake,
)
from explorer.api.question.roles import RoleBinding
from explorer.document import Document
from explorer.machine.turns import at_work
from explorer.printing.stages import Stages
from explorer.program import Program
from explorer.text import N_, Phrase

if TYPE_CHECKING:
    from explorer.engine.configuration import ModelRunner
    from explorer.sessions.records import LoggedRun

DEFAULT_MODEL = "bert-miniature"
"""The bundled checkpoint a command takes where the user names none."""

USUAL: Mapping[str, str] = {
    MODEL: DEFAULT_MODEL,
    FIRST: DEFAULT_MODEL,
    SECOND: "distilbert-miniature",
    TEACHER: DEFAULT_MODEL,
    STUDENT: "distilbert-miniature",
    DISCRIMINATOR: "electra-miniature-discriminator",
    GENERATOR: "electra-miniature-generator",
    REASONER: "kagnet-miniature",
    ENCODER: DEFAULT_MODEL,
    REFERENCE: DEFAULT_MODEL,
    ROUNDED: as_numbers(DEFAULT_MODEL, "bfloat16"),
}
"""Who plays each role, of the bundled checkpoints, where the user names none."""

ONE: RoleBinding = {MODEL: SLOTS[0]}
"""One model, loaded in the first slot, answers."""

SESSION_NAME = "command line"
OPENING_SECONDS = 3.0
"""How long a command waits for the log to be opened before it goes on all the same."""

Progress = Callable[[str, float, float], None]
"""Takes stage, done and total."""


@dataclass(frozen=True)
class AnsweredRun:
    """A question and what came of it.

    Attributes:
        result: The question's result.
        run: What a log keeps of it.
        run_id: Its ULID in the session log, "" when it was not logged.
        beside: What is laid beside it, where that was asked for; a failure where it has no answer.
        details: What its picture can't be drawn without, where that was asked for.
        titles: What people read for the models that were asked, by their ids.
    """

    result: Any
    run: "LoggedRun"
    run_id: str = ""
    beside: Mapping[Detail, Any] = field(default_factory=dict)
    details: Mapping[Detail, Any] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)


Wants = Callable[[AnsweredRun], Sequence[Detail]]
"""The details that a picture needs, by those that are there already."""
ROUNDS = 8
"""How often details ask for further ones, at most."""


Show = Callable[[AnsweredRun], None]
"""Prints an answer for people."""


def load(
    runner: "ModelRunner", program: Program, model: str, *, allow_pickle: bool, slot: str = "A"
) -> None:
    """Load a checkpoint into a slot.

    Raises:
        ExplorerError: It is unknown, damaged, or needs a consent that was not given.
    """
    from explorer.engine.process.surroundings import prepare_environment

    prepare_environment()
    options = LoadOptions(program.device, program.dtype, allow_pickle)
    with at_work(runner):
        runner.load(slot, model, options, Context(cache=program.paths.cache))


def load_all(
    runner: "ModelRunner", program: Program, models: Mapping[str, str], *, allow_pickle: bool
) -> "LoadedModels":
    """Load the checkpoint of every role.

    Raises:
        ExplorerError: One is unknown, damaged, or needs a consent that was not given.
    """
    cast = dict(zip(models, SLOTS, strict=False))
    for role, slot in cast.items():
        load(runner, program, models[role], allow_pickle=allow_pickle, slot=slot)
    return LoadedModels(runner, program, cast)


@dataclass(frozen=True)
class LoadedModels:
    """Models that are loaded, to be asked.

    Attributes:
        runner: Who asks them.
        program: Where everything is.
        cast: Who plays which role, by slot.
    """

    runner: "ModelRunner"
    program: Program
    cast: RoleBinding = field(default_factory=lambda: ONE)

    @property
    def stamps(self) -> Mapping[str, ModelStamp]:
        """Who they are, by role."""
        return {role: self.runner.cards[slot].stamp for role, slot in self.cast.items()}

    def ask(
        self,
        request: Any,
        document: Document,
        *,
        log: "Log | bool",
        progress: Progress = nobody,
    ) -> AnsweredRun:
        """Ask, and keep question and answer, failed ones too, in the log.

        Args:
            request: The question.
            document: What it is asked of.
            log: Whether it is kept; or a log that is open already.
            progress: Hears how far it is.

        Raises:
            ExplorerError: As the question does.
        """
        started = time.perf_counter()
        result: Any = None
        failure: Failure | None = None
        try:
            with at_work(self.runner):
                result = self.runner.ask(request, self.cast, self._context(progress))
        except ExplorerError as error:
            failure = Failure.of(error)
            raise
        finally:
            run_id = ""
            if result is not None or failure is not None:
                duration = time.perf_counter() - started
                libraries = self.runner.versions()
                run = _run(request, document, result, self.stamps, duration, failure, libraries)
                if log and (failure is None or self._fits(request)):
                    with self._opened(log) as opened:
                        run_id = opened.record(run)
                if run.fault is not None:
                    # Kept as failed: an answer that makes no table is none.
                    raise ExplorerError(run.fault.message, run.fault.hint)
        cards = [self.runner.cards[slot] for slot in self.cast.values()]
        titles = {card.stamp.id: card.title for card in cards}
        return AnsweredRun(result, run, run_id, titles=titles)

    def _opened(self, log: "Log | bool") -> AbstractContextManager["Log"]:
        return contextlib.nullcontext(log) if isinstance(log, Log) else Log(self.program)

    def _context(self, progress: Progress = nobody) -> Context:
        at = self.program.paths
        return Context(progress=progress, results=at.results, cache=at.cache, training=at.training)

    def _fits(self, request: Any) -> bool:
        """Whether the models have what is asked of them: else nothing was asked, only mistyped."""
        cards = [self.runner.cards[slot] for slot in self.cast.values()]
        return not cards or request.fitting(cards) == request

    def with_beside(self, answered: AnsweredRun) -> AnsweredRun:
        """Ask for what is laid beside an answer, too; nothing of it is logged.

        Raises:
            UserMistake: There is nothing of that kind.
        """
        beside = answered.run.question.beside
        wanted = () if beside is None else beside(answered.result, answered.run.document)
        if not wanted:
            raise UserMistake(
                N_("There is no exact answer to compare with this one."),
                N_(
                    "Exact answers are of words that are predicted one by one, of two texts that "
                    "may follow each other, and of answers in a passage: choose another option or "
                    "model."
                ),
            )
        found: dict[Detail, Any] = {}
        for detail in wanted:
            try:
                found[detail] = self._detail(detail)
            except ExplorerError as error:
                found[detail] = Failure.of(error)
        return replace(answered, beside=found)

    def with_details(self, answered: AnsweredRun, wants: Wants) -> AnsweredRun:
        """Ask for what a picture of an answer can't be drawn without; nothing of it is logged.

        Raises:
            ExplorerError: One can't be had.
        """
        for _round in range(ROUNDS):
            known = {**answered.beside, **answered.details}
            missing = [one for one in wants(answered) if one not in known]
            if not missing:
                break
            found = {one: self._detail(one) for one in missing}
            answered = replace(answered, details={**answered.details, **found})
        return answered

    def _detail(self, detail: Detail) -> Any:
        from explorer.questions import question_of

        slots = {self.runner.cards[slot].stamp: slot for slot in self.cast.values()}
        cast = {question_of(detail.request).first_role: slots[detail.model]}
        with at_work(self.runner):
            return self.runner.ask(detail.request, cast, self._context())


def answer(
    args: argparse.Namespace,
    program: Program,
    request: Any,
    document: Document,
    named: Mapping[str, str],
    *,
    beside: bool = False,
    wants: Wants | None = None,
    inside: Callable[[LoadedModels, AnsweredRun], None] | None = None,
) -> AnsweredRun:
    """Load who plays the roles, and ask.

    Args:
        args: With the options of `add_model_option` and `add_output_options`.
        program: Where everything is.
        request: The question.
        document: What it is asked of.
        named: The checkpoint of every role.
        beside: What the question lays beside its answer is asked for as well.
        wants: What its picture needs is asked for as well.
        inside: Called with the models while they are there.

    Raises:
        ExplorerError: As `load_all`, and `ask`, `with_beside` and `with_details` of `LoadedModels`;
            or what is to be written can't be.
    """
    from explorer.sessions.schema.atomic import refuse_unwritable

    refuse_unwritable(args.csv, *(getattr(args, "picture", None) or ()))
    models = load_all(program.runner(), program, named, allow_pickle=args.allow_pickle)
    from explorer.questions import question_of

    # Of what may take minutes it is said what is going on.
    progress = nobody if question_of(request).cheap_variant is None else Stages()
    answered = models.ask(request, document, log=not args.no_log, progress=progress)
    answered = models.with_beside(answered) if beside else answered
    if inside is not None:
        inside(models, answered)
    return answered if wants is None else models.with_details(answered, wants)


def write_answer(
    answered: AnsweredRun,
    args: argparse.Namespace,
    show: Show,
    besides: Sequence[AnsweredRun] = (),
) -> None:
    """Print a result for people or as JSON, and write its table where one was asked for.

    Args:
        answered: The answer.
        args: With the options of `add_output_options`.
        show: Prints an answer for people.
        besides: What was asked besides: printed below, in JSON by the names of their questions.

    Raises:
        MachineFault: The CSV file can't be written.
    """
    if args.csv is not None:
        write_csv(args, answered.run)
    if args.json:
        print_json({**as_json(answered), **{one.run.operation: as_json(one) for one in besides}})
        return
    for number, one in enumerate((answered, *besides)):
        if number:
            print()
        show(one)


def as_json(answered: AnsweredRun) -> dict[str, Any]:
    """An answer as every command prints it: its question, the result's fields, and its table.

    The fields are those that the question makes from them, too, and what is laid beside them.
    """
    fields = fields_with(answered.run.question, answered.result, answered.beside)
    table = None if answered.run.table is None else answered.run.table.plain()
    return {"operation": answered.run.operation, **fields, "table": table}


def fields_with(
    question: Question[Any, Any], result: Any, beside: Mapping[Detail, Any]
) -> dict[str, Any]:
    """A result's fields, and those of what is laid beside it, in lists by their questions."""
    from explorer.questions import question_of
    from explorer.serialise import to_builtins

    fields = fields_of(result, question)
    for detail, one in beside.items():
        of = question_of(detail.request)
        told = to_builtins(one) if isinstance(one, Failure) else fields_of(one, of)
        fields.setdefault(of.name, []).append(told)
    return fields


def fields_of(result: Any, question: Question[Any, Any]) -> dict[str, Any]:
    """A result's fields as --json prints them, and those that its question makes from them."""
    from explorer.serialise import to_builtins

    derived = question.derived
    made = {} if derived is None else to_builtins(derived(result))
    return {**to_builtins(result), **made}


def write_csv(args: argparse.Namespace, run: "LoggedRun") -> None:
    """Write a run's table, and its caption where that was asked for.

    Raises:
        MachineFault: A file can't be written.
    """
    from explorer.sessions.export import tables

    table = run.table
    if table is not None:
        # One word behind --caption is of pictures alone.
        wanted = (one for one in tables.CAPTION_PLACES if one == args.caption)
        tables.write_csv(args.csv, table, caption_now(run), next(wanted, "none"))


def caption_now(run: "LoggedRun") -> str:
    """How a run that was answered just now came about."""
    from datetime import UTC, datetime

    from explorer.sessions.export.provenance import Provenance

    return Provenance.of(run, datetime.now(UTC).isoformat(timespec="seconds")).said()


def print_json(value: Any) -> None:
    """One JSON object on stdout, on one line, and nothing else."""
    import msgspec

    from explorer.serialise import to_builtins

    value = to_builtins(value)
    try:
        text = msgspec.json.encode(value, enc_hook=_in_words).decode("utf-8")
    except UnicodeEncodeError:
        # The name of a file may be no text at all; JSON writes its bytes as escapes.
        text = json.dumps(msgspec.to_builtins(value, enc_hook=_in_words), separators=(",", ":"))
    sys.stdout.write(text + "\n")


def _in_words(value: object) -> str:
    """A phrase as programs read it, in English."""
    if isinstance(value, Phrase):
        return str(value)
    raise NotImplementedError(type(value))


class Log:
    """The session log, open for what a command asks; a problem must not cost the answers.

    Args:
        program: Where it is.
        session: The session's name.
    """

    def __init__(self, program: Program, session: str = SESSION_NAME) -> None:
        from explorer.sessions.log.log import SessionLog

        self._folder = program.paths.sessions.parent
        self._notices: list[str] = []
        self._problems: dict[str, None] = {}
        self._log = SessionLog(program.paths.sessions, session, self._notices.append)
        self._log.opened.wait(OPENING_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def record(self, run: "LoggedRun") -> str:
        """Write one run, and wait for it; returns its id, "" where it could not be written."""
        written = threading.Event()
        problems: list[str] = []

        def told(problem: str | None) -> None:
            if problem:
                problems.append(problem)
            written.set()

        run_id = self._log.record(run, told)
        written.wait()
        for problem in problems:
            self._problems[problem] = None
        return "" if problems else run_id

    def close(self) -> None:
        """Write what still waits, and tell what went wrong, each thing once."""
        self._log.close()
        for problem in self._problems:
            sys.stderr.write(f"Not logged: {problem}\n")
        # What became of the database, where that is not the reason told above.
        for notice in dict.fromkeys(self._notices):
            if notice and not any(notice.startswith(problem) for problem in self._problems):
                sys.stderr.write(f"{notice} Both are in {self._folder}.\n")


def _run(
    request: Any,
    document: Document,
    result: Any,
    models: Mapping[str, ModelStamp],
    duration: float,
    failure: Failure | None,
    libraries: Mapping[str, str],
) -> "LoggedRun":
    """A question and what came of it, as the log keeps it."""
    from explorer.questions import question_of, versions_of
    from explorer.sessions.records import LoggedRun

    question = question_of(request)
    return LoggedRun(
        question=question,
        document=document,
        request=request,
        result=result,
        models=models,
        seed=int(getattr(request, "seed", 0)),
        duration=duration,
        versions={**libraries, **versions_of(question), **commits_of(models.values())},
        failure=failure,
    )
