"""What each question can be given, as Python has it: names, types, defaults, words."""

import enum
import json
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from explorer.api.question import Choice, Number, Question, Whole
from explorer.api.question.options.asks import field_of
from explorer.api.question.options.options import Option
from explorer.command_line.asking.request_arguments import (
    ENTITIES,
    MASKS,
    PAIR,
    TEXT,
    Argument,
    arguments_of,
)
from explorer.command_line.options.look_options import looks_of
from explorer.scripting.requests import options_of
from explorer.text import N_, _, said

PLAYER = "str | Path | OpenModel"
_PLAIN = {str: "str", int: "int", float: "float", bool: "bool"}


@dataclass(frozen=True)
class Parameter:
    """Something that a question can be given.

    Attributes:
        name: Its own.
        kind: Its type, as a stub writes it.
        default: As a stub writes it; "" where it has to be given.
        told: What it is, with its values and its unit, in the reader's language.
    """

    name: str
    kind: str
    default: str
    told: str


def parameters_of(question: Question[Any, Any]) -> tuple[Parameter, ...]:
    """All of it, the text first: fields of the request, what only redraws, who else plays."""
    return tuple(
        sorted(
            (*_fields(question), *_looks(question), *_players(question)),
            key=lambda one: (one.name != TEXT, bool(one.default)),
        )
    )


def docstring(question: Question[Any, Any]) -> str:
    """What `help` says of a question."""
    lines = [_(question.asks), ""]
    lines += [_(question.about), ""] if question.about else []
    lines += [_("Options:")]
    lines += [f"    {one.name}: {one.told}" for one in parameters_of(question)]
    lines += [f"    {one.name}: {_(one.told)}" for one in WHAT_ALL_TAKE]
    return "\n".join(lines)


def _fields(question: Question[Any, Any]) -> Iterator[Parameter]:
    kinds = typing.get_type_hints(question.request)
    called = {field: name for name, field in options_of(question).items() if field}
    for one in arguments_of(question):
        asks = field_of(question.request, one.name)
        option = None if asks is None else asks.option
        kind = _of_argument(one, kinds[one.name])
        default = "" if one.required else _written(one.default, one.choices)
        yield Parameter(called[one.name], kind, default, _told(one.help, option, one.choices))


def _looks(question: Question[Any, Any]) -> Iterator[Parameter]:
    for name, option in looks_of(question).items():
        kind = _PLAIN.get(type(option.default), "Any")
        typed = tuple(option.typed) if isinstance(option, Choice) and not option.is_open else ()
        if typed and kind == "str":
            kind = _one_of(typed, option.default)
        default = _written(option.default, typed)
        help_said = _("{label}: {tip}", label=_(option.label), tip=_(option.tip))
        yield Parameter(name, kind, default, _told(help_said, option, typed))


def _players(question: Question[Any, Any]) -> Iterator[Parameter]:
    for role in list(question.roles)[1:]:
        told = _("who plays the {role}: a model, its name or its folder", role=role)
        yield Parameter(role, f"{PLAYER} | None", "None", told)


def _told(words: str, option: Option[Any] | None, choices: tuple[str, ...]) -> str:
    ends = option.values() if isinstance(option, Whole | Number) else ""
    values = said(ends) if ends else ", ".join(choices)
    return _("{told} ({values})", told=words, values=values) if values else words


def _of_argument(one: Argument, kind: Any) -> str:
    if one.name == MASKS:
        return "Sequence[str | tuple[int, int] | Mask] | str"
    if one.name == ENTITIES:
        return "Sequence[str | Mention] | str"
    if one.choices and one.name not in (TEXT, PAIR):
        found, rest = _one_of(one.choices, one.default), _kind_of(kind)
        return found if rest.startswith("str") else f"{found} | {rest}"
    return _kind_of(kind)


def _kind_of(kind: Any) -> str:
    """A type as a stub writes it: what Python's own values may be given for it."""
    if get_origin(kind) in (typing.Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(_kind_of, get_args(kind))))
    if kind is type(None):
        return "None"
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return "str"
    if get_origin(kind) is tuple:
        inner = _kind_of(get_args(kind)[0])
        return "Sequence[Any] | str" if inner == "Any" else f"Sequence[{inner}] | str"
    return _PLAIN.get(kind, "Any")


def _one_of(choices: tuple[str, ...], default: Any) -> str:
    """One of a few words, the usual one among them."""
    usual = (_typed(default, choices),) if isinstance(default, str) else ()
    return f"Literal[{', '.join(map(json.dumps, dict.fromkeys((*choices, *usual))))}]"


def _typed(value: str, choices: tuple[str, ...]) -> str:
    """A choice as it is typed."""
    hyphened = value.replace("_", "-")
    return hyphened if hyphened in choices else value


def _written(value: Any, choices: tuple[str, ...] = ()) -> str:
    if isinstance(value, str):
        return json.dumps(_typed(value, choices), ensure_ascii=False)
    if isinstance(value, list | tuple):
        inside = ", ".join(map(_written, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return repr(value) if value is None or type(value) in _PLAIN else "..."


WHAT_ALL_TAKE = (
    Parameter("logged", "bool | None", "None", N_("keep it in the session log")),
    Parameter("exact", "bool", "False", N_("with the exact answers of the miniatures' world")),
)
