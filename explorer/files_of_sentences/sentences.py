"""Sentences from a file: a text file has one a line, a table (csv, tsv) one a row.

A file is read line by line, never as a whole, so its size costs no memory.
"""

import codecs
import csv
import itertools
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from explorer.api.question import UserMistake
from explorer.files.typed_paths import refuse_impossible, unreadable
from explorer.files_of_sentences.formats.layout import LOOKED_AT, TableLayout, layout_of
from explorer.text import N_, Phrase

MOST = 100_000
"""Sentences that are read of one file; what comes after them is left out, and that is said."""

LONGEST_LINE = 100_000
"""Characters of one line or cell: far more than a model takes, and little enough to hold."""

JSON_LINES = frozenset({".jsonl", ".ndjson"})
TREEBANK = ".conllu"
TABLES = frozenset({".csv", ".tsv", TREEBANK, *JSON_LINES})
SQUAD = ".json"
"""Passages with questions and their answers, as SQuAD has them (`squad_files`)."""
ENDINGS = frozenset({".txt", ".text", SQUAD, *TABLES})

_FIRST = 4
_DOUBLED = re.compile(r'"(?:[^"]|"")*""(?:[^"]|"")*"')
"""A cell as a spreadsheet writes one that holds quotation marks."""
_UTF8 = N_("Save it as UTF-8 and open it again.")


@dataclass(frozen=True)
class FileSentence:
    """One sentence of a file.

    Attributes:
        number: The line of the file on which it begins, from 1.
        text: Without spaces around it; never empty.
        pair: The second sentence, or None.
        expected: What is right, as a label, or answers with "|" between them; None where the file
            does not say.
        kept: The cells of the file's other columns, as it has them; what is asked is the same
            whatever they are.
    """

    number: int
    text: str
    pair: str | None = None
    expected: str | None = None
    kept: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class FileSurvey:
    """What is in a file of sentences.

    Attributes:
        count: Sentences that are read, at most MOST.
        left_out: Sentences after these.
        columns: Names of the columns of a table; empty for a text file.
        column: The one that is read.
        pair_column: The one that second sentences are read from, or "".
        choices_column: The one whose choices are read behind each question, or "".
        first: The first few sentences.
        expected_column: The one that says what is right, or "".
        has_names: The first row of the table names its columns.
        kept: Names of the columns that rows keep: all but those of sentences.
    """

    count: int
    left_out: int
    columns: tuple[str, ...]
    column: str
    pair_column: str
    first: tuple[FileSentence, ...]
    choices_column: str = ""
    expected_column: str = ""
    has_names: bool = False
    kept: tuple[str, ...] = ()


def read_sentences(
    path: Path | str, column: str = "", pair_column: str = ""
) -> Iterator[FileSentence]:
    """The sentences of a file in order, at most MOST; empty ones are passed over.

    The first row of a table names its columns where it looks so (`layout.py`); else they are "1",
    "2" and so on. Without a column named, the first of TEXT_NAMES is read, or the one with the
    longest texts; second sentences come from the first of PAIR_NAMES, where there is one, or for a
    passage from a column of questions; what is right from the first of EXPECTED_NAMES. Where there
    is a column of choices, a sentence is the question with its choices behind it, and a column
    "answer" says which of them is right.

    Args:
        path: Ending with .txt, .csv, .tsv, .jsonl (an object a line, whose keys are the columns)
            or .conllu; everything else is read as .txt is. In UTF-8, or in UTF-16 with a byte
            order mark.
        column: Of a table: the name of the column to read, or its number from 1.
        pair_column: Of a table: that of second sentences, likewise; "-" for none.

    Raises:
        UserMistake: The file can't be read, is no text, or has no such column.
    """
    return itertools.islice(_all_sentences(Path(path), column, pair_column), MOST)


