"""Pictures of an answer's page, drawn by Qt, which is imported here and nowhere before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.question import UserMistake
from explorer.command_line.options.picture_options import form_of
from explorer.export_choices import NARROWEST, PICTURE_FIELDS, WIDEST, Form, PictureChoice
from explorer.headless import AnsweredRun, LoadedModels
from explorer.machine.drawn_by_qt import need_qt
from explorer.text import N_
from explorer.text.lists import all_of

_TYPES: dict[Form, str] = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
}


@dataclass(frozen=True)
class DrawnPage:
    """A page as a file.

    Attributes:
        form: "svg", "png" or "pdf".
        data: The file's bytes.
        words: What it shows, for whoever does not see it.
    """

    form: Form
    data: bytes
    words: str

    @property
    def mime(self) -> str:
        """What kind of file it is."""
        return _TYPES[self.form]

    def _repr_mimebundle_(self, **_wanted: Any) -> dict[str, Any]:
        """What a notebook shows."""
        shown = self.data.decode() if self.form == "svg" else self.data
        return {"text/plain": self.words or repr(self), self.mime: shown}

    def __repr__(self) -> str:
        return f"<{self.form.upper()} picture, {len(self.data):,} bytes: {self.words}>"


def choice_of(
    form: Form, *, width_mm: float | None = None, dark: bool = False, **more: Any
) -> PictureChoice:
    """How a page becomes a picture.

    Args:
        form: Of the file.
        width_mm: In print: 84 is a column of a journal, 174 are two; None as on the screen.
        dark: Light on dark.
        more: `points`, `dpi`, `title`, `caption`, `explanations`, `outlines`, as on the command
            line.

    Raises:
        UserMistake: There is no such choice, or a number is beyond its ends.
    """
    known = {one.name: one for one in PICTURE_FIELDS if one.name != "dark"}
    choice = PictureChoice(form, dark=dark)
    if width_mm is not None:
        if not NARROWEST <= width_mm <= WIDEST:
            raise UserMistake(
                N_("A picture can't be {width} mm wide."),
                N_("Give {least} to {most} mm."),
                width=f"{width_mm:g}",
                least=f"{NARROWEST:g}",
                most=f"{WIDEST:g}",
            )
        choice = replace(choice, size="own", millimetres=width_mm, title=False, caption=False)
    for name, value in more.items():
        one = known.get(name)
        if one is None:
            raise UserMistake(
                N_("A picture has no option {name}."),
                N_("Its options are {known}."),
                name=name,
                known=all_of(known),
            )
        if not one.is_switch and not one.low <= value <= one.high:
            raise UserMistake(
                N_("{name} of a picture can't be {value}."),
                N_("Give {least} to {most}."),
                name=name,
                value=str(value),
                least=f"{one.low:g}",
                most=f"{one.high:g}",
            )
    return replace(choice, **more)


def drawn(
    answered: AnsweredRun,
    models: LoadedModels | None,
    choices: Sequence[PictureChoice],
    parts: Sequence[str] = (),
) -> tuple[DrawnPage, ...]:
    """Pictures of an answer's page.

    Args:
        answered: Question and answer.
        models: Who is asked what the page shows besides; None where nobody is loaded.
        choices: One a picture.
        parts: Names of the parts that are shown; none for as many as a figure holds.

    Raises:
        MachineFault: Qt is not here, or a part of the page can't be drawn.
        UserMistake: The page has no part of such a name.
    """
    need_qt()
    from explorer.ui.export.alone import details_wanted, page_alone

    if models is not None:
        answered = models.with_details(answered, details_wanted)
    found = []
    for choice in choices:
        made = page_alone(answered, choice, parts, whole=choice.width is None)
        found.append(DrawnPage(choice.form, made.written(choice), made.words))
    return tuple(found)


def save(
    answered: AnsweredRun,
    models: LoadedModels | None,
    path: Path,
    parts: Sequence[str] = (),
    **chosen: Any,
) -> None:
    """Write a picture, in the form that the file's ending says.

    Raises:
        UserMistake: The ending is none of a picture's, or as of `choice_of`.
        MachineFault: Qt is not here, or the file can't be written.
    """
    choice = choice_of(form_of(path), **chosen)
    need_qt()
    from explorer.ui.export.alone import details_wanted, save_alone

    if models is not None:
        answered = models.with_details(answered, details_wanted)
    save_alone(answered, [(path, choice.form)], choice, parts)
