"""All lines of a file of text, as far as anybody trains on them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.sentences import (
    ENDINGS,
    MOST,
    count_sentences,
    lines_of,
    read_sentences,
)
from explorer.text import N_
from explorer.text.printable import without_surrogates

MOST_CHARACTERS = 50_000_000
"""Of a file that are read."""
TABLES = ENDINGS - {".txt", ".text"}
LOOK_EVERY = 2000
"""Lines between two looks whether somebody cancelled."""


@dataclass(frozen=True)
class WholeText:
    """A file's text.

    Attributes:
        lines: Without spaces at either end; "" for an empty one.
        is_cut: The file has more.
        is_table: Every line is a row of a table, or a question with its answer.
    """

    lines: tuple[str, ...]
    is_cut: bool
    is_table: bool


def whole_text(path: str, check: Callable[[], None] = lambda: None) -> WholeText:
    """Read a file.

    Args:
        path: As it was typed.
        check: Called now and then: raises to stop.

    Raises:
        UserMistake: The file can't be read, is no text, or there is no word in it.
    """
    whole = typed_path(path)
    is_table = whole.suffix.lower() in TABLES
    found: list[str] = []
    characters, is_cut = 0, False
    for number, line in enumerate(_read(whole)):
        if number % LOOK_EVERY == 0:
            check()
        text = without_surrogates(line.strip())
        characters += len(text)
        if characters > MOST_CHARACTERS:
            is_cut = True
            break
        found.append(text)
    if not characters:
        raise UserMistake(
            N_("There is no text in {name}."),
            N_("Choose a file with words in it."),
            name=Path(path).name,
        )
    if is_table and sum(map(bool, found)) >= MOST:
        is_cut = is_cut or count_sentences(whole) >= MOST
    return WholeText(tuple(found), is_cut, is_table)


def _read(path: Path) -> Iterator[str]:
    """Every line of a text; of a table, and of questions with answers, what is read of each row."""
    if path.suffix.lower() in TABLES:
        return (one.text for one in read_sentences(path))
    return (line for _number, line in lines_of(path, newline=None))
