"""Films of dots: their colours, and what ffmpeg is given."""

import json
import sys

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRectF

from explorer.api.question import MachineFault
from explorer.export_choices import PictureChoice
from explorer.ui.blocks.figure import Figure
from explorer.ui.export.devices import PIXEL
from explorer.ui.export.film import images
from explorer.ui.export.film.strip import with_steps
from explorer.ui.export.paper import PaperPicture
from explorer.ui.theme.schemes import theme_of

CHOICE = PictureChoice(dpi=96)
FFMPEG = """#!{python}
import json, sys
if "-encoders" in sys.argv:
    print(" V..... mpeg4  MPEG-4\\n V..... libopenh264  OpenH264")
else:
    heard = len(sys.stdin.buffer.read())
    open(sys.argv[-1], "w").write(json.dumps([sys.argv[1:-1], heard]))
"""


@pytest.fixture
def pictures(qapp):
    """Two frames of odd and of different sizes, as a film has them."""

    def of(width: float, height: float, colour: str) -> PaperPicture:
        def paint(painter):
            painter.fillRect(QRectF(0, 0, width, height), theme_of("light").colour(colour))

        figure = Figure(width, height, paint)
        return PaperPicture(figure, "A title", "A caption", PIXEL, 9.0)

    made = [of(301, 101, "surface"), of(281, 151, "bar")]
    return with_steps(made, (1, 10), CHOICE)


def test_all_frames_are_of_one_size(pictures):
    assert len({(one.figure.width, one.figure.height) for one in pictures}) == 1
    assert pictures[0].figure.width == 301
    assert pictures[0].words.startswith("Step 1 of 10.")


def test_every_dot_has_the_nearest_colour_and_the_commonest_are_as_they_are():
    drawn = np.random.default_rng(1)
    dots = drawn.integers(0, 256, (60, 80, 3), dtype=np.uint8)
    dots[:30] = (255, 255, 255)
    image = Image.fromarray(dots)
    palette = images.palette_of(image)
    assert len(palette) == 256
    made = np.asarray(images.in_palette(image, palette).convert("RGB")).astype(int)
    assert (made[:30] == 255).all()
    far = ((dots[30:, :, None].astype(int) - palette.astype(int)) ** 2).sum(-1)
    assert (((dots[30:] - made[30:]) ** 2).sum(-1) == far.min(-1)).all()


def test_a_gif_has_as_many_frames(pictures):
    heard = []
    made = images.gif_bytes(pictures, CHOICE, 0.5, heard.append)
    assert made.startswith(b"GIF89a")
    assert heard == [1, 2]


def test_ffmpeg_is_given_whole_frames_with_even_sides(pictures, tmp_path, monkeypatch):
    program = tmp_path / "ffmpeg"
    program.write_text(FFMPEG.format(python=sys.executable), "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(images, "video_program", lambda: str(program))
    typed, heard = json.loads(images.video_bytes(pictures, CHOICE, 0.5, lambda _count: None))
    size = typed[typed.index("-s") + 1]
    wide, high = map(int, size.split("x"))
    assert (wide % 2, high % 2) == (0, 0)
    assert heard == 2 * wide * high * 3
    # The best codec that it was built with, as every player shows it.
    assert typed[typed.index("-c:v") + 1] == "libopenh264"
    assert typed[typed.index("-r") + 1] == "2.0000"


def test_an_ffmpeg_that_fails_is_told_of(pictures, tmp_path, monkeypatch):
    program = tmp_path / "ffmpeg"
    failing = (
        f"#!{sys.executable}\nimport sys\nsys.stdin.buffer.read()\nsys.exit('No space left')\n"
    )
    program.write_text(failing, "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(images, "video_program", lambda: str(program))
    with pytest.raises(MachineFault, match="No space left"):
        images.video_bytes(pictures, CHOICE, 0.5, lambda _count: None)
