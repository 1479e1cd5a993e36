"""`--film`: the page of an answer at many steps of a model's training, as a film in a file."""

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api.question import UserMistake
from explorer.command_line.options.picture_options import pictures_of
from explorer.export_choices import PictureChoice
from explorer.headless import AnsweredRun, Wants
from explorer.machine.drawn_by_qt import need_qt
from explorer.printing.progress import TerminalProgress
from explorer.text import N_, _

SHORTEST, LONGEST = 0.05, 60.0
"""Seconds a frame."""


def add_film_options(parser: argparse.ArgumentParser) -> None:
    """Declare them; an option of the question that is called like one of them stays its own."""

    def add(flag: str, **told: Any) -> None:
        with suppress(argparse.ArgumentError):
            parser.add_argument(flag, **told)

    add(
        "--film",
        type=Path,
        metavar="FILE",
        help=_(
            "with --steps: write the page of every step as a film, .gif, .mp4 or .html; a name "
            "without an ending is a folder of numbered SVGs"
        ),
    )
    add(
        "--seconds-a-frame",
        dest="film_seconds",
        type=_seconds,
        metavar="S",
        help=_("of a film: how long a frame is shown"),
    )


@dataclass(frozen=True)
class WantedFilm:
    """A film that is to be written.

    Attributes:
        path: Where to.
        choice: How its pages become pictures.
        parts: Names of the parts that are shown.
        seconds: That a frame is shown; None for the usual time.
    """

    path: Path
    choice: PictureChoice
    parts: tuple[str, ...] = ()
    seconds: float | None = None

    @property
    def wants(self) -> Wants:
        """The details that its pages need."""
        from explorer.ui.export.alone import details_wanted

        return details_wanted

    def write(self, found: Sequence[tuple[int, AnsweredRun]]) -> None:
        """Draw the answers of all steps, and write them.

        Raises:
            UserMistake: The page has no part of such a name.
            MachineFault: It can't be drawn or written.
        """
        from explorer.ui.export.alone import tell_of_size
        from explorer.ui.export.film.drawing import AnsweredFrame, drawn
        from explorer.ui.export.film.writing import SECONDS, write_film

        far = TerminalProgress()

        def heard(words: str, count: int) -> None:
            far(_(words, count=count, all=len(found)), count, len(found))

        pictures = drawn(
            [AnsweredFrame(*one) for one in found],
            self.choice,
            self.parts,
            lambda count: heard(N_("{count} of {all} frames are drawn"), count),
        )
        write_film(
            self.path,
            pictures,
            [step for step, _answered in found],
            self.choice,
            self.seconds or SECONDS,
            lambda count: heard(N_("{count} of {all} frames are written"), count),
        )
        far.end()
        tell_of_size(pictures[-1], self.choice, chosen=bool(self.parts))


def film_of(args: argparse.Namespace, steps: Mapping[str, int]) -> WantedFilm | None:
    """What is asked for; None without a film.

    Args:
        args: With what `add_film_options` and `add_picture_options` declared.
        steps: The frames that are asked, by their ids.

    Raises:
        UserMistake: Nothing is asked at many steps, or there is no such film.
        MachineFault: It can't be written there, or nothing can be drawn here.
    """
    path = getattr(args, "film", None)
    seconds = getattr(args, "film_seconds", None)
    if path is None:
        if seconds is not None:
            raise UserMistake(
                N_("{option} is about a film, and none is written."),
                N_("Name its file: --film FILE."),
                option="--seconds-a-frame",
            )
        return None
    if not steps:
        raise UserMistake(
            N_("A film shows a model at many steps of its training, and one answer was asked for."),
            N_("Say which: --steps all, or as in --steps 10,100,1000-4000."),
        )
    wanted = pictures_of(args)
    need_qt()
    from explorer.ui.export.film.writing import check_film

    check_film(path)
    return None if wanted is None else WantedFilm(path, wanted.choice, wanted.parts, seconds)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not SHORTEST <= seconds <= LONGEST:
        raise argparse.ArgumentTypeError(
            _("{text} is no number from {least} to {most}", text=text, least=SHORTEST, most=60)
        )
    return seconds
