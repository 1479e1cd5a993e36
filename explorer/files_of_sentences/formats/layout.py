"""Where a table has its sentences: whether its first row names the columns, and which are read."""

import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api.question import UserMistake
from explorer.text import N_

PASSAGE_NAMES = ("context", "passage")
TEXT_NAMES = (
    *("text", "sentence", "sentence1", "sentence_1", "premise", "question1"),
    *PASSAGE_NAMES,
    "question",
    # The likelier of a minimal pair, as CrowS-Pairs and BLiMP call it. The other one is no second
    # text of it: whoever asks about both names it.
    *("sent_more", "sentence_good"),
)
PAIR_NAMES = (
    "pair",
    "text_pair",
    "text2",
    "sentence2",
    "sentence_2",
    "hypothesis",
    "question2",
    "answer",
    "english",
)
EXPECTED_NAMES = ("expected", "label", "gold_label", "gold", "is_duplicate", "answers")
"""Names of columns that are taken without asking, in this order, whatever their case."""

CHOICES_NAME, ANSWER_NAME = "choices", "answer"
"""What may be answered to a question, which is read behind it; the other is then what is right."""

NO_COLUMN = "-"
"""Said in the place of a column's name: second texts are not read, whatever the names are."""

LOOKED_AT = 100
"""Rows by which columns are told from each other."""
_KNOWN = frozenset({*TEXT_NAMES, *PAIR_NAMES, *EXPECTED_NAMES, CHOICES_NAME})
_NAME = re.compile(r"\w[\w.()#/-]*")
"""A column's name as programs write it: without spaces, and no sentence's end behind it."""
_JOINED = re.compile(r"[a-zA-Z]\w*_\w+")
"""A name of several words, as no text has one."""
_LONG = 4
"""Words that a column of texts has in a cell, as a rule, where a name above it has one."""


@dataclass(frozen=True)
class TableLayout:
    """Where a table has its sentences.

    Attributes:
        names: Of its columns; "1", "2" and so on where its first row has none.
        has_names: The first row names the columns.
        text: The column that is read, from 0.
        pair: That of second texts, or None.
        expected: That of what is right, or None.
        choices: That of choices, which are read behind a question, or None.
    """

    names: tuple[str, ...] = ()
    has_names: bool = False
    text: int = 0
    pair: int | None = None
    expected: int | None = None
    choices: int | None = None

    @property
    def kept(self) -> tuple[int, ...]:
        """The columns that hold no sentence, which rows keep as they are."""
        return tuple(at for at in range(len(self.names)) if at not in {self.text, self.pair})

    def named(self, at: int | None) -> str:
        """A column's name; "" for none, and in a file without columns."""
        return self.names[at] if at is not None and self.names else ""


def layout_of(
    file: str,
    rows: Sequence[Sequence[str]],
    column: str = "",
    pair_column: str = "",
    *,
    named: bool = False,
) -> TableLayout:
    """Find the columns of a table.

    Args:
        file: Its name.
        rows: The first LOOKED_AT, of which there is one at least.
        column: The name of the column to read, or its number from 1; "" finds it.
        pair_column: That of second texts, likewise; NO_COLUMN for none.
        named: The first row names the columns, however it looks.

    Raises:
        UserMistake: There is no such column.
    """
    is_alone = pair_column.strip() == NO_COLUMN
    if is_alone:
        pair_column = ""
    first, *others = ([cell.strip() for cell in row] for row in rows)
    typed = [one.strip() for one in (column, pair_column) if one.strip()]
    has_names = named or _has_names(first, others, typed)
    names = tuple(
        cell if has_names and cell else str(number) for number, cell in enumerate(first, start=1)
    )
    folded = [name.casefold() for name in names]
    second = _column(file, names, folded, pair_column) if pair_column else None
    if column:
        text = _column(file, names, folded, column)
    else:
        known = (folded.index(name) for name in TEXT_NAMES if name in folded)
        free = [at for at in known if at != second]
        text = free[0] if free else _longest(others if has_names else [first, *others], second)
    choices = folded.index(CHOICES_NAME) if CHOICES_NAME in folded else None
    if choices == text:
        choices = None
    seconds, rights = list(PAIR_NAMES), list(EXPECTED_NAMES)
    if choices is not None:
        seconds.remove(ANSWER_NAME)
        rights.append(ANSWER_NAME)
    pair = second
    if pair is None:
        pair = next((folded.index(name) for name in seconds if name in folded), None)
    if pair is None and folded[text] in PASSAGE_NAMES and "question" in folded:
        pair = folded.index("question")
    if is_alone:
        pair = None
    expected = next((folded.index(name) for name in rights if name in folded), None)
    return TableLayout(
        names,
        has_names,
        text,
        None if pair == text else pair,
        None if expected in {text, pair} else expected,
        choices,
    )


def _has_names(first: Sequence[str], others: Sequence[Sequence[str]], typed: Sequence[str]) -> bool:
    """Whether a first row names the columns.

    It does where it holds a name that is known or was typed. Else each cell must look like a name
    and be another one than those below it, and one column at least must tell: it holds something
    else below, numbers or texts of some words, or its name is joined of several words.
    """
    folded = [cell.casefold() for cell in first]
    if _KNOWN.intersection(folded):
        return True
    if any(one.casefold() in folded and not one.isdecimal() for one in typed):
        return True
    cells = [cell for cell in first if cell]
    if any(_is_number(cell) for cell in cells) or len(set(cells)) < len(cells):
        return False
    below = [[row[at] for row in others if at < len(row) and row[at]] for at in range(len(first))]
    if any(cell in column for cell, column in zip(first, below, strict=True) if cell):
        return False
    if any(map(_JOINED.fullmatch, cells)):
        return True
    return any(
        all(map(_is_number, column))
        or (_NAME.fullmatch(cell) is not None and _words_in(column) >= _LONG)
        for cell, column in zip(first, below, strict=True)
        if cell and column
    )


def _words_in(column: Sequence[str]) -> float:
    """How many words its cells have, as a rule."""
    return statistics.median(len(cell.split()) for cell in column)


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def _longest(rows: Sequence[Sequence[str]], but: int | None) -> int:
    """The column whose cells are longest, numbers not counted; the first one of several."""
    width = max((len(row) for row in rows), default=1)
    letters = [
        sum(len(row[at].strip()) for row in rows if at < len(row) and not _is_number(row[at]))
        for at in range(width)
        if at != but
    ]
    at = letters.index(max(letters)) if letters else 0
    return at if but is None or at < but else at + 1


def _column(file: str, names: tuple[str, ...], folded: list[str], column: str) -> int:
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
        name=file,
        wanted=wanted,
        names=", ".join(names),
    )
