"""Rows of questions with their answers: of the small world, or of a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from explorer.api.question import UserMistake
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences import sentences
from explorer.text import N_

ENDINGS: Final = (".csv", ".tsv", ".txt")
COLUMNS: Final = ("question", "answer", "options")
MOST: Final = 1000
"""Rows that are read of one file."""
MOST_OPTIONS: Final = 50
BETWEEN: Final = "|"
"""Between the options of a row."""

ASKED: Final = {
    "Jobs": "tool",
    "Animals": "sound",
    "Qualities": "opposite",
    "Dates": "next",
    "Verbs": "past",
}
"""The relation of each kind that the small world's table asks."""
EACH: Final = 8
"""Words of each kind in it."""


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """A question and what is right.

    Attributes:
        question: What is asked.
        answer: The right answer.
        options: What may be answered, the right answer among it; empty where that is not said.
    """

    question: str
    answer: str
    options: tuple[str, ...] = ()


def world_rows() -> tuple[ExampleRow, ...]:
    """Words of all kinds; what other relations would answer are the options."""
    # Every engine knows this question, and few are asked it.
    from explorer.world.tasks.prompts import KINDS

    rows: list[ExampleRow] = []
    for kind in KINDS:
        for word in [word for word in kind.words if word not in kind.withheld][:EACH]:
            options = dict.fromkeys(answers[word] for answers in kind.relations.values())
            rows.append(ExampleRow(word, kind.relations[ASKED[kind.name]][word], tuple(options)))
    return tuple(rows)


def rows_of(path: str) -> tuple[ExampleRow, ...]:
    """The rows of a file; of the small world where there is none.

    Raises:
        UserMistake: The file can't be read, or its rows are no questions with answers.
    """
    return tuple(_file_rows(typed_path(path))) if path else world_rows()


def _file_rows(path: Path) -> Iterator[ExampleRow]:
    places: tuple[int | None, ...] = (0, 1, 2)
    count = 0
    for number, row in sentences.rows_of(path, sentences.delimiter_of(path)):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        folded = [cell.casefold() for cell in cells]
        if count == 0 and "question" in folded and "answer" in folded:
            places = tuple(folded.index(name) if name in folded else None for name in COLUMNS)
            continue
        question, answer, options = (
            cells[at] if at is not None and at < len(cells) else "" for at in places
        )
        if not question or not answer:
            raise UserMistake(
                N_("Line {number} of {name} is not a question and its answer."),
                N_(
                    "Write a question and its answer on every line, with a tab between them, or a "
                    "comma in a .csv file."
                ),
                number=number,
                name=path.name,
            )
        count += 1
        if count > MOST:
            raise UserMistake(
                N_("{name} has more than {most} rows."),
                N_("Choose a smaller file."),
                name=path.name,
                most=MOST,
            )
        told = (one.strip() for one in options.split(BETWEEN))
        possible = tuple(dict.fromkeys(one for one in told if one))
        if possible and answer not in possible:
            possible = (*possible, answer)
        yield ExampleRow(question, answer, possible)


def options_of(
    row: ExampleRow, typed: Sequence[str], rows: Sequence[ExampleRow]
) -> tuple[str, ...]:
    """What may be answered to a row's question: its own options, what was typed, or all answers.

    Raises:
        UserMistake: There are too many.
    """
    found = row.options or tuple(dict.fromkeys(typed or [one.answer for one in rows]))
    if row.answer and row.answer not in found:
        found = (*found, row.answer)
    if len(found) > MOST_OPTIONS:
        raise UserMistake(
            N_("{count} possible answers are more than the {most} that are scored at once."),
            N_("Type those that are possible, or give each row its own in a column “options”."),
            count=len(found),
            most=MOST_OPTIONS,
        )
    return found
