"""What does this model answer for every sentence of a file?"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.question import (
    BY_NAME,
    NOTHING_LOADED,
    Asks,
    Condition,
    Listing,
    Loaded,
    ModelStamp,
    Question,
    Rows,
    Switch,
    Topic,
    UserMistake,
    Whole,
    Words,
    asked,
    computed,
    rows_changed,
    told_by,
    with_entities,
)
from explorer.api.question.roles import SECOND
from explorer.document import Document
from explorer.files_of_sentences.compared import ComparedReader, parted
from explorer.files_of_sentences.rows import UNKNOWN, ColumnSpread, ResultsReader
from explorer.files_of_sentences.sentences import FileSentence
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
    FURTHER,
    OPTIONS,
    PAIR_COLUMN,
    PROCESSES,
)
from explorer.serialise import to_json
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING


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
        further: Names of checkpoints that are loaded in turn and asked as well.
        processes: How many processes answer; 0 decides by how long it takes, 1 is this one alone.
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
    further: tuple[str, ...] = asked(FURTHER)
    processes: int = asked(PROCESSES)

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
        further = FURTHER.of(document) if question.one_answers else ()
        compare = compares(question, document)
        return replace(
            request,
            compare=compare,
            pair_column=pair,
            further=further,
            processes=PROCESSES.of(document),
        )

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
class FurtherModel:
    """A model that was loaded for the sentences of the file alone.

    Attributes:
        checkpoint: Its name in the library.
        stamp: Who answered; None where nobody did yet.
        results: Path of its rows; "" where there are none yet.
    """

    checkpoint: str
    stamp: ModelStamp | None = None
    results: str = ""


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
        further: Other models whose rows are laid beside the first one's.
        sharing: Which processes may share in what is left, and what that costs; nothing where all
            is done, or this one answers alone.
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
    further: tuple[FurtherModel, ...] = ()
    sharing: Phrase = NOTHING

    @property
    def beside(self) -> tuple[tuple[ModelStamp | None, str], ...]:
        """Whose rows stand beside the first model's, and where they are."""
        second = ((self.other, self.compared),) if self.compared else ()
        return (*second, *((one.stamp, one.results) for one in self.further if one.results))

    @property
    def waiting(self) -> tuple[str, ...]:
        """Further models that were not asked yet."""
        return tuple(one.checkpoint for one in self.further if not one.results)

    def __post_init__(self) -> None:
        """Whatever name the question had, it has the one of today."""
        from explorer.questions.former_names import name_today

        object.__setattr__(self, "operation", name_today(self.operation))


def results_of(result: FileOfSentencesResult) -> ResultsReader:
    """The rows of an answer: their file may have more, where another run asked for more."""
    place = Path(result.results)
    if not result.beside:
        return ResultsReader(place, result.count)
    stamps = (result.model, *(stamp for stamp, _place in result.beside))
    names = ["" if stamp is None else stamp.id for stamp in stamps]
    others = [Path(other) for _stamp, other in result.beside]
    return ComparedReader(place, others, names, result.count)


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


def request_of(request: FileOfSentencesRequest) -> Any:
    """What is asked about every sentence, without one.

    Raises:
        UserMistake: The question is unknown, or its settings can't be read.
    """
    return template_read(question_of(request), request.request)


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
    run=computed(__name__),
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
    is_provisional=lambda result: not result.done or bool(result.waiting),
    upgrades=(rows_changed,),
)
