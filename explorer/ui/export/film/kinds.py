"""What a film can be written as, and with what."""

import shutil
from importlib.util import find_spec
from pathlib import Path

from explorer.api.question import UserMistake
from explorer.text import N_

GIF, VIDEO, PAGE, FOLDER = "gif", "mp4", "html", "folder"
NO_VIDEO = N_("An MP4 is written by ffmpeg, which is not installed here.")
GET_VIDEO = N_("Install it, or pip install 'plm-explorer[video]'; GIF and HTML need nothing.")


def kind_of(path: Path) -> str:
    """What a name says: by its ending, or a folder where it has none.

    Raises:
        UserMistake: It ends as no film does; or it is an MP4, and nobody here writes one.
    """
    ending = path.suffix.lower().removeprefix(".")
    if not ending:
        return FOLDER
    if ending == VIDEO and not video_program():
        raise UserMistake(NO_VIDEO, GET_VIDEO)
    if ending not in (GIF, VIDEO, PAGE):
        raise UserMistake(
            N_("A film can't be written as {form}."),
            N_(
                "Choose a name that ends in .gif, .mp4 or .html, or one without an ending for a "
                "folder of numbered SVGs."
            ),
            form=ending,
        )
    return ending


def video_program() -> str:
    """The program that writes an MP4: ffmpeg of the system, or of imageio-ffmpeg; "" for none."""
    found = shutil.which("ffmpeg")
    if found is None and find_spec("imageio_ffmpeg") is not None:
        from imageio_ffmpeg import get_ffmpeg_exe

        try:
            found = str(get_ffmpeg_exe())
        except RuntimeError:
            return ""
    return found or ""
