"""What does this model answer for every sentence of a file?"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.question import (
    BY_NAME,
    NOTHING_LOADED,
    Asks,
    Condition,
    Context,
    Listing,
    Loaded,
    MachineFault,
    ModelStamp,
    Question,
    Rows,
    Switch,
    Topic,
    Unavailable,
    UserMistake,
    Whole,
    Words,
    asked,
    missing_port,
    rows_changed,
    told_by,
    with_entities,
)
from explorer.api.question.roles import SECOND
from explorer.document import Document
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.compared import ComparedReader, parted
from explorer.files_of_sentences.rows import UNKNOWN, ColumnSpread, ResultsReader
from explorer.files_of_sentences.sentences import FileSentence, FileSurvey, survey
from explorer.files_of_sentences.template import template_read
from explorer.questions.many.file_of_sentences.casting import (
    asked_of,
    blank,
    casting,
    compares,
    finds_entities,
)
from explorer.questions.many.file_of_sentences.options import (
    ASKED_QUESTION,
    COLUMN,
    COMPARE,
    FILE,
    OPTIONS,
    PAIR_COLUMN,
)
from explorer.serialise import to_json
from explorer.text import N_, Phrase, _

FAILURES_TOLD = 100
"""Of the sentences that failed, how many a result names."""


@dataclass(frozen=True)
class FileOfSentencesRequest(Asks):
    """Ask one question about every sentence of a file.

    Attributes:
        path: The file: .txt with a sentence on every line, .csv or .tsv, or .json with questions
            about passages.
        operation: Name of the question that asks; it must have a summary.
        column: The column of a table; "" finds it.
        pair_column: That of second texts; "" finds it, "-" is none.
        compare: Another model is asked as well, and the two are laid side by side.
    """

    path: str = asked(FILE, required=True)
    operation: str = asked(ASKED_QUESTION, required=True)
    request: str = asked(
        Words(
            N_("Settings"),
            "",
            N_("The question as JSON, with any sentence; empty for its usual settings."),
        ),
        is_held=False,
    )
    column: str = asked(COLUMN)
    start: bool = asked(
        Switch(
            N_("Start"), True, N_("Go on with what is not done; without, only say how far it is.")
        ),
        is_held=False,
    )
    limit: int = asked(
        Whole(
            N_("Limit"), 0, N_("How many sentences are asked about; 0 for all."), high=10_000_000
        ),
        is_held=False,
    )
    compare: bool = asked(COMPARE)
    pair_column: str = asked(PAIR_COLUMN)

    def __post_init__(self) -> None:
        """Whatever name the question came by, it has the one of today."""
        from explorer.questions.former_names import name_today, request_today

        if self.request and name_today(self.operation) != self.operation:
            object.__setattr__(self, "request", request_today(self.operation, self.request))
        object.__setattr__(self, "operation", name_today(self.operation))

    @classmethod
    def of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> "FileOfSentencesRequest":
        """The question that is chosen, with its settings in the document."""
        path, name = FILE.of(document), asked_of(loaded.cards, loaded.active or "", document)
        question = question_asked(name)
        if question is None:
            return cls(path, "")
        by_name = finds_entities(question, document, loaded.cards, loaded.active or "")
        request = cls.about(question, document, path, COLUMN.of(document), by_name=by_name)
        pair = PAIR_COLUMN.of(document)
        return replace(request, compare=compares(question, document), pair_column=pair)

    @property
    def is_whole(self) -> bool:
        """There are a file and a question that can be asked of it."""
        question = question_asked(self.operation)
        return bool(self.path) and question is not None and question.summary is not None

    def check(self) -> None:
        """Refuse settings of the question about every sentence that it would refuse."""
        super().check()
        question = question_asked(self.operation)
        if question is not None and self.request:
            template_read(question, self.request).check()

    @staticmethod
    def about(
        question: Question[Any, Any],
        document: Document,
        path: str,
        column: str = "",
        *,
        by_name: bool = False,
    ) -> "FileOfSentencesRequest":
        """Ask a question with the options that a document has for it.

        Args:
            question: The question.
            document: With the options.
            path: The file.
            column: The column of a table; "" finds it.
            by_name: Read every sentence with the entities whose names stand in it.
        """
        asked = template_of(question, document, by_name=by_name)
        return FileOfSentencesRequest(path, question.name, to_json(asked), column)


@dataclass(frozen=True)
class FileOfSentencesResult:
    """How far it is, and where the rows are.

    Attributes:
        model: Who answers.
        source: Name of the file of sentences.
        question: Whose question it is.
        count: Sentences in the file, without empty ones.
        left_out: Sentences after the most that are read, which are not asked about.
        done: Sentences with a row; failed ones have one too.
        failed: Sentences that have no answer.
        results: Path of the file with the rows (`ResultsReader` in rows.py reads it).
        columns: Names of a row's cells, the question's own between the sentence and its failure.
        spreads: Count, mean and bounds of every column of numbers.
        failures: The first sentences that failed: line, text, and why.
        column: The column of the file that was read.
        pair_column: The one second sentences came from.
        file_columns: All of its columns.
        first: The first few sentences.
        other: The model of the second role, where the question has two.
        choices_column: The one whose choices stand behind each question; "" for none.
        by_name: Every sentence was read with the entities whose names stand in it.
        expected_column: The one that says what is right; "" for none.
        compared: Path of the second model's rows, where two were asked one after the other; "" for
            one that was asked alone.
        has_names: The first row of the table names its columns; None where no table was read, and
            in answers of before this was told.
    """

    model: ModelStamp
    source: str
    operation: str
    count: int
    left_out: int
    done: int
    failed: int
    results: str
    columns: tuple[str, ...]
    spreads: tuple[ColumnSpread, ...]
    failures: tuple[tuple[int, str, str], ...] = ()
    column: str = ""
    pair_column: str = ""
    file_columns: tuple[str, ...] = ()
    first: tuple[FileSentence, ...] = ()
    other: ModelStamp | None = None
    choices_column: str = ""
    by_name: bool = False
    expected_column: str = ""
    has_names: bool | None = None
    compared: str = ""

    def __post_init__(self) -> None:
        """Whatever name the question had, it has the one of today."""
        from explorer.questions.former_names import name_today

        object.__setattr__(self, "operation", name_today(self.operation))


def run(model: Any, request: FileOfSentencesRequest, context: Context) -> FileOfSentencesResult:
    """Ask about every sentence that has no row yet, and keep a row of each.

    A sentence that can't be answered gets a row that says why, and the others go on. Rows are
    written at least every half second, so a run that is cancelled or killed goes on from there.

    Raises:
        Unavailable: The model does not answer this question, or it makes no sense for a sentence.
        UserMistake: The file can't be read or has no sentences; it changes while it is read;
            another run writes to the same results.
        MachineFault: The results can't be written.
        Cancelled: The run was cancelled; what is done stays done.
    """
    from explorer.files_of_sentences.answering import reading_of
    from explorer.files_of_sentences.asking import FileOfSentences, asked_about, state_of
    from explorer.files_of_sentences.results import ResultsWriter
    from explorer.questions.former_names import names_of

    if context.results is None:
        raise MachineFault(
            N_("There is no folder for the results."), N_("Start the program as usual.")
        )
    if not request.path:
        raise UserMistake(
            N_("There is no file yet."), N_("Choose a file with a sentence on every line.")
        )
    question = _question(model, request)
    template = template_read(question, request.request)
    models = [(model, context)]
    if request.compare:
        models = [of_role(context, question.first_role, role) for role in context.models]
    path = typed_path(request.path)
    context.progress(_("reading {name}", name=path.name), 0.0, 0.0)
    seen = state_of(path)
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
    places, by_name = [], False
    for one, its in models:
        one, asked, reading = reading_of(one, template, its)  # noqa: PLW2901 - the same, reading
        by_name |= getattr(asked, "entities", ()) == BY_NAME
        key = asked_about(path, told, question, asked, its.models)
        key = next(key.begun_in(context.results, names_of(question.name)), key)
        places.append(key.place(context.results))
        if request.start:
            with ResultsWriter(places[-1], key) as writer:
                writer.describe({"source": path.name, "operation": question.name})
                writer.keep(told.kept)
                work = FileOfSentences(path, request.column, told.count, seen, request.pair_column)
                work.ask(one, question, asked, writer, reading)
    other = next((one for role, one in context.models.items() if role != question.first_role), None)
    stamp = None if other is None else other.stamp
    result = _result(model.stamp, path, question, told, places, stamp)
    return replace(result, by_name=by_name)


def of_role(context: Context, first: str, role: str) -> tuple[Any, Context]:
    """One of two models that are asked one after the other, as if it were asked alone.

    Args:
        context: With both.
        first: The role of a question that one model answers.
        role: What this one plays here.
    """
    elsewhere = context.elsewhere
    if elsewhere is not None:
        elsewhere = replace(elsewhere, models={first: elsewhere.models[role]})
    model = context.models[role]

    def progress(stage: str, *far: Any) -> None:
        context.progress(f"{model.title}: {stage}", *far)

    alone = replace(context, models={first: model}, elsewhere=elsewhere, progress=progress)
    return model, alone


def results_of(result: FileOfSentencesResult) -> ResultsReader:
    """The rows of an answer: their file may have more, where another run asked for more."""
    place = Path(result.results)
    if result.compared:
        names = _names_of(result.model, result.other)
        return ComparedReader(place, Path(result.compared), names, result.count)
    return ResultsReader(place, result.count)


def _names_of(*stamps: ModelStamp | None) -> tuple[str, str]:
    one, two = ("" if stamp is None else stamp.id for stamp in stamps)
    return one, two


def template_of(question: Question[Any, Any], document: Document, *, by_name: bool = False) -> Any:
    """A question about any sentence, with the options that a document has for it.

    Args:
        question: The question.
        document: With the options; its text is left out.
        by_name: Read every sentence with the entities whose names stand in it.
    """
    request = question.request.of(blank(document)).for_rows()
    return with_entities(request, BY_NAME) if by_name else request


def question_of(request: FileOfSentencesRequest) -> Question[Any, Any]:
    """The question that is asked about every sentence.

    Raises:
        UserMistake: There is none of this name.
    """
    from explorer.questions import all_questions

    question = all_questions().get(request.operation)
    if question is None:
        raise UserMistake(
            N_('There is no question "{operation}".'),
            N_("Choose one of the list."),
            operation=request.operation,
        )
    return question


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


def request_of(request: FileOfSentencesRequest) -> Any:
    """What is asked about every sentence, without one.

    Raises:
        UserMistake: The question is unknown, or its settings can't be read.
    """
    return template_read(question_of(request), request.request)


def _result(
    stamp: ModelStamp,
    path: Path,
    question: Question[Any, Any],
    told: FileSurvey,
    places: Sequence[Path],
    other: ModelStamp | None,
) -> FileOfSentencesResult:
    place, *more = places
    reader = ResultsReader(place, told.count)
    for beside in more:
        reader = ComparedReader(place, beside, _names_of(stamp, other), told.count)
    done, failed = reader.counts()
    return FileOfSentencesResult(
        model=stamp,
        source=path.name,
        operation=question.name,
        count=told.count,
        left_out=told.left_out,
        done=done,
        failed=failed,
        results=str(place),
        columns=reader.columns,
        spreads=reader.spreads(),
        failures=reader.failures(FAILURES_TOLD),
        column=told.column,
        pair_column=told.pair_column,
        choices_column=told.choices_column,
        expected_column=told.expected_column,
        has_names=told.has_names if told.columns else None,
        file_columns=told.columns,
        first=told.first,
        other=other,
        compared=str(more[0]) if more else "",
    )


def parts(result: FileOfSentencesResult) -> tuple[Rows]:
    """The columns of numbers; the rows of the sentences are in the results file.

    Of unknown tokens it tells where there are any: runs of before counted none.
    """
    told = (one for one in result.spreads if parted(one.column)[0] != UNKNOWN or one.maximum)
    return (Rows(ColumnSpread, tuple(told)),)


def kept_columns(result: FileOfSentencesResult) -> tuple[str, ...]:
    """Columns that rows keep for what all answers say together, and nobody reads."""
    question = question_asked(result.operation)
    return question.pool.columns if question and question.pool else ()


def asked_with_roles(request: FileOfSentencesRequest) -> Question[Any, Any]:
    """The question about every sentence, with a role for each model that is asked it.

    Raises:
        UserMistake: There is none of this name.
    """
    question = question_of(request)
    if not request.compare:
        return question
    needs = question.first_needs
    return replace(question, roles={question.first_role: needs, SECOND: needs})


def question_asked(name: str) -> Question[Any, Any] | None:
    """The question that is asked about every sentence; None where it is known no more."""
    from explorer.questions.former_names import question_named

    return question_named(name)


EMPTY = N_(
    "Open a file, or drop one here: a text with a sentence on every line (.txt), a table (.csv, "
    ".tsv), or questions about passages as SQuAD has them (.json). Then choose what to ask; every "
    "sentence becomes a row."
)


def only_look(request: FileOfSentencesRequest) -> FileOfSentencesRequest:
    """How far it is; nothing is asked."""
    return replace(request, start=False)


QUESTION = Question(
    name="file_of_sentences",
    title=N_("File of sentences"),
    asks=N_("What does this model answer for every sentence of a file?"),
    listing=Listing(Topic.FILES, 1, "file-table-outline", "Ctrl+Shift+6"),
    found_by=(
        "batch",
        "dataset",
        "data set",
        "CSV file",
        "accuracy",
        "calibration",
        "confusion matrix",
        "데이터셋",
        "일괄 처리",
        "정확도",
        "보정",
    ),
    request=FileOfSentencesRequest,
    result=FileOfSentencesResult,
    run=run,
    parts=parts,
    # It is no question about a sentence, so that no file is asked it.
    summary=None,
    waiting_hint=N_("Load a model that answers a question about a sentence."),
    roles={},
    binding=casting,
    delegates_to=asked_with_roles,
    delegates_with=request_of,
    made_from=told_by(__name__),
    options=OPTIONS,
    conditions=(Condition(lambda document: bool(document.option(FILE.key, "")), EMPTY),),
    formerly=("over_file",),
    cheap_variant=only_look,
    # Until Run is pressed there is only how far it is.
    is_provisional=lambda result: not result.done,
    upgrades=(rows_changed,),
)
