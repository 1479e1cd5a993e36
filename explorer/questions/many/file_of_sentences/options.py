"""Which file, what is asked of every sentence, and which column of it is read."""

from typing import Any

from explorer.api.question import Choice, Option, Optioned, Switch, Whole, WordList, Words
from explorer.files_of_sentences.compared import MOST_MODELS
from explorer.files_of_sentences.options import sentences_file
from explorer.text import N_

USUAL = "surprisal"

COLUMN = Choice(
    N_("Column"),
    "",
    N_("Which column of the file is read."),
    is_open=True,
    key="file_of_sentences.column",
)
PAIR_COLUMN = Choice(
    N_("Column of second texts"),
    "",
    N_("The column with the second texts; empty finds it."),
    is_open=True,
    key="file_of_sentences.pair_column",
)
SORT = Words(
    N_("What rows are sorted by"),
    "",
    redraws=True,
    in_bar=False,
    key="file_of_sentences.sort",
)
"""A column's name; "" for the rows as they come, or the question's worst first."""
FALLS = Switch(
    N_("The greatest first"), False, redraws=True, in_bar=False, key="file_of_sentences.falls"
)
HOLDS = Words(N_("Filter sentences"), "", redraws=True, in_bar=False, key="file_of_sentences.holds")
FAILED = Switch(
    N_("Failed only"), False, redraws=True, in_bar=False, key="file_of_sentences.failed"
)
GROUP = Choice(
    N_("Group by"),
    "",
    N_("A line of means for each that a column of the file holds"),
    is_open=True,
    redraws=True,
    key="file_of_sentences.group",
)
OF_ROWS: tuple[Option[Any], ...] = (SORT, FALLS, HOLDS, FAILED)
"""Which rows are shown, and in which order."""
FILE = sentences_file(
    "file_of_sentences.path",
    N_("Open…"),
    N_("Open a file with a sentence on every line."),
    resets=(COLUMN.key, PAIR_COLUMN.key, GROUP.key, *(one.key for one in OF_ROWS)),
)
ASKED_QUESTION = Choice(
    N_("Asked"),
    USUAL,
    N_("What is asked of every sentence."),
    is_open=True,
    key="file_of_sentences.operation",
)
ENTITIES = Switch(
    N_("Find entities"),
    True,
    N_("Every sentence is read with the entities of the model's graph whose names are in it"),
    in_bar=False,
    key="file_of_sentences.entities",
)


def _one_answers(document: Optioned) -> bool:
    """What takes two models has both answers beside each other already."""
    from explorer.questions.former_names import question_named

    question = question_named(ASKED_QUESTION.of(document))
    return question is not None and question.one_answers


COMPARE = Switch(
    N_("Both models side by side"),
    False,
    N_("Ask the other loaded model as well: columns of each, and how they differ"),
    in_bar=False,
    when=_one_answers,
    key="file_of_sentences.compare",
)
FURTHER = WordList(
    N_("Further models"),
    (),
    N_(
        "Names of models of the library, with commas between them: their answers "
        "become columns too. They are loaded one after the other, each in turn in "
        "memory next to those that are loaded."
    ),
    placeholder=N_("none"),
    when=_one_answers,
    most=MOST_MODELS - 2,
    key="file_of_sentences.further",
)
"""Beside those that are loaded, of which there may be two."""
PROCESSES = Whole(
    N_("Processes"),
    0,
    N_(
        "How many processes of this machine answer; 1 is this one alone. The page says what each "
        "costs to start, in seconds and in memory, before you press Run"
    ),
    high=64,
    least_said=N_("automatic"),
    key="file_of_sentences.processes",
)
OPTIONS: tuple[Option[Any], ...] = (
    FILE,
    ASKED_QUESTION,
    COLUMN,
    PAIR_COLUMN,
    ENTITIES,
    COMPARE,
    FURTHER,
    PROCESSES,
    GROUP,
    *OF_ROWS,
)