def named_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table by the names of its columns, in small letters, each with its line.

    None where its first row names no columns; at most MOST.

    Raises:
        UserMistake: The file can't be read, or is empty.
    """
    layout = _layout(path, "", "")
    names = [name.casefold() for name in layout.names]
    if layout.has_names:
        rows = itertools.islice(_rows(path), 1, MOST + 1)
        yield from ((number, dict(itertools.zip_longest(names, row[: len(names)], fillvalue="")))
                    for number, row in rows)  # fmt: skip


def count_sentences(path: Path | str, column: str = "", pair_column: str = "") -> int:
    """How many sentences `read_sentences` gives.

    Raises:
        UserMistake: As `read_sentences`.
    """
    return sum(1 for _one in read_sentences(path, column, pair_column))


def survey(path: Path | str, column: str = "", pair_column: str = "") -> FileSurvey:
    """Read a file once, to tell what is in it.

    Raises:
        UserMistake: As `read_sentences`.
    """
    path = Path(path)
    layout = _layout(path, column, pair_column)
    sentences = _all_sentences(path, column, pair_column)
    first = tuple(itertools.islice(sentences, _FIRST))
    every = len(first) + sum(1 for _one in sentences)
    return FileSurvey(
        count=min(every, MOST),
        left_out=max(0, every - MOST),
        columns=layout.names,
        column=layout.named(layout.text),
        pair_column=layout.named(layout.pair) or _questions_of(path),
        first=first,
        choices_column=layout.named(layout.choices),
        expected_column=layout.named(layout.expected),
        has_names=layout.has_names,
        kept=tuple(layout.names[at] for at in layout.kept),
    )


def _questions_of(path: Path) -> str:
    """What a file without columns has its second texts from."""
    return "question" if path.suffix.lower() == SQUAD else ""


def _all_sentences(path: Path, column: str, pair_column: str) -> Iterator[FileSentence]:
    if path.suffix.lower() == SQUAD:
        from explorer.files_of_sentences.formats.squad_files import asked_in

        return itertools.starmap(FileSentence, asked_in(path))
    if path.suffix.lower() in TABLES:
        return _from_table(path, _layout(path, column, pair_column))
    if column or pair_column:
        raise UserMistake(
            N_("{name} is a text with a sentence on every line, and has no columns."),
            N_("Leave the column empty, or choose a table: .csv, .tsv, .jsonl or .conllu."),
            name=path.name,
        )
    return _from_text(path)


def _from_text(path: Path) -> Iterator[FileSentence]:
    for number, line in lines_of(path, newline=None):
        text = line.strip()
        if text:
            yield FileSentence(number, text)


def _from_table(path: Path, layout: TableLayout) -> Iterator[FileSentence]:
    for place, (number, row) in enumerate(_rows(path)):
        if place == 0 and layout.has_names:
            continue
        text = row[layout.text].strip() if layout.text < len(row) else ""
        if not text:
            continue
        second, choices, right = (
            row[at].strip() if at is not None and at < len(row) else None
            for at in (layout.pair, layout.choices, layout.expected)
        )
        kept = tuple(row[at] if at < len(row) else "" for at in layout.kept)
        yield FileSentence(number, with_choices(text, choices or ""), second or None, right, kept)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table of any kind; the names of its columns are the first, where it has any."""
    ending = path.suffix.lower()
    if ending in JSON_LINES:
        from explorer.files_of_sentences.formats import json_lines

        return json_lines.rows_in(path, lines_of, LOOKED_AT)
    if ending == TREEBANK:
        from explorer.files_of_sentences.formats import conllu

        return conllu.rows_in(path, lines_of, LOOKED_AT)
    return rows_of(path, delimiter_of(path))


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

    Where tabs stand between the cells, a row is a line and a quotation mark is one, as in the
    tables of GLUE; unless all names in the first row are in quotation marks.

    Raises:
        UserMistake: The file can't be read, is no text, or has a row that never ends.
    """
    if delimiter == "\t" and not _quotes_all(path):
        for number, line in lines_of(path, newline=None):
            if line.strip():
                yield number, [_plain(cell) for cell in line.rstrip("\n").split("\t")]
        return
    quotes = 0

    def counted() -> Iterator[str]:
        nonlocal quotes
        for _number, line in lines_of(path, newline=""):
            quotes += line.count('"')
            yield line

    reader = csv.reader(counted(), delimiter=delimiter, strict=False)
    begins = last = 1
    is_open = False
    while True:
        before, read = quotes, reader.line_num
        try:
            row = next(reader)
        except StopIteration:
            if is_open:
                raise _never_ends(path, last, Phrase(N_("the file ends in it"))) from None
            return
        except csv.Error as error:
            raise _never_ends(path, begins, error) from error
        # The reader takes what a mark that is never closed swallows for one long cell.
        is_open, last = reader.line_num - read > 1 and (quotes - before) % 2 == 1, begins
        if row:
            yield begins, row
        begins = reader.line_num + 1


def _never_ends(path: Path, begins: int, why: object) -> UserMistake:
    return UserMistake(
        N_("Line {begins} of {name} can't be read as a row of a table ({error})."),
        N_("Look for a quotation mark that is never closed."),
        begins=begins,
        name=path.name,
        error=why,
    )


def _quotes_all(path: Path) -> bool:
    """Whether every cell of the first row of a table with tabs is in quotation marks."""
    _number, line = next(lines_of(path), (0, ""))
    cells = line.strip().split("\t")
    return all(len(cell) > 1 and cell[0] == cell[-1] == '"' for cell in cells)


def _plain(cell: str) -> str:
    """A cell without the marks that a spreadsheet puts around one with quotation marks in it."""
    return cell[1:-1].replace('""', '"') if _DOUBLED.fullmatch(cell) else cell


def _layout(path: Path, column: str, pair_column: str) -> TableLayout:
    if path.suffix.lower() not in TABLES:
        return TableLayout()
    rows = [row for _number, row in itertools.islice(_rows(path), LOOKED_AT)]
    if not rows:
        raise UserMistake(
            N_("{name} is empty."), N_("Choose a file with sentences in it."), name=path.name
        )
    named = path.suffix.lower() in {TREEBANK, *JSON_LINES}
    return layout_of(path.name, rows, column, pair_column, named=named)


def delimiter_of(path: Path) -> str:
    """What stands between the cells of a table.

    A tab, in a .csv file a comma, or the semicolon that spreadsheets write where the comma is the
    decimal point.

    Raises:
        UserMistake: The file can't be read or is no text.
    """
    if path.suffix.lower() != ".csv":
        return "\t"
    _number, line = next(lines_of(path, newline=""), (0, ""))
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
