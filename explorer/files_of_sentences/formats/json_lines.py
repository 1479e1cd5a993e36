"""Tables of which every row is an object of JSON on a line, as BLiMP and SNLI have them."""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from explorer.api.question import UserMistake
from explorer.files.foreign import clause_of, json_of
from explorer.files_of_sentences.formats.squad_files import BETWEEN
from explorer.text import N_

Lines = Callable[[Path], Iterator[tuple[int, str]]]


def rows_in(path: Path, lines: Lines, looked_at: int) -> Iterator[tuple[int, list[str]]]:
    """The rows of a file, the names of the columns first; each with its line.

    Args:
        path: The file.
        lines: Reads its lines.
        looked_at: Objects whose keys are the columns; a key that only a later one has is none.

    Raises:
        UserMistake: A line is no object.
    """
    objects = _objects(path, lines)
    first = [*itertools.islice(objects, looked_at)]
    names = [*dict.fromkeys(name for _number, one in first for name in one)]
    if names:
        yield 0, names
    for number, one in itertools.chain(first, objects):
        yield number, [_cell(one.get(name)) for name in names]


def _objects(path: Path, lines: Lines) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in lines(path):
        if not line.strip():
            continue
        try:
            found = json_of(line)
        except ValueError as error:
            raise _no_object(path, number, clause_of(error)) from error
        if not isinstance(found, dict):
            raise _no_object(path, number, N_("it is a list or a value"))
        yield number, found


def _no_object(path: Path, number: int, why: object) -> UserMistake:
    return UserMistake(
        N_("Line {number} of {name} is no object of JSON ({error})."),
        N_("Each line is one, as in {example}"),
        number=number,
        name=path.name,
        error=why,
        example='{"sentence": "the cat sat"}',
    )


def _cell(value: Any) -> str:
    """A value as a table has it; answers as SQuAD has them with "|" between."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and isinstance(value.get("text"), list):
        return BETWEEN.join(dict.fromkeys(str(one).strip() for one in value["text"]))
    return json.dumps(value, ensure_ascii=False)
