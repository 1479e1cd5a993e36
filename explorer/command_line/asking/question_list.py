"""The questions as `ask --list` tells them: by topic, those that are looked for."""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explorer.api.question import Question, Topic, UserMistake
from explorer.headless import print_json
from explorer.printing.tables import lines_of
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.typed_words import Typed

COLUMNS = ("question", "roles", "asks")


def add_list_options(parser: argparse.ArgumentParser) -> None:
    """--list, and which of all are listed."""
    parser.add_argument("--list", action="store_true", help=_("every question, its roles, options"))
    parser.add_argument(
        "--search", metavar="WORDS", help=_("with --list: those with these words, as in the window")
    )
    parser.add_argument(
        "--answered-by",
        metavar="M",
        help=_("with --list: those that a model answers, or one of a family does"),
    )


def print_questions(args: argparse.Namespace, program: Program) -> None:
    """Print them by topic, or as JSON.

    Raises:
        UserMistake: There is no such model, or no question is left.
    """
    chosen = _chosen(args, program)
    if not chosen:
        raise UserMistake(
            N_("No question fits."), N_("Leave out --search or --answered-by, or take other words.")
        )
    if args.json:
        print_json({"questions": [told_of(one) for one in chosen]})
        return
    for line in _by_topic(chosen):
        print(line)


def _chosen(args: argparse.Namespace, program: Program) -> list[Question[Any, Any]]:
    from explorer.questions import all_questions

    every = [*all_questions().values()]
    if args.answered_by is not None:
        names = _answered_by(args.answered_by, program)
        every = [one for one in every if one.name in names]
    if args.search is not None:
        typed = Typed(args.search)
        every = [one for one in every if typed.begins(_words_of(one))]
    return every


def _answered_by(name: str, program: Program) -> frozenset[str]:
    """What a model answers, or any model of a family.

    Raises:
        UserMistake: Nothing has this name.
    """
    catalogue = program.catalogue(program.plugin_host())
    family = [one for one in catalogue.list() if one.family == name]
    found = family or [catalogue.find(name)]
    return frozenset(one for checkpoint in found for one in checkpoint.operations)


def _words_of(question: Question[Any, Any]) -> frozenset[str]:
    """The words that it is found by, in every language that they are written in."""
    title, asks = question.title, question.asks
    found = (question.name, title, asks, _(title), _(asks), *question.found_by)
    return frozenset(word for one in found for word in Typed(one).words)


def _by_topic(chosen: Sequence[Question[Any, Any]]) -> Iterator[str]:
    topics = _topics()
    ordered = sorted(
        chosen, key=lambda one: (Topic.place(topics[one.name]), one.listing.order, one.name)
    )
    rows = [(one.name, " ".join(one.roles), _(one.asks)) for one in ordered]
    heading, *lines = lines_of(rows, (False,) * len(COLUMNS), COLUMNS)
    yield heading
    last = ""
    for one, line in zip(ordered, lines, strict=True):
        if topics[one.name] != last:
            last = topics[one.name]
            yield ""
            yield _(last)
        yield line


def _topics() -> dict[str, str]:
    """The topic that every question is listed under: its own, or that of most in its folder."""
    folders = _folders()
    headings: dict[str, Counter[str]] = {}
    from explorer.questions import all_questions

    for name, question in all_questions().items():
        if question.listing.heading:
            headings.setdefault(folders[name], Counter())[question.listing.heading] += 1
    found = {}
    for name, question in all_questions().items():
        among = headings.get(folders[name])
        usual = among.most_common(1)[0][0] if among else folders[name]
        found[name] = question.listing.heading or usual
    return found


def _folders() -> dict[str, str]:
    """The folder that each question's folder lies in, by the question's name."""
    from explorer.questions import question_folders

    parts = (folder.split(".") for folder in question_folders())
    return {name: topic for *_rest, topic, name in parts}


def told_of(question: Question[Any, Any]) -> Mapping[str, Any]:
    """A question as --list --json has it."""
    from explorer.api.question.needs import ports_of
    from explorer.command_line.asking.request_arguments import arguments_of
    from explorer.serialise import to_builtins

    return {
        "name": question.name,
        "title": question.title,
        "question": question.asks,
        "topic": _folders()[question.name],
        "roles": list(question.roles),
        # Of each role, what its model must have: one port of every list.
        "ports": {
            role: [[port.__name__ for port in ports_of(need)] for need in needs]
            for role, needs in question.roles.items()
        },
        "optional": sorted(question.optional),
        "options": to_builtins(arguments_of(question)),
    }
