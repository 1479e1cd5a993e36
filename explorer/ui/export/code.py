"""An answer as code on the clipboard: as a program, as a command, with transformers alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtGui import QGuiApplication

from explorer.api.question import Question, UserMistake
from explorer.as_code.as_command import as_command
from explorer.as_code.asked import AskedRun
from explorer.as_code.in_python import IMPORT, in_python
from explorer.as_code.with_transformers import with_transformers
from explorer.sessions.records import StoredRun
from explorer.text import N_
from explorer.ui.blocks.page.shown import Origin, Shown

WRITTEN: Mapping[str, Callable[[AskedRun], str]] = {
    "copy_python": in_python,
    "copy_command": as_command,
    "copy_transformers": with_transformers,
}
"""What writes each kind of code, as menus call it."""


def asked_in(question: Question[Any, Any], origin: Origin, shown: Shown) -> AskedRun | None:
    """An answer as it was asked, with what redraws it as it is set now.

    Args:
        question: What was asked.
        origin: How the answer came about.
        shown: The answer.

    Returns:
        None where what was asked is not known.
    """
    told = origin.provenance(question, shown.asked, shown.result)
    if told.request is None:
        return None
    folders = {card.stamp.id: card.folder for card in shown.cards.values()}
    return AskedRun(question, told.request, shown.now, origin.models, shown.result, folders)


def copy_code(run: AskedRun | StoredRun | None, kind: str) -> None:
    """Copy an answer as code.

    Args:
        run: What was asked; None where that can't be read.
        kind: One of WRITTEN.

    Raises:
        UserMistake: It can't be written so.
    """
    asked = AskedRun.of(run) if isinstance(run, StoredRun) else run
    written = "" if asked is None else WRITTEN[kind](asked)
    if not written and asked is not None:
        raise UserMistake(
            N_("There is no program with transformers alone for this answer."),
            N_("Copy as Python has one that imports explorer."),
        )
    if not written:
        raise UserMistake(
            N_("What was asked can't be read, so it can't be written as code."),
            N_("Ask again, and copy that."),
        )
    QGuiApplication.clipboard().setText(written)


def copy_programs(runs: Sequence[AskedRun]) -> None:
    """Copy several answers as one program."""
    programs = [in_python(one).removeprefix(IMPORT) for one in runs]
    QGuiApplication.clipboard().setText("\n".join([IMPORT.rstrip(), *programs]))
