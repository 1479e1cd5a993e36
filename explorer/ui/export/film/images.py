"""A film of dots: as GIF, which Pillow writes, or as MP4, which ffmpeg does."""

import io
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image
from PySide6.QtGui import QImage

from explorer.api.question import MachineFault
from explorer.export_choices import PictureChoice
from explorer.text import N_
from explorer.text.printable import first_line
from explorer.ui.export.devices import figure_image
from explorer.ui.export.film.kinds import video_program
from explorer.ui.export.paper import PaperPicture

COLOURS, EXACT = 256, 64
"""Of a GIF, and how many of them are the commonest ones as they are: grounds, bars and letters."""
SAMPLE = 400
"""Pixels a side of what the palette of all frames is made from, of each."""
PATIENCE = 600.0
"""Seconds for ffmpeg."""
CODECS = ("libx264", "libopenh264", "mpeg4")
"""The first that ffmpeg was built with is taken; H.264 plays everywhere."""

AT_ONCE = 4096
"""Colours that are compared with a palette."""

Written = Callable[[int], None]
Colours = npt.NDArray[np.uint8]


def gif_bytes(
    pictures: Sequence[PaperPicture], choice: PictureChoice, seconds: float, written: Written
) -> bytes:
    """All frames as one GIF that plays for ever.

    Args:
        pictures: Of one size.
        choice: How many dots an inch has.
        seconds: That a frame is shown.
        written: Hears how many are written.
    """
    whole = [_image(one, choice) for one in pictures]
    # One palette, or colours would flicker from frame to frame.
    palette = palette_of(_side_by_side(whole))
    frames = []
    for number, one in enumerate(whole):
        frames.append(in_palette(one, palette))
        written(number + 1)
    shown = round(seconds * 1000)
    told = f"{pictures[-1].title}. {pictures[-1].description}"
    made = io.BytesIO()
    frames[0].save(
        made,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        # The last one stays longer, so that its end is seen.
        duration=[*[shown] * (len(frames) - 1), 3 * shown],
        loop=0,
        comment=told.encode("utf-8")[:255].decode("utf-8", "ignore").encode("utf-8"),
        optimize=False,
    )
    return made.getvalue()


def video_bytes(
    pictures: Sequence[PaperPicture], choice: PictureChoice, seconds: float, written: Written
) -> bytes:
    """All frames as one MP4.

    Args:
        pictures: Of one size.
        choice: How many dots an inch has.
        seconds: That a frame is shown.
        written: Hears how many are written.

    Raises:
        MachineFault: ffmpeg can't.
    """
    program = video_program()
    first = _even(_image(pictures[0], choice))
    codec = _codec(program)
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.mp4"
        command = [
            *(program, "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"),
            *("-s", f"{first.width}x{first.height}", "-r", f"{1 / seconds:.4f}", "-i", "-"),
            *("-c:v", codec, "-pix_fmt", "yuv420p", "-r", "25", "-movflags", "+faststart"),
            *("-metadata", f"title={pictures[-1].title}", str(film)),
        ]
        frames = bytearray()
        for number, one in enumerate(pictures):
            frames += _even(_image(one, choice)).tobytes()
            written(number + 1)
        try:
            done = subprocess.run(
                command, input=bytes(frames), capture_output=True, timeout=PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise _failed(str(error)) from error
        if done.returncode or not film.is_file():
            raise _failed(done.stderr.decode("utf-8", "replace"))
        return film.read_bytes()


def _codec(program: str) -> str:
    try:
        done = subprocess.run(
            [program, "-v", "error", "-encoders"],
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failed(str(error)) from error
    known = done.stdout.decode("utf-8", "replace").split()
    return next((one for one in CODECS if one in known), CODECS[-1])


def _failed(why: str) -> MachineFault:
    return MachineFault(
        N_("ffmpeg could not write the film ({why})."),
        N_("Write it as GIF or HTML, which need no ffmpeg."),
        why=first_line(ValueError(why.strip() or "ffmpeg")),
    )


def _image(picture: PaperPicture, choice: PictureChoice) -> Image.Image:
    """A frame as Pillow has it."""
    image = figure_image(picture.figure, choice.dpi, picture.millimetres)
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    size = (plain.width(), plain.height())
    return Image.frombuffer(
        "RGB", size, bytes(plain.constBits()), "raw", "RGB", plain.bytesPerLine(), 1
    )


def palette_of(sample: Image.Image) -> Colours:
    """The colours of all frames: the commonest ones as they are, and what is near the others.

    Returns:
        Red, green and blue of at most 256, uint8 [colours, 3].
    """
    counted = sorted(sample.getcolors(sample.width * sample.height) or (), reverse=True)
    exact = [colour for _count, colour in counted[:EXACT]]
    near = sample.quantize(COLOURS - len(exact)).getpalette() or []
    others = np.array(near, np.uint8).reshape(-1, 3)
    return np.concatenate([np.array(exact, np.uint8).reshape(-1, 3), others])[:COLOURS]


def in_palette(image: Image.Image, palette: Colours) -> Image.Image:
    """An image whose every dot has the nearest of some colours.

    Pillow's own way rounds before it compares, so that white becomes a little grey.
    """
    dots = np.asarray(image).reshape(-1, 3).astype(np.int32)
    seen, places = np.unique(dots @ (65536, 256, 1), return_inverse=True)
    colours = np.stack([seen >> 16, seen >> 8 & 255, seen & 255], axis=1)
    nearest = np.concatenate(
        [
            ((part[:, None] - palette[None].astype(np.int32)) ** 2).sum(axis=2).argmin(axis=1)
            for part in np.array_split(colours, max(1, len(colours) // AT_ONCE))
        ]
    )
    numbers = nearest.astype(np.uint8)[places].reshape(image.height, image.width)
    made = Image.fromarray(numbers, "P")
    made.putpalette(palette.tobytes())
    return made


def _even(image: Image.Image) -> Image.Image:
    """As video has it: with an even number of dots at each side."""
    size = (image.width // 2 * 2, image.height // 2 * 2)
    return image if image.size == size else image.crop((0, 0, *size))


def _side_by_side(images: Sequence[Image.Image]) -> Image.Image:
    """All frames in one picture, small, from which their colours are taken."""
    whole = Image.new("RGB", (SAMPLE * len(images), SAMPLE))
    for number, one in enumerate(images):
        small = one.resize((SAMPLE, SAMPLE), Image.Resampling.NEAREST)
        whole.paste(small, (SAMPLE * number, 0))
    return whole
