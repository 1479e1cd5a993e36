"""TOML of people's own, checked key by key: what is wrong is one sentence with file and key."""

import re
from typing import Any, TypeVar

import msgspec

from explorer.api.question import UserMistake
from explorer.files.foreign import clause_of, toml_of
from explorer.text import N_, Phrase

Shape = TypeVar("Shape")

LARGEST = 1 << 20
"""Bytes of a file: a scene has some thousands."""
SEE = N_("docs/lectures.md says what a scene is made of.")
_KINDS = {
    "str": N_("a text"),
    "int": N_("a whole number"),
    "float": N_("a number"),
    "bool": N_("true or false"),
    "array": N_("a list"),
    "object": N_("a table"),
}
_WANTED = re.compile(r"Expected `(\w+)(?: \| null)?`, got")
_NO_SUCH = re.compile(r"unknown field `(.*)`")
_LACKS = re.compile(r"missing required field `(.*)`")
_PLACE = re.compile(r" - at `\$\.?(.*)`$")


def table_of(content: bytes, file: str) -> dict[str, Any]:
    """What TOML says.

    Args:
        content: The file's bytes.
        file: Its name, for what is said of it.

    Raises:
        UserMistake: It is longer than any scene, no text, or no TOML.
    """
    if len(content) > LARGEST:
        raise UserMistake(N_("{file} is larger than any scene."), N_("Choose another."), file=file)
    try:
        # What editors on Windows write first is no part of the text.
        return toml_of(content.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise UserMistake(
            N_("{file} is not written in UTF-8."), N_("Save it as UTF-8."), file=file
        ) from error
    except ValueError as error:
        raise UserMistake(
            N_("{file} is no TOML: {problem}."),
            N_("Correct that line."),
            file=file,
            problem=clause_of(error),
        ) from error


def checked(kind: type[Shape], value: object, file: str, place: str = "") -> Shape:
    """A table as the struct it must be.

    Args:
        kind: A msgspec.Struct that forbids unknown fields.
        value: What TOML says.
        file: Where, for what is said of it.
        place: The key of the table, as "steps[1]"; "" for the whole file.

    Raises:
        UserMistake: A key is missing, unknown, or not what it must be.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _mistake(str(error), file, place) from error


def unknown(key: str, file: str) -> UserMistake:
    """What is said of a key that nothing is made of."""
    return UserMistake(N_("{file}: there is no key {key} in a scene."), SEE, file=file, key=key)


def missing(key: str, file: str) -> UserMistake:
    """What is said of a key that must be there."""
    return UserMistake(N_("{file}: the key {key} is missing."), SEE, file=file, key=key)


def not_a(kind: str, key: str, file: str) -> UserMistake:
    """What is said of a key with another kind of value.

    Args:
        kind: As msgspec calls it: "str", "array", "object".
        key: The key.
        file: Where.
    """
    return UserMistake(
        N_("{file}: the key {key} must be {kind}."),
        SEE,
        file=file,
        key=key,
        kind=Phrase(_KINDS[kind]),
    )


def within(error: UserMistake, key: str, file: str) -> UserMistake:
    """What is said of a key whose value is refused by somebody else."""
    return UserMistake(
        N_("{file}: the key {key} can't be so: {problem}"),
        error.hint or SEE,
        file=file,
        key=key,
        problem=error.problem,
    )


def joined(*keys: str) -> str:
    """A key within a key: "steps[1].en"."""
    return ".".join(filter(None, keys))


def _mistake(problem: str, file: str, place: str) -> UserMistake:
    """What msgspec finds, about a key of the file."""
    found = _PLACE.search(problem)
    key = joined(place, found[1] if found else "")
    if lacks := _LACKS.search(problem):
        return missing(joined(key, lacks[1]), file)
    if no_such := _NO_SUCH.search(problem):
        return unknown(joined(key, no_such[1]), file)
    wanted = _WANTED.match(problem)
    if wanted is not None and wanted[1] in _KINDS:
        return not_a(wanted[1], key, file)
    return UserMistake(
        N_("{file}: the key {key} can't be read ({problem})."),
        SEE,
        file=file,
        key=key,
        problem=problem.partition(" - at ")[0],
    )
