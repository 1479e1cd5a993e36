"""Pictures of an answer's page on the command line: the same choices as in the window's dialog."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from explorer.api.question import UserMistake
from explorer.export_choices import (
    NARROWEST,
    PICTURE_FIELDS,
    WIDEST,
    Form,
    PictureChoice,
    PictureField,
)
from explorer.headless import AnsweredRun
from explorer.machine.drawn_by_qt import need_qt
from explorer.text import N_, _

_DEST = "picture."
FILM_DPI = 120
"""Dots an inch of a film where nobody says how many: enough for a screen."""
BELOW = "below"
"""What --caption means without a word behind it: below the picture."""


@dataclass(frozen=True)
class Pictures:
    """What is written of an answer.

    Attributes:
        files: Each with its form.
        choice: How its page becomes a picture.
        parts: Names of the parts that are shown; none for as many as a figure holds.
    """

    files: tuple[tuple[Path, Form], ...]
    choice: PictureChoice
    parts: tuple[str, ...] = ()


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """Declare them; an option of the question that is called like one of them stays its own."""

    def add(*flags: str, **options: Any) -> None:
        with suppress(argparse.ArgumentError):
            parser.add_argument(*flags, **options)

    add(
        "--picture",
        type=Path,
        action="append",
        metavar="FILE",
        help=_("write the page as .pdf, .svg or .png; may be given several times"),
    )
    add(
        "--part",
        dest=f"{_DEST}part",
        action="append",
        metavar="NAME",
        help=_(
            "of the picture: a part of the page that it shows, may be given several times; “all” "
            "shows every one. Without it a picture of a width shows the first parts, as far as the "
            "height of a figure goes"
        ),
    )
    width = parser.add_mutually_exclusive_group()
    width.add_argument(
        "--picture-width",
        type=_millimetres,
        metavar="MM",
        help=_(
            "of the picture in print: 84 is a column of a journal, 174 are two. A picture of a "
            "width has no title and no caption: both are in the file's metadata, as with every "
            "picture"
        ),
    )
    with suppress(argparse.ArgumentError):
        width.add_argument(
            "--slide",
            dest=f"{_DEST}slide",
            action="store_true",
            help=_("a picture as large as a slide, in type of 14 points at least"),
        )
    add("--scheme", choices=("light", "dark"), default="light", help=_("of the picture"))
    for field in PICTURE_FIELDS:
        if field.name == "dark" or not field.said:
            continue  # that is --scheme
        flag, dest, told = f"--{field.name}", _DEST + field.name, _(field.said)
        if field.name == "caption":
            # --caption is a table's, too.
            add(f"--no-{field.name}", dest=dest, action="store_const", const=False, help=_(
                "of a picture: leave out how the answer came about"
            ))  # fmt: skip
        elif field.is_switch:
            add(flag, dest=dest, action=argparse.BooleanOptionalAction, help=told)
        else:
            add(flag, dest=dest, type=_number_of(field), metavar="N", help=told)


def pictures_of(args: argparse.Namespace) -> Pictures | None:
    """What is asked for; None without a picture and without a film, which are drawn alike.

    Raises:
        UserMistake: A file's ending is none of a picture's, or there is no file for what is said
            of one.
    """
    typed = {name.removeprefix(_DEST): value for name, value in vars(args).items()
             if name.startswith(_DEST) and value not in (None, False, [])}  # fmt: skip
    if args.caption == BELOW:
        typed["caption"] = True
    elif getattr(args, f"{_DEST}caption", None) is False:
        typed["caption"] = False
    for name in ("title", "explanations", "outlines"):
        if getattr(args, _DEST + name, None) is not None:
            typed[name] = getattr(args, _DEST + name)
    film = getattr(args, "film", None)
    if args.picture is None and film is None:
        if typed:
            flag = f"--{next(iter(typed))}"
            raise UserMistake(
                N_("{option} is about a picture, and none is written."),
                N_("Name its file: --picture FILE."),
                option=flag,
            )
        return None
    files = tuple((path, form_of(path)) for path in args.picture or ())
    parts = tuple(typed.pop("part", ()))
    form = files[0][1] if files else "svg"
    choice = PictureChoice(form, dark=args.scheme == "dark")
    choice = choice if film is None else replace(choice, dpi=FILM_DPI)
    if typed.pop("slide", False):
        choice = replace(choice, size="slide", explanations=False)
    elif args.picture_width is not None:
        choice = replace(choice, size="own", millimetres=args.picture_width)
    if choice.size != "screen":
        # Papers and slides have a title and a caption of their own; a film goes without them.
        choice = replace(choice, title=False, caption=film is not None)
    return Pictures(files, replace(choice, **typed), parts)


def writers_of(args: argparse.Namespace) -> Iterator[Callable[[AnsweredRun], None]]:
    """What writes the pictures that are asked for."""
    wanted = pictures_of(args)
    if wanted is None or not wanted.files:
        return
    need_qt()
    from explorer.ui.export.alone import save_alone

    yield lambda answered: save_alone(answered, wanted.files, wanted.choice, wanted.parts)


def form_of(path: Path) -> Form:
    """What a file's ending says.

    Raises:
        UserMistake: It is none of a picture's.
    """
    ending = path.suffix.lower().removeprefix(".")
    forms: tuple[Form, ...] = get_args(Form)
    form = next((one for one in forms if one == ending), None)
    if form is None:
        raise UserMistake(
            N_("A picture can't be written as {form}."),
            N_("Choose a name that ends in .pdf, .svg or .png."),
            form=ending or _("a file without an ending"),
        )
    return form


def _millimetres(text: str) -> float:
    """A width that can be printed."""
    try:
        width = float(text)
    except ValueError:
        width = 0.0
    if not NARROWEST <= width <= WIDEST:
        raise argparse.ArgumentTypeError(
            _("{text} is no width from {least} to {most} mm", text=text, least=60, most=600)
        )
    return width


def _number_of(field: PictureField) -> Callable[[str], float]:
    whole = isinstance(getattr(PictureChoice(), field.name), int)

    def read(text: str) -> float:
        try:
            number = int(text) if whole else float(text)
        except ValueError:
            number = -1
        if not field.low <= number <= field.high:
            least, most = round(field.low), round(field.high)
            raise argparse.ArgumentTypeError(
                _("{text} is no number from {least} to {most}", text=text, least=least, most=most)
            )
        return number

    return read
