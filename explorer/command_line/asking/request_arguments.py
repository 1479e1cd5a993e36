"""A question's request as arguments of the command line.

Everything comes from the request's dataclass: names, types and defaults from its fields, values
and help from the option that each is. A new question needs no line here.
"""

import argparse
import dataclasses
import enum
import json
import math
import sys
import types
import typing
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, get_args, get_origin

from explorer.api.question import Choice, HeadPlace, Number, Option, Question, UserMistake, Whole
from explorer.api.question.options.asks import (
    OF_DOCUMENT,
    TYPED,
    AskedField,
    asked_fields,
    field_of,
)
from explorer.api.question.options.values import as_kept
from explorer.document import Document
from explorer.files.foreign import json_of
from explorer.samples.typed_documents import mention_of, place_of
from explorer.text import N_, _, said

TEXT, PAIR, MASKS, ENTITIES = "text", "pair", "masks", "entities"
_DEST = "request."
_TYPES = {str: "text", int: N_("whole number"), float: "number", bool: "switch"}


@dataclasses.dataclass(frozen=True)
class Argument:
    """A field of a request as it is typed.

    Attributes:
        name: The field's.
        flag: As it is typed ("--top-k"); "" for what stands without one.
        type: In words: "text", "whole number", "number", "switch", "one of these", "list", "JSON".
        choices: What may be typed, where only these may.
        default: What it is where nothing is typed, as JSON has it.
        required: It has no default.
        help: What it does, in the reader's language.
        label: What the window calls it.
    """

    name: str
    flag: str
    type: str
    choices: tuple[str, ...]
    default: Any
    required: bool
    help: str
    label: str = ""


def arguments_of(question: Question[Any, Any]) -> tuple[Argument, ...]:
    """The fields of a question's request, in their order."""
    from explorer.serialise import to_builtins

    kinds = typing.get_type_hints(question.request)
    found = []
    for field in dataclasses.fields(question.request):
        kind = _plain(kinds[field.name])
        asks = _field_of(question, field.name)
        choices = _choices(asks)
        required = field.default is dataclasses.MISSING
        found.append(
            Argument(
                name=field.name,
                flag=_flag(field.name, question, required=required),
                type=_("one of these") if choices else _type_of(kind),
                choices=choices or (tuple(map(_typed, kind)) if _is_enum(kind) else ()),
                default=None if required else to_builtins(field.default),
                required=required,
                help=_help(asks.option),
                label=_(asks.option.label),
            )
        )
    return tuple(found)


def _field_of(question: Question[Any, Any], name: str) -> AskedField:
    asks = field_of(question.request, name)
    assert asks is not None, f"{question.name}: {name} is no option"
    return asks


def _choices(asks: AskedField) -> tuple[str, ...]:
    """What may be typed, where only these may."""
    option = asks.option
    if not isinstance(option, Choice) or option.is_open:
        return ()
    return (*option.typed, *map(_shown, map(as_kept, asks.also)))


def _help(option: Option[Any]) -> str:
    """What an option is called and what it does; in the command's help there is no window."""
    label, tip = _(option.label).rstrip("…"), _(option.tip)
    if not tip:
        return label
    begins = tip.casefold().startswith(label.casefold())
    return tip if begins else _("{label}: {tip}", label=label, tip=tip)


