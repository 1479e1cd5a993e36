"""The door for files of other people: what is in them is measured before it is taken apart.

A lecture, a checkpoint, a plugin, a file of sentences, a database: each comes from somebody else,
and may be a pipe that never ends, a gigabyte, or lists in lists to the depth at which Python gives
up. Whatever is wrong with it is a ValueError here, which those who open it tell as theirs.
"""

import json
import os
import re
import stat
from pathlib import Path
from typing import Any

from explorer.text import N_, Phrase

MOST_DEPTH = 100
"""Lists and tables in each other. Published files have less than ten; what takes a value apart
needs some of Python's own depth for each of them."""
MOST_PARTS = 20
"""Parts of a dotted key in TOML, which is read in the square of their number."""

_MADE_UP = ("/proc/", "/sys/")
"""Where Linux shows files that are no files: their size is untrue, and reading may never end."""
_STRING_OR_COMMENT = re.compile(
    r'"""(?:[^\\]|\\.)*?"""'
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'"
    r"|#[^\n]*+",
    re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MOST_PARTS}}}")


class Unfit(ValueError):
    """What is in a file is not taken apart.

    Attributes:
        problem: Why not, a clause about the file.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        self.problem = Phrase(sentence, **values)
        super().__init__(self.problem)


def clause_of(error: ValueError) -> object:
    """What is wrong, as a sentence has it: in any language where this module found it."""
    return error.problem if isinstance(error, Unfit) else error


def is_special(path: Path) -> bool:
    """Whether a path is a pipe, a device, a socket or made up by the system; missing ones are not.

    Reading one may never end, and what is read once may be gone.
    """
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    made_up = os.path.realpath(path).startswith(_MADE_UP)
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or made_up


def read_bytes(path: Path, most: int) -> bytes:
    """A file's bytes.

    Args:
        path: The file.
        most: Bytes that such a file has at most.

    Raises:
        Unfit: It is no file, or longer.
        OSError: It can't be read.
    """
    if is_special(path):
        raise Unfit(N_("it is a pipe, a device or a file of the system's own"))
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise Unfit(N_("it takes more than {limit} MB"), limit=max(1, round(most / 1e6)))
    return content


def json_of(written: str | bytes) -> Any:
    """What JSON says.

    Raises:
        Unfit: It is nested more deeply than anything that is meant to be read.
        ValueError: It is no JSON.
    """
    try:
        return _shallow(json.loads(written))
    except RecursionError as error:
        raise _too_deep() from error


def toml_of(written: str) -> dict[str, Any]:
    """What TOML says.

    Raises:
        Unfit: A key has very many parts, or it is nested too deeply.
        ValueError: It is no TOML.
    """
    import tomllib  # the window's first sight needs none

    bare = _STRING_OR_COMMENT.sub("_", written)
    if _LONG_KEY.search(bare):
        raise Unfit(N_("a key in it has more than {most} parts"), most=MOST_PARTS)
    try:
        found: dict[str, Any] = _shallow(tomllib.loads(written))
    except RecursionError as error:
        raise _too_deep() from error
    return found


def _shallow(value: Any) -> Any:
    """A value, if its lists and tables are not nested too deeply."""
    level = [value]
    for _depth in range(MOST_DEPTH):
        level = [
            one
            for holder in level
            if isinstance(holder, list | dict)
            for one in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(one, list | dict)
        ]
        if not level:
            return value
    raise _too_deep()


def _too_deep() -> Unfit:
    return Unfit(N_("it is nested too deeply"))
