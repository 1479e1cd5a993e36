"""`ask QUESTION --steps all --curve`: numbers of the answers as curves over the steps."""

import argparse
from collections.abc import Callable, Iterable

from explorer import headless
from explorer.api.question import UserMistake
from explorer.command_line.asking.question_arguments import TypedQuestion
from explorer.program import Program
from explorer.text import N_


def wants_curve(args: argparse.Namespace) -> bool:
    """Whether curves are asked for: a picture over steps is one of them, too.

    Raises:
        UserMistake: They are, and of no steps.
    """
    if getattr(args, "training_steps", None) is not None:
        return _words(args) is not None or args.picture is not None
    if _words(args) is not None:
        raise UserMistake(
            N_("--curve is of many steps, and none are named."), N_("Add --steps all.")
        )
    return False


def answer_curve(
    args: argparse.Namespace,
    program: Program,
    typed: TypedQuestion,
    also: Iterable[Callable[[headless.AnsweredRun], None]],
    show: headless.Show,
    details: Callable[[], headless.Wants],
) -> int:
    """Ask every step that was not asked before, and print or write the curves.

    Args:
        args: With the options of `ask`.
        program: Where everything is.
        typed: The question that is asked at every step.
        also: What writes more of the answer, as a picture.
        show: Prints an answer for people.
        details: Finds what a picture needs besides.

    Raises:
        UserMistake: No number of the answers has the words that were typed.
        ExplorerError: As `headless.answer`.
    """
    from explorer.questions.learning.over_steps.options import ASKED_QUESTION, SHOWN, STEPS
    from explorer.questions.learning.over_steps.question import OverStepsRequest

    request = OverStepsRequest(typed.question.name, steps=args.training_steps)
    document = typed.document.with_option(ASKED_QUESTION.key, typed.question.name)
    document = document.with_option(STEPS.key, STEPS.written(args.training_steps))
    words = _words(args) or ""
    if words:
        document = document.with_option(SHOWN.key, [words])
    wants = details() if args.picture is not None else None
    answered = headless.answer(
        args, program, request.about(typed.request), document, typed.named, wants=wants
    )
    if words and not answered.result.found(words):
        raise UserMistake(
            N_("No number of the answers has the words “{words}”."),
            N_("Leave them out to see which there are: --json has all of them."),
            words=words,
        )
    for write in also:
        write(answered)
    headless.write_answer(answered, args, show)
    return 0


def _words(args: argparse.Namespace) -> str | None:
    found: str | None = getattr(args, "training_curve", None)
    return found
