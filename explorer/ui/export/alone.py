"""A picture of an answer without a window: what the command line writes."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtWidgets import QApplication

from explorer.api import Detail, UserMistake
from explorer.export_choices import Form, PictureChoice
from explorer.sessions.export.tables import write_atomically
from explorer.sessions.records import Run
from explorer.text import N_, _
from explorer.ui.blocks.shown import Origin, Shown
from explorer.ui.export.paper import Printed, printed
from explorer.ui.views import views

_KEPT: list[object] = []
FORMS: tuple[Form, ...] = ("pdf", "svg", "png")


def choice_of(path: Path, millimetres: float | None) -> PictureChoice:
    """What a file's ending and a width ask for.

    Raises:
        UserMistake: The ending is another.
    """
    ending = path.suffix.lower().removeprefix(".")
    form = next((one for one in FORMS if one == ending), None)
    if form is None:
        raise UserMistake(
            N_("A picture can't be written as {form}."),
            N_("Choose a name that ends in .pdf, .svg or .png."),
            form=ending or _("a file without an ending"),
        )
    if millimetres is None:
        return PictureChoice(form)
    return PictureChoice(form, "own", millimetres, title=False, caption=False)


def save_alone(
    run: Run,
    path: Path,
    millimetres: float | None,
    beside: Mapping[Detail, Any] = MappingProxyType({}),
) -> None:
    """Write the picture of a run's page.

    Args:
        run: Question and answer.
        path: The file; its ending says the form.
        millimetres: As wide as it is printed, without title and caption; None for as on screen.
        beside: What is laid beside the answer.

    Raises:
        UserMistake: The ending is none of a picture's.
        MachineFault: The file can't be written.
    """
    choice = choice_of(path, millimetres)
    write_atomically(path, page_alone(run, choice, beside).written(choice))


def page_alone(
    run: Run, choice: PictureChoice, beside: Mapping[Detail, Any] = MappingProxyType({})
) -> Printed:
    """The page of a run, laid out as it was chosen.

    Args:
        run: Question and answer.
        choice: The size, and what is to be seen.
        beside: What is laid beside the answer.
    """
    # Kept by Qt to the end: what paints letters asks it for their fonts.
    _KEPT.append(QApplication.instance() or QApplication([]))
    page = next(kind.declared for kind in views() if kind.of.name == run.operation)
    shown = Shown(run.result, run.document, run.document, details=beside, complete=tuple(beside))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    origin = Origin(now, run.seed, run.versions)
    return printed(page, shown, origin, _(page.of.title), choice)
