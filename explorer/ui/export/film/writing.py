"""Writes a film as what its name says: a file, or a folder of numbered pictures."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from explorer.export_choices import PictureChoice
from explorer.files.typed_paths import free_folder, unwritable
from explorer.sessions.export.tables import write_atomically
from explorer.sessions.schema.atomic import refuse_unwritable
from explorer.ui.export.devices import figure_svg
from explorer.ui.export.film.kinds import FOLDER, GIF, PAGE, kind_of
from explorer.ui.export.paper import PaperPicture

SECONDS = 0.7
"""That a frame is shown where nobody says how long."""


def check_film(path: Path) -> None:
    """See that a film can be written there, before it is made.

    Raises:
        UserMistake: Its ending is none of a film's, or nobody here writes such a film.
        MachineFault: It can't be written there, or the folder is taken.
    """
    if kind_of(path) == FOLDER:
        free_folder(path)
    else:
        refuse_unwritable(path)


def write_film(
    path: Path,
    pictures: Sequence[PaperPicture],
    steps: Sequence[int],
    choice: PictureChoice,
    seconds: float = SECONDS,
    written: Callable[[int], None] = lambda _count: None,
) -> None:
    """Write all frames; the file is there whole or not at all.

    Args:
        path: Where to; its ending says as what.
        pictures: Of one size, at least one.
        steps: Of the training, one each.
        choice: Dots of an inch, and whether letters are shapes.
        seconds: That a frame is shown.
        written: Hears how many are written.

    Raises:
        UserMistake: As `check_film`.
        MachineFault: It can't be written.
    """
    kind = kind_of(path)
    if kind == FOLDER:
        _write_numbered(path, pictures, steps, choice, written)
        return
    if kind == PAGE:
        from explorer.ui.export.film.web import page_bytes

        write_atomically(path, page_bytes(pictures, steps, choice, seconds, written))
        return
    from explorer.ui.export.film.images import gif_bytes, video_bytes

    make = gif_bytes if kind == GIF else video_bytes
    write_atomically(path, make(pictures, choice, seconds, written))


def _write_numbered(
    folder: Path,
    pictures: Sequence[PaperPicture],
    steps: Sequence[int],
    choice: PictureChoice,
    written: Callable[[int], None],
) -> None:
    """An SVG a frame, in the order of their names."""
    free_folder(folder)
    digits = len(str(len(pictures)))
    part = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for number, (one, step) in enumerate(zip(pictures, steps, strict=True)):
            svg = figure_svg(one.figure, one.told, one.millimetres, outlines=choice.outlines)
            (part / f"{number + 1:0{digits}}-step-{step}.svg").write_bytes(svg)
            written(number + 1)
        if folder.is_dir():
            folder.rmdir()
        part.rename(folder)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise unwritable(folder, error) from error
