"""`--look NAME=VALUE`: how an answer is drawn and told, as the page's own tools set it."""

import argparse
import contextlib
import dataclasses
import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from explorer.api.question import BESIDE, Question, UserMistake
from explorer.api.question.options.options import Option
from explorer.api.question.options.values import as_kept
from explorer.api.question.parts.part import Part
from explorer.document import Document
from explorer.text import N_, _
from explorer.text.lists import all_of

SUGGESTED = 3
"""Values like the one that was typed, which a refusal names."""


def looks_of(question: Question[Any, Any]) -> Mapping[str, Option[Any]]:
    """The options that redraw an answer, and with it what its rows and sentences say."""
    fields = {one.name for one in dataclasses.fields(question.request)}
    found = {**{one.name.replace("-", "_"): one for one in question.options}, **question.follows}
    return {
        name: one
        for name, one in found.items()
        if name not in fields and one.redraws and one.key != BESIDE.key
    }


def add_look_option(parser: argparse.ArgumentParser, question: Question[Any, Any]) -> None:
    """Declare it, where there is something to set."""
    looks = looks_of(question)
    if looks:
        names = ", ".join(name.replace("_", "-") for name in looks)
        parser.add_argument(
            "--look",
            action="append",
            metavar="NAME=VALUE",
            help=_("how the answer is drawn, may be given several times: {names}", names=names),
        )


def with_looks(
    question: Question[Any, Any], args: argparse.Namespace, document: Document
) -> Document:
    """A document whose page is drawn as was typed.

    Raises:
        UserMistake: There is no such option, or a value is none of its values.
    """
    looks = looks_of(question)
    for typed in getattr(args, "look", None) or ():
        name, equals, words = typed.partition("=")
        look = looks.get(name.strip().replace("-", "_"))
        if look is None or not equals:
            raise UserMistake(
                N_("--look {typed} sets nothing of this page."),
                N_("Write NAME=VALUE; the names are {names}."),
                typed=typed,
                names=all_of(sorted(one.replace("_", "-") for one in looks)),
            )
        value = look.parse(words.strip())
        document = document.with_option(look.key, look.written_in(document, value))
    return document


def looks_in(question: Question[Any, Any], document: Document) -> Iterator[str]:
    """What a document draws otherwise than usual, as --look takes it: "step=3.activation"."""
    for name, look in looks_of(question).items():
        value = look.of(document)
        if value == look.default:
            continue
        words = ("off", "on")[value] if isinstance(value, bool) else str(as_kept(value))
        with contextlib.suppress(UserMistake):  # some are set by gestures, and can't be typed
            if look.parse(words) == value:
                yield f"{name.replace('_', '-')}={words}"


def check_looks(question: Question[Any, Any], document: Document, result: Any) -> None:
    """Refuse what was typed for an option whose values are known once there is an answer.

    Raises:
        UserMistake: The answer has none of the name.
    """
    if not any(kind.offered is not Part.offered for kind in question.part_kinds):
        return
    names = {look.key: name for name, look in looks_of(question).items()}
    settings = question.settings_of(document)
    for part in question.parts_of(result, document, **settings):
        for key, offered in part.offered().items():
            look = next(one for one in part.OPTIONS if one.key == key)
            typed = document.option(f"{question.name}.{key}", look.default)
            if typed in {look.default, *offered}:
                continue
            nearest = difflib.get_close_matches(str(typed), offered, SUGGESTED, 0.0)
            raise UserMistake(
                N_("This answer has nothing for --look {name}={typed}."),
                N_("It has {count}, such as {nearest}."),
                name=names.get(f"{question.name}.{key}", key).replace("_", "-"),
                typed=typed,
                count=len(offered),
                nearest=all_of(nearest),
            )
