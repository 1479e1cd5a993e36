"""`--look NAME=VALUE`: how an answer is drawn and told, as the page's own tools set it."""

import argparse
import dataclasses
from collections.abc import Mapping
from typing import Any

from explorer.api.question import BESIDE, Question, UserMistake
from explorer.api.question.options import Option
from explorer.document import Document
from explorer.text import N_, _
from explorer.text.lists import all_of


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