def add_arguments(
    parser: argparse.ArgumentParser,
    question: Question[Any, Any],
    flags: Mapping[str, str] | None = None,
) -> None:
    """Declare them to a parser.

    Args:
        parser: The question's, or a short command's.
        question: The question.
        flags: Of a short command: which fields it takes, and what they are called there.
    """
    kinds = typing.get_type_hints(question.request)
    every = arguments_of(question)
    if flags is not None:
        every = tuple(
            dataclasses.replace(one, flag=flags[one.name]) for one in every if one.name in flags
        )
    for one in every:
        kind, dest = _plain(kinds[one.name]), _DEST + one.name
        asks = _field_of(question, one.name)
        told = one.help
        if isinstance(option := asks.option, Whole | Number):
            told = _("{told} ({values})", told=told, values=said(option.values()))
        if one.default not in (None, "", [], ()) and kind is not bool:
            told = _("{told} (default: {shown})", told=told, shown=_shown(one.default))
        options: dict[str, Any] = {"help": told.replace("%", "%%"), "default": argparse.SUPPRESS}
        if one.name == MASKS:
            parser.add_argument("--mask", dest=dest, action="append", metavar="M", **options)
        elif one.name == ENTITIES:
            parser.add_argument("--entity", dest=dest, action="append", metavar="E", **options)
        elif not one.flag:
            nargs = None if one.required else "?"
            metavar = one.name.upper()
            parser.add_argument(dest, type=_reader(kind), nargs=nargs, metavar=metavar, **options)
        elif kind is bool and one.flag.startswith("--no-"):
            # argparse would take it for the opposite of "--answer".
            parser.add_argument(one.flag, dest=dest, action="store_true", **options)
        elif kind is bool:
            parser.add_argument(
                one.flag, dest=dest, action=argparse.BooleanOptionalAction, **options
            )
        else:
            metavar = "{" + ",".join(one.choices) + "}" if one.choices else one.name.upper()
            read = _reader_of(asks, kind)
            parser.add_argument(
                one.flag,
                dest=dest,
                type=read if one.name in TYPED else partial(_checked, read, asks, one.name),
                metavar=metavar,
                **options,
            )


def asked(
    question: Question[Any, Any], args: argparse.Namespace, **also: Any
) -> tuple[Any, Document]:
    """The request that was typed, and the document that it is asked of.

    Args:
        question: The question.
        args: Parsed with what `add_arguments` declared.
        also: Fields that are typed in another way.

    Raises:
        UserMistake: A mask is not in the text.
    """
    fields = {**given(args), **also}
    if fields.get(TEXT) == "-":
        fields[TEXT], _unused = read_text(args)
    return asked_with(question, fields)


def asked_with(question: Question[Any, Any], fields: dict[str, Any]) -> tuple[Any, Document]:
    """The request with some fields, and the document that it is asked of.

    Args:
        question: The question.
        fields: Of its request; masks and entities as they are typed.

    Raises:
        UserMistake: A mask is not in the text.
    """
    document = Document(fields.get(TEXT, ""), fields.get(PAIR))
    for one in fields.get(MASKS, ()):
        document = document.with_mask(*place_of(one, document))
    if MASKS in fields:
        fields[MASKS] = document.masks
    for one in fields.get(ENTITIES, ()):
        document = document.with_entity(mention_of(one, document))
    if ENTITIES in fields:
        fields[ENTITIES] = document.entities
    if "top_k" in fields and _is_of_document("top_k", question):
        document = dataclasses.replace(document, top_k=fields["top_k"])
    request = question.request(**fields)
    return request, document_asking(question, request, document)


def read_text(args: argparse.Namespace) -> tuple[str, str | None]:
    """The text that was typed, or what stands in stdin, and the second text."""
    fields = given(args)
    text = str(fields.get(TEXT, getattr(args, TEXT, "")))
    return (sys.stdin.read().strip() if text == "-" else text), fields.get(PAIR)


def flags_over(question: Question[Any, Any]) -> Mapping[str, str]:
    """What a question about every sentence of a file can be set to: all but the sentence."""
    return {
        one.name: f"--{one.name.replace('_', '-')}"
        for one in arguments_of(question)
        if one.name not in TYPED
    }


def template(
    question: Question[Any, Any], document: Document, fields: Mapping[str, Any]
) -> tuple[Any, Document]:
    """The request that was typed for any text, and the options that are it where they can be.

    Args:
        question: The question.
        document: Its options; its text is left out.
        fields: Those that were typed.
    """
    blank = dataclasses.replace(document, text="", pair=None, masks=(), entities=())
    usual = question.request.of(blank)
    request = dataclasses.replace(usual, **fields)
    return request, document_asking(question, request, blank)


