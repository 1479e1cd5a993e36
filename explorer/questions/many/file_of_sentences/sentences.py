"""Sentences from a file: a text file has one a line, a table (csv, tsv) one a row.

A file is read line by line, never as a whole, so its size costs no memory.
"""

import codecs
import csv
import itertools
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from explorer.api import UserMistake
from explorer.files.typed_paths import refuse_impossible, unreadable
from explorer.text import N_

MOST = 100_000
"""Sentences that are read of one file; what comes after them is left out, and that is said."""

LONGEST_LINE = 100_000
"""Characters of one line or cell: far more than a model takes, and little enough to hold."""

TABLES = frozenset({".csv", ".tsv"})
SQUAD = ".json"
"""Passages with questions and their answers, as SQuAD has them (`squad_files`)."""
ENDINGS = frozenset({".txt", ".text", SQUAD, *TABLES})

PASSAGE_NAMES = ("context", "passage")
TEXT_NAMES = ("text", "sentence", "sentence1", "sentence_1", "premise", *PASSAGE_NAMES, "question")
PAIR_NAMES = (
    "pair",
    "text_pair",
    "text2",
    "sentence2",
    "sentence_2",
    "hypothesis",
    "answer",
    "english",
)
EXPECTED_NAMES = ("expected", "label", "gold", "answers")
"""Names of columns that are taken without asking, in this order, whatever their case."""

CHOICES_NAME, ANSWER_NAME = "choices", "answer"
"""What may be answered to a question, which is read behind it; the other is then what is right."""

_LOOKED_AT = 4
_SENTENCE = re.compile(r"\s.*[.!?。]\W*$", re.DOTALL)
_UTF8 = N_("Save it as UTF-8 and open it again.")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a file.

    Attributes:
        number: The line of the file on which it begins, from 1.
        text: Without spaces around it; never empty.
        pair: The second sentence, or None.
        expected: What is right, as a label, or answers with "|" between them; None where the file
            does not say.
    """

    number: int
    text: str
    pair: str | None = None
    expected: str | None = None


@dataclass(frozen=True)
class Survey:
    """What is in a file of sentences.

    Attributes:
        count: Sentences that are read, at most MOST.
        left_out: Sentences after these.
        columns: Names of the columns of a table; empty for a text file.
        column: The one that is read.
        pair_column: The one that second sentences are read from, or "".
        choices_column: The one whose choices are read behind each question, or "".
        first: The first few sentences.
    """

    count: int
    left_out: int
    columns: tuple[str, ...]
    column: str
    pair_column: str
    first: tuple[Sentence, ...]
    choices_column: str = ""


def read_sentences(path: Path | str, column: str = "") -> Iterator[Sentence]:
    """The sentences of a file in order, at most MOST; empty ones are passed over.

    The first row of a table names its columns, unless one of its cells is a sentence: then the
    columns are "1", "2" and so on. Without a column named, the first of TEXT_NAMES is read, or
    the first column; second sentences come from the first of PAIR_NAMES, where there is one, or
    for a passage from a column of questions; what is right from the first of EXPECTED_NAMES.
    Where there is a column of choices, a sentence is the question with its choices behind it, and
    a column "answer" says which of them is right.

    Args:
        path: Ending with .txt, .csv or .tsv; everything else is read as .txt is. In UTF-8, or in
            UTF-16 with a byte order mark.
        column: Of a table: the name of the column to read, or its number from 1.

    Raises:
        UserMistake: The file can't be read, is no text, or has no such column.
    """
    return itertools.islice(_all_sentences(Path(path), column), MOST)


def count_sentences(path: Path | str, column: str = "") -> int:
    """How many sentences `read_sentences` gives.

    Raises:
        UserMistake: As `read_sentences`.
    """
    return sum(1 for _ in read_sentences(path, column))


def survey(path: Path | str, column: str = "") -> Survey:
    """Read a file once, to tell what is in it.

    Raises:
        UserMistake: As `read_sentences`.
    """
    path = Path(path)
    layout = _layout(path, column)
    sentences = _all_sentences(path, column)
    first = tuple(itertools.islice(sentences, _LOOKED_AT))
    every = len(first) + sum(1 for _ in sentences)
    names = layout.names
    return Survey(
        count=min(every, MOST),
        left_out=max(0, every - MOST),
        columns=names,
        column=names[layout.text] if names else "",
        pair_column=names[layout.pair] if layout.pair is not None else _questions_of(path),
        first=first,
        choices_column=names[layout.choices] if layout.choices is not None else "",
    )


def _questions_of(path: Path) -> str:
    """What a file without columns has its second texts from."""
    return "question" if path.suffix.lower() == SQUAD else ""


@dataclass(frozen=True)
class _Layout:
    """Where a table has its sentences."""

    names: tuple[str, ...] = ()
    has_names: bool = False
    delimiter: str = ","
    text: int = 0
    pair: int | None = None
    expected: int | None = None
    choices: int | None = None


def _all_sentences(path: Path, column: str) -> Iterator[Sentence]:
    if path.suffix.lower() == SQUAD:
        from explorer.questions.many.file_of_sentences.squad_files import asked_in

        return itertools.starmap(Sentence, asked_in(path))
    if path.suffix.lower() in TABLES:
        return _from_table(path, _layout(path, column))
    if column:
        raise UserMistake(
            N_("{name} is a text with a sentence on every line, and has no columns."),
            N_("Leave the column away, or choose a .csv or .tsv file."),
            name=path.name,
        )
    return _from_text(path)


def _from_text(path: Path) -> Iterator[Sentence]:
    for number, line in lines_of(path, newline=None):
        text = line.strip()
        if text:
            yield Sentence(number, text)


def _from_table(path: Path, layout: _Layout) -> Iterator[Sentence]:
    for place, (number, row) in enumerate(rows_of(path, layout.delimiter)):
        if place == 0 and layout.has_names:
            continue
        text = row[layout.text].strip() if layout.text < len(row) else ""
        if not text:
            continue
        second, choices, right = (
            row[at].strip() if at is not None and at < len(row) else None
            for at in (layout.pair, layout.choices, layout.expected)
        )
        yield Sentence(number, with_choices(text, choices or ""), second or None, right)


def with_choices(question: str, choices: str) -> str:
    """A question with its choices behind it, as they are read off a text: A) one B) another.

    Args:
        question: Without them.
        choices: With "|" between them; or semicolons, or commas, where there is none.
    """
    between = next((one for one in "|;," if one in choices), "|")
    listed = dict.fromkeys(one.strip() for one in choices.split(between) if one.strip())
    letters = itertools.cycle(string.ascii_uppercase)
    marked = (f"{letter}) {one}" for letter, one in zip(letters, listed, strict=False))
    return " ".join((question, *marked))


def rows_of(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, each with the line on which it begins.

    Raises:
        UserMistake: The file can't be read, is no text, or has a row that never ends.
    """
    lines = lines_of(path, newline="")
    reader = csv.reader((line for _, line in lines), delimiter=delimiter, strict=False)
    begins = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise UserMistake(
                N_("Line {begins} of {name} can't be read as a row of a table ({error})."),
                N_("Look for a quotation mark that is never closed."),
                begins=begins,
                name=path.name,
                error=error,
            ) from error
        if row:
            yield begins, row
        begins = reader.line_num + 1


