"""A question of Python's values: one request, and the document that asks it."""

import contextlib
import dataclasses
import difflib
import typing
from collections.abc import Iterator, Mapping
from typing import Any

from explorer.api.question import Mask, Mention, Question, UserMistake
from explorer.api.question.options.options import REFUSED
from explorer.command_line.asking.request_arguments import (
    ENTITIES,
    MASKS,
    PAIR,
    TEXT,
    asked_with,
    read_value,
)
from explorer.command_line.options.look_options import looks_of
from explorer.document import Document
from explorer.questions.former_names import question_named
from explorer.samples.typed_documents import PAIR_SIGN, written
from explorer.serialise import from_json, to_json
from explorer.text import N_
from explorer.text.lists import all_of


def known_question(name: str) -> Question[Any, Any]:
    """A question by a name that it has or had.

    Raises:
        UserMistake: There is none.
    """
    from explorer.questions import all_questions

    found = question_named(name.replace("-", "_"))
    if found is None:
        known = list(all_questions())
        raise UserMistake(
            N_('There is no question "{operation}".'),
            N_("Choose one of {known}."),
            operation=name,
            known=all_of(difflib.get_close_matches(name, known, 3, 0.3) or known),
        )
    return found


def options_of(question: Question[Any, Any]) -> Mapping[str, str]:
    """What a question can be given by name: each with the request's field, "" for no field.

    A field that is called as a role is "request_" and its name, as on the command line; what
    only redraws an answer is no field.
    """
    fields = {one.name: one.name for one in dataclasses.fields(question.request)}
    named = {f"request_{one}" if one in question.roles else one: one for one in fields}
    return {**named, **dict.fromkeys(looks_of(question).keys() - named.keys(), "")}


def request_of(question: Question[Any, Any], options: Mapping[str, Any]) -> tuple[Any, Document]:
    """The request that some options are, and the document that asks it.

    Args:
        question: The question.
        options: By the names of `options_of`.

    Raises:
        UserMistake: There is no such option, or a value is none of its values.
    """
    known, looks = options_of(question), looks_of(question)
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.6)
            raise UserMistake(
                N_("{question} has no option {name}."),
                N_("Did you mean {near}?") if near else N_("Its options are {known}."),
                question=question.name,
                name=name,
                near=all_of(near),
                known=all_of(sorted(known)),
            )
    fields = {
        known[name]: field_value(question, known[name], value)
        for name, value in options.items()
        if known[name]
    }
    for one in dataclasses.fields(question.request):
        if one.default is dataclasses.MISSING and one.name not in fields:
            raise UserMistake(
                N_("{question} needs {name}."),
                N_("Give it by its name."),
                question=question.name,
                name=one.name,
            )
    request, document = asked_with(question, fields)
    with _named_in_python():
        request.check()
    for name in options.keys() & looks.keys():
        look, value = looks[name], options[name]
        with _named_in_python():
            look.check(value, name)
        document = document.with_option(look.key, look.written_in(document, look.cast(value)))
    return request, document


@contextlib.contextmanager
def _named_in_python() -> Iterator[None]:
    """Let the refusal of a value name its option as Python does."""
    try:
        yield
    except UserMistake as mistake:
        if mistake.code != REFUSED:
            raise
        values = {**mistake.values, "name": str(mistake.values["name"]).replace("-", "_")}
        raise UserMistake(N_("{name} can't be {words}."), mistake.hint_code, **values) from None


def field_value(question: Question[Any, Any], name: str, value: Any) -> Any:
    """What a request's field holds for a value of Python's.

    A text is read as on the command line: "pseudo-log-likelihood", "encoder:1:2", "meal,soup".

    Raises:
        UserMistake: It is none of the field's values.
    """
    if name == MASKS:
        return [_mask(one) for one in _several(value)]
    if name == ENTITIES:
        return [_mention(one) for one in _several(value)]
    kind = typing.get_type_hints(question.request)[name]
    if isinstance(value, str) and name not in (TEXT, PAIR) and kind not in (str, str | None):
        return read_value(question, name, value)
    try:
        return from_json(kind, to_json(value))
    except (ValueError, TypeError, NotImplementedError) as error:
        raise UserMistake(N_("{name}: {why}."), name=name, why=error) from None


def _several(value: Any) -> list[Any]:
    return [value] if isinstance(value, str | Mask | Mention) else list(value)


def _mask(value: Any) -> str:
    """As --mask takes it."""
    if isinstance(value, str):
        return value
    return written(value if isinstance(value, Mask) else Mask(*value))


def _mention(value: Any) -> str:
    """As --entity takes it."""
    if isinstance(value, str):
        return value
    return f"{PAIR_SIGN * value.part}{value.start}-{value.end}={value.entity}"
