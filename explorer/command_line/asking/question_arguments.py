"""What is typed of one question: its options, who plays its roles, how the answer comes out."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from explorer import headless
from explorer.api.question import BESIDE, MODEL, Question
from explorer.casting import cast
from explorer.command_line.asking import many_models
from explorer.command_line.asking.request_arguments import add_arguments, asked, given
from explorer.command_line.options.film_options import add_film_options
from explorer.command_line.options.global_options import add_global_options
from explorer.command_line.options.look_options import add_look_option, with_looks
from explorer.command_line.options.picture_options import add_picture_options
from explorer.command_line.options.shared_options import add_consent, add_output_options
from explorer.command_line.options.step_options import add_step_options, at_named_step
from explorer.command_line.options.values_options import add_values_options
from explorer.document import Document
from explorer.program import Program
from explorer.questions import all_questions
from explorer.questions.former_names import absorbed, means_today, name_today
from explorer.text import _

_ROLE = "role."


def add_question(parser: argparse.ArgumentParser, question: Question[Any, Any]) -> None:
    """Declare a question's options, who may play its roles, and how its answer comes out."""
    add_arguments(parser, question)
    # A question that is asked many times over has the roles of whichever is asked.
    for role in question.roles if question.delegates_to is None else headless.USUAL:
        usual = headless.USUAL[role]
        if role in question.optional:
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
    if question.roles:
        many = question.one_answers or len(question.roles) > 1
        add_step_options(parser, many=many)
        if many:
            add_film_options(parser)
    if question.one_answers:
        parser.add_argument(
            "--models",
            type=many_models.names,
            metavar="M,N",
            help=_("many models, one after the other: an answer of each"),
        )
    former = {role: now for one in question.replaces.values() for role, now in one.roles.items()}
    for role, now in former.items():
        # What it was called in a question of before; --help need not list it.
        hidden: Any = {"default": argparse.SUPPRESS, "help": argparse.SUPPRESS}
        parser.add_argument(f"--{role}", dest=_ROLE + now, **hidden)
    add_consent(parser)
    if question.saves is not None:
        parser.add_argument(
            "--save",
            type=Path,
            metavar="FOLDER",
            help=_("write what was made into a new folder; nothing is written over"),
        )
    if question.beside is not None:
        parser.add_argument(
            "--exact",
            action="store_true",
            help=_("show the exact answers of the miniatures' world next to the model's"),
        )
    add_look_option(parser, question)
    # Left out here, it must not undo what stood before the question.
    add_output_options(parser, absent=argparse.SUPPRESS, below=True)
    add_picture_options(parser)
    add_values_options(parser)
    add_global_options(parser)


@dataclass(frozen=True)
class TypedQuestion:
    """What was typed, read.

    Attributes:
        question: The question, as it is called today.
        request: What is asked.
        document: What it is asked of.
        named: The checkpoint of every role.
        beside: What the question lays beside its answer is asked for as well.
    """

    question: Question[Any, Any]
    request: Any
    document: Document
    named: Mapping[str, str]
    beside: bool

    @classmethod
    def of(cls, name: str, args: argparse.Namespace, program: Program) -> Self:
        """Read what was typed of a question.

        Args:
            name: As it was typed; one that it had formerly, too.
            args: Parsed with what `add_question` declared.
            program: Where the checkpoints are.

        Raises:
            UserMistake: A mask is not in the text, a role is not one of the question's.
        """
        name = name.replace("-", "_")
        question = all_questions()[name_today(name)]
        typed = given(args)
        means = {field: value for field, value in means_today(name).items() if field not in typed}
        request, document = asked(question, args, **means)
        named = {**_usual_then(name), **cast(program, question, request, given_models(args))}
        if (first := question.first_role) in named:
            named[first] = at_named_step(args, program, named[first])
        beside = question.beside is not None and args.exact
        if beside:
            document = document.with_option(BESIDE.key, True)
        document = with_looks(question, args, document)
        return cls(question, request, document, named, beside)


def given_models(args: argparse.Namespace) -> Mapping[str, str]:
    """The checkpoints that were named, by role."""
    return {
        name.removeprefix(_ROLE): value
        for name, value in vars(args).items()
        if name.startswith(_ROLE) and value is not None
    }


def _usual_then(name: str) -> Mapping[str, str]:
    """The usual checkpoint of every role that another question has today, by its role there."""
    gone = absorbed(name)
    roles = {} if gone is None else gone.roles
    return {now: headless.USUAL[role] for role, now in roles.items()}
