"""`ask`: any question, with options made from its request."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from explorer import headless
from explorer.api.family.checkpoint import Source
from explorer.api.question import BESIDE, MODEL, Question, Table, UserMistake
from explorer.command_line import many_models
from explorer.command_line.global_options import add_global_options
from explorer.command_line.picture_options import add_picture_options, writers_of
from explorer.command_line.shared_options import add_consent, add_output_options
from explorer.files.typed_paths import free_folder, unwritable
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.lists import all_of

NAME = "ask"
HELP = N_("any question; ask QUESTION --help has its options")

_ROLE = "role."
After = Callable[[headless.AnsweredRun], None]
"""Makes something else of an answer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Every question with its own options, and their list."""
    from explorer.questions import all_operations
    from explorer.questions.former_names import names_of

    parser.add_argument("--list", action="store_true", help=_("every question, its roles, options"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    questions = parser.add_subparsers(dest="question", metavar="QUESTION")
    for name, operation in all_operations().items():
        told = operation.question_said.replace("%", "%%")
        declare: Any = partial(_add_question, operation=operation)
        parser = questions.add_parser(name, help=told, description=told, declare=declare)
        # Not as aliases, which --help would list.
        for also in names_of(name):
            questions.choices.update({also: parser, also.replace("_", "-"): parser})


def run(args: argparse.Namespace, program: Program) -> int:
    """List the questions, or ask one and print.

    Raises:
        UserMistake: There is no question; a role is not one of the question's.
    """
    from explorer.command_line.request_arguments import asked, given
    from explorer.printing.parts.answer import print_answer
    from explorer.questions import all_operations
    from explorer.questions.former_names import means_today, name_today

    if args.list:
        return _list(args)
    if args.question is None:
        raise UserMistake(N_("Name a question."), N_("ask --list names them all."))
    name = args.question.replace("-", "_")
    operation = all_operations()[name_today(name)]
    typed = given(args)
    means = {field: value for field, value in means_today(name).items() if field not in typed}
    request, document = asked(operation, args, **means)
    named = {**_usual_then(name), **_named(args, program, operation, request)}
    beside = operation.beside is not None and args.exact
    if beside:
        document = document.with_option(BESIDE.key, True)
    if getattr(args, "models", None):
        many_models.check(args.models, program, operation)
        roles = _given(args)
        if args.picture is not None or operation.first_role in roles:
            raise UserMistake(
                N_("--models asks many models, and neither --model nor --picture goes with it."),
                N_("Leave one of them out."),
            )
        if roles:
            raise UserMistake(
                N_("--models asks each model by itself, and --{role} names a second one."),
                N_("Leave one of them out."),
                role=next(iter(roles)),
            )
        return many_models.answer_each(
            args, program, request, document, print_answer, beside=beside
        )
    also = [*_folder(args, operation), *writers_of(args)]
    wants = _wants() if args.picture is not None else None
    answered = headless.answer(args, program, request, document, named, beside=beside, wants=wants)
    for write in also:
        write(answered)
    headless.write_answer(answered, args, print_answer)
    return 0


def _folder(args: argparse.Namespace, operation: Question[Any, Any]) -> Iterator[After]:
    """What writes the folder that was named."""
    folder = getattr(args, "save", None)
    if folder is None or operation.saves is None:
        return
    # A name that is taken is said before the answer takes its time.
    free_folder(folder)
    saves = operation.saves

    def write(answered: headless.AnsweredRun) -> None:
        try:
            saves(answered.result, folder)
        except OSError as error:
            raise unwritable(folder, error) from error

    yield write


def _wants() -> headless.Wants:
    from explorer.ui.export.alone import details_wanted

    return details_wanted


def _add_question(parser: argparse.ArgumentParser, operation: Question[Any, Any]) -> None:
    from explorer.command_line.request_arguments import add_arguments as add_request

    add_request(parser, operation)
    # A question that is asked many times over has the roles of whichever is asked.
    for role in operation.roles if operation.delegates_to is None else headless.USUAL:
        usual = headless.USUAL[role]
        if role in operation.optional:
            said = _("nobody, where it is left out")
        else:
            said = _("default: {usual}", usual=usual) + (
                _(", or one that answers") if role == MODEL else ""
            )
        flags = (f"--{role}", "-m") if role == MODEL else (f"--{role}",)
        parser.add_argument(
            *flags,
            dest=_ROLE + role,
            metavar="M",
            help=_("a checkpoint to be the {role} ({said})", role=role, said=said),
        )
    if operation.one_answers:
        parser.add_argument(
            "--models",
            type=many_models.names,
            metavar="M,N",
            help=_("many models, one after the other: an answer of each"),
        )
    former = {role: now for one in operation.replaces.values() for role, now in one.roles.items()}
    for role, now in former.items():
        # What it was called in a question of before; --help need not list it.
        hidden: Any = {"default": argparse.SUPPRESS, "help": argparse.SUPPRESS}
        parser.add_argument(f"--{role}", dest=_ROLE + now, **hidden)
    add_consent(parser)
    if operation.saves is not None:
        parser.add_argument(
            "--save",
            type=Path,
            metavar="FOLDER",
            help=_("write what was made into a new folder; nothing is written over"),
        )
    if operation.beside is not None:
        parser.add_argument(
            "--exact",
            action="store_true",
            help=_("show the exact answers of the miniatures' world next to the model's"),
        )
    # Left out here, it must not undo what stood before the question.
    add_output_options(parser, absent=argparse.SUPPRESS, below=True)
    add_picture_options(parser)
    add_global_options(parser)


def _named(
    args: argparse.Namespace, program: Program, operation: Question[Any, Any], request: Any
) -> Mapping[str, str]:
    """The checkpoint of every role: the one that was named, or the usual one.

    Raises:
        UserMistake: One was named for a role that the question has not.
    """
    roles, optional = operation.roles_of(request), operation.optional_of(request)
    given = _given(args)
    for role in given:
        if role not in roles:
            raise UserMistake(
                N_("There is no {role} in this question."),
                N_("Name {roles}."),
                role=role,
                roles=all_of(roles),
            )
    named = {}
    for role in roles:
        if role in given:
            named[role] = given[role]
        elif role not in optional:
            asks = operation if operation.delegates_to is None else operation.delegates_to(request)
            named[role] = _answers(program, asks) if role == MODEL else headless.USUAL[role]
    return named


def _given(args: argparse.Namespace) -> Mapping[str, str]:
    """The checkpoints that were named, by role."""
    return {
        name.removeprefix(_ROLE): value
        for name, value in vars(args).items()
        if name.startswith(_ROLE) and value is not None
    }


def _usual_then(name: str) -> Mapping[str, str]:
    """The usual checkpoint of every role that another question has today, by its role there."""
    from explorer.questions.former_names import absorbed

    gone = absorbed(name)
    roles = {} if gone is None else gone.roles
    return {now: headless.USUAL[role] for role, now in roles.items()}


def _answers(program: Program, operation: Question[Any, Any]) -> str:
    """The usual model, or the first bundled one that answers where it does not."""
    catalogue = program.catalogue(program.plugin_host())
    usual = catalogue.find(headless.DEFAULT_MODEL)
    if operation.name in usual.operations:
        return usual.id
    bundled = (row for row in catalogue.list() if row.source is Source.BUNDLED)
    return next((row.id for row in bundled if operation.name in row.operations), usual.id)


def _list(args: argparse.Namespace) -> int:
    from explorer.printing.tables import print_table
    from explorer.questions import all_operations

    operations = all_operations().values()
    if args.json:
        headless.print_json({"questions": [_told(one) for one in operations]})
    else:
        rows = tuple((one.name, " ".join(one.roles), _(one.asks)) for one in operations)
        print_table(Table(("question", "roles", "asks"), rows))
    return 0


def _told(operation: Question[Any, Any]) -> Mapping[str, Any]:
    """A question as --list --json has it."""
    from explorer.api.question.needs import ports_of
    from explorer.command_line.request_arguments import arguments_of
    from explorer.questions import question_folders
    from explorer.serialise import to_builtins

    folders = (folder.split(".") for folder in question_folders())
    return {
        "name": operation.name,
        "title": operation.title,
        "question": operation.asks,
        # The folder that its folder lies in.
        "topic": next(topic for *_, topic, name in folders if name == operation.name),
        "roles": list(operation.roles),
        # Of each role, what its model must have: one port of every list.
        "ports": {
            role: [[port.__name__ for port in ports_of(need)] for need in needs]
            for role, needs in operation.roles.items()
        },
        "optional": sorted(operation.optional),
        "options": to_builtins(arguments_of(operation)),
    }
