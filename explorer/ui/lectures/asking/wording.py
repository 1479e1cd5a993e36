"""What is said of an answer, and on the buttons below a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.lectures.lessons.ask import AskKind, told_answer, within_quotes
from explorer.text import _

if TYPE_CHECKING:
    from explorer.lectures.lessons.ask import LessonAsk
    from explorer.ui.lectures.asking.asking import LessonAsking

Sign = tuple[str, str]
"""An icon, and its colour."""
RIGHT: Sign = ("check-circle", "positive")
WRONG: Sign = ("close-circle-outline", "danger")
OPEN: Sign = ("help-circle-outline", "muted")


def hint_button_said(taken: int, count: int) -> str:
    """What the button for the next hint says."""
    return _("Hint") if count == 1 else _("Hint {next} of {count}", next=taken + 1, count=count)


def show_button_said(ask: LessonAsk) -> str:
    """What the button says that needs no answer."""
    return _("Do it for me") if ask.kind is AskKind.DO else _("Show the answer")


def outcome_said(ask: LessonAsk, asking: LessonAsking) -> tuple[Sign, str]:
    """What is known of an answer, with its sign; "" where there is nothing to say yet."""
    given = asking.given
    if given is None or (ask.first and given.right is None and not given.shown):
        if ask.kind is AskKind.DO:
            return OPEN, _("Do it on the page; it is checked as soon as the page has answered.")
        return OPEN, _("Asking the page…") if given is not None else ""
    if given.right is False and not ask.first:
        wrong = _("“{given}” is not it.", given=within_quotes(told_answer(ask, given.given)))
        return WRONG, " ".join((wrong, _("Try again, or take a hint.")))
    live = asking.live
    answer = "" if live is None else told_answer(ask, live)
    lines = []
    if ask.kind is AskKind.DO:
        lines.append(_("Done.") if given.right else _("It was done for you."))
    elif ask.first and given.given:
        said = told_answer(ask, given.given)
        lines.append(_guess_said(ask, said, answer))
    elif given.right:
        lines.append(_("Right: {answer}.", answer=told_answer(ask, given.given)))
    elif answer and ask.kind is AskKind.CHOICE:
        lines.append(_("The answer is “{answer}”.", answer=within_quotes(answer)))
    elif answer:
        lines.append(_("It is {answer}.", answer=answer))
    reveal = ask.said().reveal
    if reveal and (answer or "{answer}" not in reveal):
        lines.append(reveal.replace("{answer}", answer))
    is_right = given.right is True
    return (RIGHT if is_right else OPEN), " ".join(lines)


def _guess_said(ask: LessonAsk, given: str, answer: str) -> str:
    """What was guessed, and what the page says."""
    if not answer:
        return _("You guessed {given}.", given=given)
    if given == answer:
        return _("You guessed it: {answer}.", answer=answer)
    if ask.kind is AskKind.CHOICE:
        return _(
            "You guessed “{given}”. The page says: “{answer}”.",
            given=within_quotes(given),
            answer=within_quotes(answer),
        )
    return _("You guessed {given}. It is {answer}.", given=given, answer=answer)