def given(args: argparse.Namespace) -> dict[str, Any]:
    """The fields that were typed."""
    return {
        name.removeprefix(_DEST): value
        for name, value in vars(args).items()
        if name.startswith(_DEST)
    }


def document_asking(question: Question[Any, Any], request: Any, document: Document) -> Document:
    """A document that asks a request, as far as options can say what it asks.

    Args:
        question: The question.
        request: What is asked.
        document: With the request's text and masks; those of a question that it has asked, as at
            every step of a training, are put into one that has none.
    """
    if question.delegates_to is not None and question.delegates_with is not None:
        inner = question.delegates_with(request)
        text: str = getattr(inner, "text", "")
        if text and not document.text:
            held: dict[str, Any] = {
                name: getattr(inner, name) for name in OF_DOCUMENT if hasattr(inner, name)
            }
            document = dataclasses.replace(document, **held)
            document = document_asking(question.delegates_to(request), inner, document)
    of = question.request.of
    for name, one in asked_fields(question.request).items():
        if not one.is_held or "." not in one.option.key:
            continue
        value = getattr(request, name)
        changed = document.with_option(
            one.option.key, as_kept(one.option.written_in(document, one.kept(value)))
        )
        if getattr(of(changed), name) == value != getattr(of(document), name):
            document = changed
    return document


def read_value(question: Question[Any, Any], name: str, words: str) -> Any:
    """A field's value as it is typed on the command line.

    Raises:
        UserMistake: The words are none of its values.
    """
    kind = _plain(typing.get_type_hints(question.request)[name])
    try:
        return _reader_of(_field_of(question, name), kind)(words)
    except argparse.ArgumentTypeError as error:
        raise UserMistake(N_("{name}: {why}."), name=name, why=str(error)) from None


def _reader_of(asks: AskedField, kind: Any) -> Callable[[str], Any]:
    """What reads the words that were typed for a field."""
    return partial(_entry, asks) if _choices(asks) else _reader(kind)


def _checked(read: Callable[[str], Any], asks: AskedField, name: str, words: str) -> Any:
    """A value that was typed, which is one of its option's."""
    value = read(words)
    try:
        asks.check(value, name)
    except UserMistake as error:
        raise argparse.ArgumentTypeError(f"{error.said} {error.advice}") from None
    return value


def _is_of_document(name: str, question: Question[Any, Any]) -> bool:
    """Whether a field is one that documents have themselves, and no option of the question's."""
    one = asked_fields(question.request).get(name)
    return name == "top_k" and (one is None or one.option.key == name)


def _flag(name: str, question: Question[Any, Any], *, required: bool) -> str:
    if required or name == TEXT:
        return ""
    if name == ENTITIES:
        return "--entity"  # one at a time
    # A role's flag says who plays it, and is named first.
    return f"--{'request-' if name in question.roles else ''}{name.replace('_', '-')}"


def _plain(kind: Any) -> Any:
    """A type without the None that it may be."""
    if get_origin(kind) in (typing.Union, types.UnionType):
        (kind,) = (one for one in get_args(kind) if one is not type(None))
    return kind


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, enum.Enum)


def _is_list(kind: Any) -> bool:
    """Whether it can be typed with commas between: a tuple of plain values."""
    return get_origin(kind) is tuple and (
        get_args(kind)[0] in _TYPES or _is_enum(get_args(kind)[0])
    )


def _type_of(kind: Any) -> str:
    if _is_enum(kind):
        return _("one of these")
    return "list" if _is_list(kind) else _TYPES.get(kind, "JSON")


def _typed(value: enum.Enum) -> str:
    return str(value.value).replace("_", "-")


