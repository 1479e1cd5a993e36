"""Asks one question about every sentence of a file: of one model, or of several in turn."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.question import (
    BY_NAME,
    Checkpoint,
    Context,
    Knowledge,
    MachineFault,
    ModelStamp,
    Question,
    Unavailable,
    UserMistake,
    missing_port,
)
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.answering import reading_of
from explorer.files_of_sentences.asking import FileOfSentences, asked_about, state_of
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter
from explorer.files_of_sentences.runners.choice import sharing_told, with_processes
from explorer.files_of_sentences.sentences import FileSurvey, survey
from explorer.files_of_sentences.template import template_read
from explorer.questions.former_names import names_of
from explorer.questions.many.file_of_sentences.question import (
    FileOfSentencesRequest,
    FileOfSentencesResult,
    FurtherModel,
    question_of,
    results_of,
)
from explorer.text import N_, Phrase, _

FAILURES_TOLD = 100
"""Of the sentences that failed, how many a result names."""


def run(model: Any, request: FileOfSentencesRequest, context: Context) -> FileOfSentencesResult:
    """Ask about every sentence that has no row yet, and keep a row of each.

    A sentence that can't be answered gets a row that says why, and the others go on. Rows are
    written at least every half second, so a run that is cancelled or killed goes on from there.
    A further model is loaded when those before it are done, and let go when it is.

    Raises:
        Unavailable: A model does not answer this question, or it makes no sense for a sentence.
        UserMistake: The file can't be read or has no sentences; it changes while it is read;
            another run writes to the same results; a further model is not here.
        MachineFault: The results can't be written, or there is no room for as many processes.
        Cancelled: The run was cancelled; what is done stays done.
    """
    if context.results is None:
        raise MachineFault(
            N_("There is no folder for the results."), N_("Start the program as usual.")
        )
    if not request.path:
        raise UserMistake(
            N_("There is no file yet."), N_("Choose a file with a sentence on every line.")
        )
    context = with_processes(context, request.processes)
    question = _question(model, request)
    role = question.first_role
    further = tuple(_further(request, question, context))
    path = typed_path(request.path)
    context.progress(_("reading {name}", name=path.name), 0.0, 0.0)
    asking = _FileAsking(request, path, state_of(path), _told(request, path), question)
    models = [(model, context)]
    if request.compare:
        models = [_alone(context, role, one) for one in context.models]
    elif further:
        models = [_alone(context, role, role)]
    rows = [asking.rows_of(one, its) for one, its in models]
    own = {one.stamp.id for one, _its in models}
    beside = tuple(asking.rows_of_further(one, context) for one in further if one.id not in own)
    other = next((one for name, one in context.models.items() if name != role), None)
    told = asking.told
    found = FileOfSentencesResult(
        model=model.stamp,
        source=path.name,
        operation=question.name,
        count=told.count,
        left_out=told.left_out,
        done=0,
        failed=0,
        results=str(rows[0].place),
        columns=(),
        spreads=(),
        column=told.column,
        pair_column=told.pair_column,
        choices_column=told.choices_column,
        expected_column=told.expected_column,
        has_names=told.has_names if told.columns else None,
        file_columns=told.columns,
        first=told.first,
        other=None if other is None else other.stamp,
        by_name=any(one.by_name for one in rows),
        compared=str(rows[1].place) if request.compare else "",
        further=beside,
    )
    reader = results_of(found)
    done, failed = reader.counts()
    return replace(
        found,
        done=done,
        failed=failed,
        columns=reader.columns,
        spreads=reader.spreads(),
        failures=reader.failures(FAILURES_TOLD),
        sharing=sharing_told(context, told.count - done),
    )


@dataclass(frozen=True)
class _ModelRows:
    """One model's rows.

    Attributes:
        place: Their file.
        stamp: Who answered.
        by_name: Every sentence is read with the entities whose names stand in it.
    """

    place: Path
    stamp: ModelStamp
    by_name: bool


@dataclass(frozen=True)
class _FileAsking:
    """What each model is asked.

    Attributes:
        request: Says whether what has no row yet is asked.
        path: The file.
        seen: `state_of` the file, from before its content was first looked at.
        told: What is in it.
        question: Whose question it is.
    """

    request: FileOfSentencesRequest
    path: Path
    seen: tuple[int, ...]
    told: FileSurvey
    question: Question[Any, Any]

    @property
    def _template(self) -> Any:
        return template_read(self.question, self.request.request)

    def rows_of(self, model: Any, context: Context) -> _ModelRows:
        """A model's rows, once it was asked what has none yet."""
        reads, asked, context = reading_of(model, self._template, context)
        stamps = {role: one.stamp for role, one in context.models.items()}
        key, place = self._key(asked, stamps, context)
        if self.request.start:
            columns = self.request.column, self.request.pair_column
            with ResultsWriter(place, key) as writer:
                writer.describe({"source": self.path.name, "operation": self.question.name})
                writer.keep(self.told.kept)
                work = FileOfSentences(
                    self.path, columns[0], self.told.count, self.seen, columns[1]
                )
                work.ask(reads, self.question, asked, writer, context)
        return _ModelRows(place, model.stamp, getattr(asked, "entities", ()) == BY_NAME)

    def rows_of_further(self, checkpoint: Checkpoint, context: Context) -> FurtherModel:
        """The same of a model that is lent; where it is only looked at, none is loaded."""
        lending, role = context.lending, self.question.first_role
        assert lending is not None
        if self.request.start:
            its = _named(context, checkpoint.title)
            rows = lending.ask(checkpoint.id, role, its, self.rows_of)
            return FurtherModel(checkpoint.id, rows.stamp, str(rows.place))
        stamp, asked = lending.stamp(checkpoint.id), self._template
        if stamp is None:
            return FurtherModel(checkpoint.id)
        if hasattr(asked, "entities") and Knowledge.__name__ not in checkpoint.ports:
            asked = replace(asked, entities=())
        _key, place = self._key(asked, {role: stamp}, context)
        return FurtherModel(checkpoint.id, stamp, str(place) if place.exists() else "")

    def _key(
        self, asked: Any, stamps: dict[str, ModelStamp], context: Context
    ) -> tuple[ResultsKey, Path]:
        """What the rows of a model are named by, and their file."""
        assert context.results is not None
        key = asked_about(self.path, self.told, self.question, asked, stamps)
        key = next(key.begun_in(context.results, names_of(self.question.name)), key)
        return key, key.place(context.results)


