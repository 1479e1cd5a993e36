"""`ask`: any question, with options made from its request."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from explorer import headless
from explorer.api.question import Question, UserMistake
from explorer.command_line.asking import many_models
from explorer.command_line.asking.question_arguments import (
    TypedQuestion,
    add_question,
    given_models,
)
from explorer.command_line.asking.question_list import add_list_options, print_questions
from explorer.command_line.asking.request_lines import (
    EVERY_LINE,
    LINES_SAID,
    add_lines_options,
    answer_lines,
)
from explorer.command_line.asking.step_curves import answer_curve, wants_curve
from explorer.command_line.options.film_options import film_of
from explorer.command_line.options.look_options import check_looks
from explorer.command_line.options.picture_options import writers_of
from explorer.command_line.options.step_options import moving_role, steps_named
from explorer.command_line.options.values_options import values_writer
from explorer.files.typed_paths import free_folder, unwritable
from explorer.program import Program
from explorer.text import N_, _, said

NAME = "ask"
HELP = N_("any question; ask QUESTION --help has its options")

After = Callable[[headless.AnsweredRun], None]
"""Makes something else of an answer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Every question with its own options, and their list."""
    from explorer.questions import all_questions
    from explorer.questions.former_names import names_of

    add_list_options(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    questions = parser.add_subparsers(dest="question", metavar="QUESTION")
    add_lines_options(
        questions.add_parser(
            EVERY_LINE,
            help=_("many questions at once: a request a line, as JSON, on standard input"),
            description=_(LINES_SAID),
        )
    )
    for name, question in all_questions().items():
        told = question.question_said.replace("%", "%%")
        declare: Any = partial(add_question, question=question)
        parser = questions.add_parser(name, help=told, description=told, declare=declare)
        # Not as aliases, which --help would list.
        for also in names_of(name):
            questions.choices.update({also: parser, also.replace("_", "-"): parser})


def run(args: argparse.Namespace, program: Program) -> int:
    """List the questions, or ask one and print.

    Raises:
        UserMistake: There is no question; a role is not one of the question's.
    """
    from explorer.printing.parts.answer import print_answer

    if args.list:
        print_questions(args, program)
        return 0
    if args.question is None:
        raise UserMistake(N_("Name a question."), N_("ask --list names them all."))
    if args.question == EVERY_LINE:
        return answer_lines(args, program, sys.stdin)
    typed = TypedQuestion.of(args.question, args, program)
    question, request, document = typed.question, typed.request, typed.document
    if known := question.warns(request):
        print(said(known), file=sys.stderr)
    roles = given_models(args)
    role = moving_role(args, program, typed.named)
    steps = steps_named(args, program, typed.named.get(role, ""))
    film = film_of(args, steps)
    if steps and getattr(args, "models", None):
        raise UserMistake(
            N_("--steps asks one model at many steps, and --models many models."),
            N_("Leave one of them out."),
        )
    if wants_curve(args):
        return answer_curve(args, program, typed, writers_of(args), print_answer, _wants)
    if steps:
        args.models = tuple(steps)
        roles = {}
    if getattr(args, "models", None):
        if role == question.first_role:
            many_models.check(args.models, program, question)
        _refuse_beside_models(args, question, roles)
        asked = many_models.AskedOfEach(
            request, document, role, typed.named if steps else {}, typed.beside, steps, film
        )
        return many_models.answer_each(args, program, asked, print_answer)
    also = [*_folder(args, question), *writers_of(args)]
    wants = _wants() if args.picture is not None else None
    answered = headless.answer(
        args,
        program,
        request,
        document,
        typed.named,
        beside=typed.beside,
        wants=wants,
        inside=values_writer(args),
    )
    check_looks(question, document, answered.result)
    for write in also:
        write(answered)
    headless.write_answer(answered, args, print_answer)
    return 0


def _refuse_beside_models(
    args: argparse.Namespace, question: Question[Any, Any], roles: Mapping[str, str]
) -> None:
    """Refuse what does not go with many models that are asked one after the other.

    Raises:
        UserMistake: There is such.
    """
    if args.picture is not None or question.first_role in roles:
        raise UserMistake(
            N_("--models asks many models, and neither --model nor --picture goes with it."),
            N_("Leave one of them out."),
        )
    if args.values is not None:
        raise UserMistake(N_("--values is of the models of one answer."), N_("Leave --models out."))
    if roles:
        raise UserMistake(
            N_("--models asks each model by itself, and --{role} names a second one."),
            N_("Leave one of them out."),
            role=next(iter(roles)),
        )


def _folder(args: argparse.Namespace, question: Question[Any, Any]) -> Iterator[After]:
    """What writes the folder that was named."""
    folder = getattr(args, "save", None)
    if folder is None or question.saves is None:
        return
    # A name that is taken is said before the answer takes its time.
    free_folder(folder)
    saves = question.saves

    def write(answered: headless.AnsweredRun) -> None:
        try:
            saves(answered.result, folder)
        except OSError as error:
            raise unwritable(folder, error) from error

    yield write


def _wants() -> headless.Wants:
    from explorer.ui.export.alone import details_wanted

    return details_wanted