def _shown(default: Any) -> str:
    if isinstance(default, list | tuple):
        return ",".join(map(_shown, default))
    return f"{default:g}" if isinstance(default, float) else str(default).replace("_", "-")


def _reader(kind: Any) -> Callable[[str], Any]:
    """What makes a value of the words that were typed."""
    if _is_enum(kind):
        return lambda words: _member(kind, words)
    if _is_list(kind):
        return lambda words: _items(_reader(get_args(kind)[0]), words)
    if kind == tuple[HeadPlace, ...]:
        return lambda words: _heads(kind, words)
    readers: dict[Any, Callable[[str], Any]] = {int: _whole, float: _number, str: str}
    return readers.get(kind) or (lambda words: _from_json(kind, words))


def _heads(kind: Any, words: str) -> Any:
    """Heads as "encoder:1:2,cross:0:3", or in JSON; which stacks there are only the model knows."""
    if words.lstrip().startswith("["):
        return _from_json(kind, words)
    parts = [one.strip().split(":") for one in words.split(",") if one.strip()]
    if all(len(one) == 3 and one[1].isdecimal() and one[2].isdecimal() for one in parts):
        return tuple(HeadPlace(stack, int(layer), int(head)) for stack, layer, head in parts)
    raise argparse.ArgumentTypeError(
        _("{words} is no head: write stack, layer and head, as encoder:1:2", words=repr(words))
    )


def _member(kind: type[enum.Enum], words: str) -> enum.Enum:
    for one in kind:
        if words.replace("_", "-") == _typed(one):
            return one
    raise argparse.ArgumentTypeError(
        _("{words} is none of {map}", words=repr(words), map=", ".join(map(_typed, kind)))
    )


def _entry(asks: AskedField, words: str) -> Any:
    """The value of an option that is one of a few, as the request holds it."""
    for value in asks.also:
        if words.replace("_", "-") == _shown(as_kept(value)):
            return value
    try:
        return asks.made(asks.option.parse(words))
    except UserMistake:
        raise argparse.ArgumentTypeError(
            _("{words} is none of {map}", words=repr(words), map=", ".join(_choices(asks)))
        ) from None


def _items(read: Callable[[str], Any], words: str) -> tuple[Any, ...]:
    """Values with commas between them, or a JSON list, whose texts may have commas in them."""
    if words.lstrip().startswith("["):
        try:
            parts = [one if isinstance(one, str) else json.dumps(one) for one in json_of(words)]
        except ValueError as error:
            raise argparse.ArgumentTypeError(
                _("{words} is no JSON list ({error})", words=repr(words), error=error)
            ) from error
        return tuple(map(read, parts))
    return tuple(read(part.strip()) for part in words.split(",") if part.strip())


def whole_from(least: int) -> Callable[[str], int]:
    """What reads a whole number that is not below another."""

    def read(words: str) -> int:
        if not words.isdecimal() or int(words) < least:
            raise argparse.ArgumentTypeError(
                _("{words} is not a number from {least} on", words=repr(words), least=least)
            )
        return int(words)

    return read


def _whole(words: str) -> int:
    try:
        return int(words)
    except ValueError:
        raise argparse.ArgumentTypeError(
            _("{words} is not a whole number", words=repr(words))
        ) from None


def _number(words: str) -> float:
    try:
        value = float(words)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(_("{words} is not a number", words=repr(words)))
    return value


def _from_json(kind: Any, words: str) -> Any:
    from explorer.serialise import from_json

    try:
        return _whole_values(from_json(kind, words))
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            _("{words} can't be read as JSON ({error})", words=repr(words), error=error)
        ) from error


def _whole_values(value: Any) -> Any:
    """With every field in its place: a decoder leaves out those that are None by default."""
    if isinstance(value, tuple):
        return tuple(map(_whole_values, value))
    is_one = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return dataclasses.replace(value) if is_one else value
