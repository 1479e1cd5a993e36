"""Which file, what is asked of every sentence, and which column of it is read."""

from collections.abc import Callable
from typing import Any

from explorer.api import Choice, FilePath, Option, Switch
from explorer.api.question.options import Optioned
from explorer.questions.many.file_of_sentences.sentences import ENDINGS
from explorer.text import N_

USUAL = "surprisal"

KINDS = N_("Sentences (*.txt *.csv *.tsv *.json)")
"""What a dialog offers, as ENDINGS has them."""


def sentences_file(
    key: str,
    label: str,
    tip: str,
    *,
    resets: tuple[str, ...] = (),
    when: Callable[[Optioned], bool] | None = None,
) -> FilePath:
    """The option of a question that reads a file with a sentence on every line.

    Args:
        key: The option's.
        label: What it is called.
        tip: What is done with the sentences.
        resets: Options that another file takes back.
        when: Whether it is offered; None for always.
    """
    return FilePath(
        label,
        "",
        tip,
        when=when,
        kinds=KINDS,
        endings=tuple(sorted(ENDINGS)),
        resets=resets,
        key=key,
    )


COLUMN = Choice(
    N_("Which column of the file is read"),
    "",
    N_("Which column of the file is read."),
    is_open=True,
    key="file_of_sentences.column",
)
FILE = sentences_file(
    "file_of_sentences.path",
    N_("Open…"),
    N_("Open a file with a sentence on every line."),
    resets=(COLUMN.key,),
)
QUESTION = Choice(
    N_("What is asked of every sentence"),
    USUAL,
    N_("What is asked of every sentence."),
    is_open=True,
    key="file_of_sentences.operation",
)
ENTITIES = Switch(
    N_("Find entities"),
    True,
    N_("Every sentence is read with the entities of the model's graph whose names stand in it"),
    in_bar=False,
    key="file_of_sentences.entities",
)
OPTIONS: tuple[Option[Any], ...] = (FILE, QUESTION, COLUMN, ENTITIES)