def _layout(path: Path, column: str) -> _Layout:
    if path.suffix.lower() not in TABLES:
        return _Layout()
    delimiter = delimiter_of(path)
    first = next((row for _, row in rows_of(path, delimiter)), None)
    if first is None:
        raise UserMistake(
            N_("{name} is empty."), N_("Choose a file with sentences in it."), name=path.name
        )
    cells = [cell.strip() for cell in first]
    has_names = _are_names(cells)
    names = tuple(
        cell if has_names and cell else str(number) for number, cell in enumerate(cells, start=1)
    )
    folded = [name.casefold() for name in names]
    if column:
        text = _column(path, names, folded, column)
    else:
        text = next((folded.index(name) for name in TEXT_NAMES if name in folded), 0)
    choices = folded.index(CHOICES_NAME) if CHOICES_NAME in folded else None
    if choices == text:
        choices = None
    seconds, rights = list(PAIR_NAMES), list(EXPECTED_NAMES)
    if choices is not None:
        seconds.remove(ANSWER_NAME)
        rights.append(ANSWER_NAME)
    pair = next((folded.index(name) for name in seconds if name in folded), None)
    if pair is None and folded[text] in PASSAGE_NAMES and "question" in folded:
        pair = folded.index("question")
    expected = next((folded.index(name) for name in rights if name in folded), None)
    return _Layout(
        names,
        has_names,
        delimiter,
        text,
        None if pair == text else pair,
        None if expected in {text, pair} else expected,
        choices,
    )


def _column(path: Path, names: tuple[str, ...], folded: list[str], column: str) -> int:
    wanted = column.strip()
    if wanted in names:
        return names.index(wanted)
    if wanted.casefold() in folded:
        return folded.index(wanted.casefold())
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    raise UserMistake(
        N_('{name} has no column "{wanted}".'),
        N_("Its columns are {names}."),
        name=path.name,
        wanted=wanted,
        names=", ".join(names),
    )


def _are_names(cells: list[str]) -> bool:
    """Whether a first row names the columns: it does unless it holds a sentence already."""
    known = {*TEXT_NAMES, *PAIR_NAMES, *EXPECTED_NAMES, CHOICES_NAME}
    return any(cell.casefold() in known for cell in cells) or not any(
        _SENTENCE.search(cell) for cell in cells
    )


def delimiter_of(path: Path) -> str:
    """What stands between the cells of a table.

    A tab, in a .csv file a comma, or the semicolon that spreadsheets write where the comma is the
    decimal point.

    Raises:
        UserMistake: The file can't be read or is no text.
    """
    if path.suffix.lower() != ".csv":
        return "\t"
    _, line = next(lines_of(path, newline=""), (0, ""))
    bare = re.sub(r'"[^"]*"', "", line)
    return ";" if bare.count(";") > bare.count(",") else ","


def lines_of(path: Path, newline: str | None = None) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers.

    Raises:
        UserMistake: The file can't be read or is no text.
    """
    number = 0
    refuse_impossible(path)
    try:
        if path.exists() and not path.is_file():
            # A pipe could be read only once, and may never come to an end.
            raise UserMistake(
                N_("{name} is not a file."), N_("Choose a file with sentences."), name=path.name
            )
        with path.open("rb") as raw:
            encoding = _encoding(raw.read(4))
        with path.open(encoding=encoding, newline=newline) as file:
            for line in _short_lines(file, path.name):
                number += 1
                if "\0" in line:
                    raise UserMistake(
                        N_("{name} is not a text file."), N_("Choose another file."), name=path.name
                    )
                yield number, line
    except UnicodeError as error:
        raise UserMistake(
            N_("{name} is not in UTF-8 (near line {number})."),
            _UTF8,
            name=path.name,
            number=number + 1,
        ) from error
    except OSError as error:
        raise unreadable(path, error) from error


def _short_lines(file: IO[str], name: str) -> Iterator[str]:
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise UserMistake(
                N_("Line {number} of {name} is longer than {longest_line} characters."),
                N_("Put every sentence on a line of its own."),
                number=number,
                name=name,
                longest_line=LONGEST_LINE,
            )
        yield line


def _encoding(begin: bytes) -> str:
    if begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "utf-8-sig"
