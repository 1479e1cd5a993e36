"""Which file, what is asked of every sentence, and which column of it is read."""

from typing import Any

from explorer.api import Choice, FilePath, Option
from explorer.questions.many.file_of_sentences.sentences import ENDINGS
from explorer.text import N_

USUAL = "surprisal"

COLUMN = Choice(
    "file_of_sentences.column",
    N_("Which column of the file is read"),
    "",
    N_("Which column of the file is read."),
    is_open=True,
)
FILE = FilePath(
    "file_of_sentences.path",
    N_("Open…"),
    "",
    N_("Open a file with a sentence on every line."),
    kinds=N_("Sentences (*.txt *.csv *.tsv)"),
    endings=tuple(ENDINGS),
    resets=(COLUMN.key,),
)
QUESTION = Choice(
    "file_of_sentences.operation",
    N_("What is asked of every sentence"),
    USUAL,
    N_("What is asked of every sentence."),
    is_open=True,
)
OPTIONS: tuple[Option[Any], ...] = (FILE, QUESTION, COLUMN)