def _told(request: FileOfSentencesRequest, path: Path) -> FileSurvey:
    """What is in the file, as far as it is asked about.

    Raises:
        UserMistake: It has no sentences, or none are wanted.
    """
    if request.limit < 0:
        raise UserMistake(N_("At least one sentence is needed."), N_("Choose a number from 1 on."))
    told = survey(path, request.column, request.pair_column)
    if 0 < request.limit < told.count:
        left = told.left_out + told.count - request.limit
        told = dataclasses.replace(told, count=request.limit, left_out=left)
    if not told.count:
        raise UserMistake(
            N_("There is no sentence in {name}."), N_("Choose another file."), name=path.name
        )
    return told


def _further(
    request: FileOfSentencesRequest, question: Question[Any, Any], context: Context
) -> Iterator[Checkpoint]:
    """The further models, each once: all are looked up before the first one is asked for an hour.

    Raises:
        ExplorerError: One is unknown, not here, or does not answer.
    """
    if not request.further:
        return
    if not question.one_answers:
        raise UserMistake(
            N_('"{title}" is asked of two models at once, not of one after the other.'),
            N_("Leave the further models out."),
            title=question.title,
        )
    if context.shelf is None or context.lending is None:
        raise MachineFault(
            N_("Further models can't be loaded here."), N_("Leave the further models out.")
        )
    rows = (context.shelf.known(name).checkpoint for name in request.further)
    for row in {one.id: one for one in rows}.values():
        if row.folder is None:
            raise UserMistake(
                N_("{title} is not on this machine yet."),
                N_("Download it from the model library."),
                title=row.title,
            )
        if question.name not in row.operations:
            raise Unavailable(
                N_('{name} does not answer "{title}".'),
                N_("Leave it out."),
                name=row.title,
                title=question.title,
            )
        if row.pickled and context.lending.stamp(row.id) is None:
            raise UserMistake(
                N_("The weights of {title} are a pickle, and you are asked before one is read."),
                N_("Load it as A or B first."),
                title=row.title,
            )
        yield row


def _alone(context: Context, first: str, role: str) -> tuple[Any, Context]:
    """One of the models that are asked one after the other, as if it were asked alone.

    Args:
        context: With all that are loaded.
        first: The role of a question that one model answers.
        role: What this one plays here.
    """
    elsewhere = context.elsewhere
    if elsewhere is not None:
        elsewhere = replace(elsewhere, models={first: elsewhere.models[role]})
    model = context.models[role]
    alone = replace(context, models={first: model}, elsewhere=elsewhere)
    return model, _named(alone, model.title)


def _named(context: Context, name: str) -> Context:
    """Whose progress it is that is told."""

    def progress(stage: str, *far: Any) -> None:
        context.progress(f"{name}: {stage}", *far)

    return replace(context, progress=progress)


def _question(model: Any, request: FileOfSentencesRequest) -> Question[Any, Any]:
    question = question_of(request)
    names = {field.name for field in dataclasses.fields(question.request)}
    if question.summary is None or "text" not in names:
        raise Unavailable(
            N_('"{title}" has no answer in one row for a sentence.'), title=question.title
        )
    port = missing_port(question.first_needs, model.ports)
    if port is not None:
        raise Unavailable("{why}", why=Phrase.joined([model.refused[port]]))
    return question
