"""Every question's recorded answer on paper: as wide as a column, and in type that can be read."""

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtGui import QFontMetricsF, QImage
from PySide6.QtPdf import QPdfDocument

from explorer.api.question import UserMistake
from explorer.export_choices import PictureChoice
from explorer.sessions.read.reader import SessionReader
from explorer.ui.blocks.page.parts import branches_of
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.export.paper import PaperPicture, printed
from explorer.ui.theme.schemes import theme_of
from tests.cross_products import pairs_first
from tests.ui.pages import kind_of

STORED = Path(__file__).parents[2] / "stored_runs" / "every-question-schema-4.db"
READER = SessionReader(STORED)
RUNS = {f"{run.operation} {n}": READER.run(run.id) for n, run in enumerate(READER.runs())}
WIDTHS = {"column": 84.0, "columns": 174.0}
MILLIMETRES_A_POINT = 25.4 / 72
BARE = {"title": False, "caption": False}
MATRIX = re.compile(r"matrix\((.*)\)")
SVG = "{http://www.w3.org/2000/svg}"

pytestmark = pytest.mark.usefixtures("qapp")
every_question = pytest.mark.parametrize("name", RUNS)
every_width = pytest.mark.parametrize("size", WIDTHS)
each_once = pytest.mark.parametrize(("name", "size"), pairs_first([*RUNS], [*WIDTHS]))
"""What the widths say is asked of drawings that are kept; a file of another kind is drawn anew."""


@cache
def blocks_of(name: str) -> Any:
    return page_of_run(name).alone(shown_of(name))


def page_of_run(name: str) -> Any:
    return kind_of(RUNS[name].summary.operation).declared


def shown_of(name: str) -> Shown:
    stored = RUNS[name]
    return Shown(stored.result, stored.document, stored.document)


def on_paper(name: str, choice: PictureChoice, off: Any = ()) -> PaperPicture:
    page = page_of_run(name)
    return printed(page, shown_of(name), Origin.of(RUNS[name]), page.of.title, choice, off)


class Svg:
    """A written picture as a program reads it."""

    def __init__(self, data: bytes) -> None:
        self.root = ET.fromstring(data)
        _, _, width, self.height = map(float, self.root.attrib["viewBox"].split())
        self.width = width
        self.wide = float(self.root.attrib["width"].removesuffix("mm"))
        self.high = float(self.root.attrib["height"].removesuffix("mm"))
        self.scale = self.wide / width

    @cached_property
    def texts(self) -> list[tuple[Any, tuple[float, ...]]]:
        """Text elements with the matrices of the groups around them."""
        found: list[tuple[Any, tuple[float, ...]]] = []

        def walk(element: Any, matrix: tuple[float, ...]) -> None:
            both = matrix
            transform = element.attrib.get("transform")
            turned = MATRIX.fullmatch(transform) if transform else None
            if turned:
                a, b, c, d, e, f = matrix
                g, h, i, j, k, m = map(float, turned[1].split(","))
                both = (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j,
                        a * k + c * m + e, b * k + d * m + f)  # fmt: skip
            if element.tag == f"{SVG}text":
                found.append((element, both))
            for one in element:
                walk(one, both)

        walk(self.root, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
        return found

    @property
    def said(self) -> str:
        return "\n".join(element.text or "" for element, _ in self.texts)

    def points(self) -> list[float]:
        """Sizes of all type, as printed."""
        return [
            float(element.attrib["font-size"])
            * (abs(m[0] * m[3] - m[1] * m[2]) ** 0.5)
            * self.scale
            / MILLIMETRES_A_POINT
            for element, m in self.texts
        ]


def svg_of(name: str, off: Any = (), **fields: Any) -> Svg:
    choice = PictureChoice("svg", **fields)
    return Svg(on_paper(name, choice, off).written(choice))


@dataclass(frozen=True)
class Drawn:
    """A picture of a width with all its parts, and the words that it cut."""

    svg: Svg
    cut: tuple[str, ...]


@cache
def drawn(name: str, size: str) -> Drawn:
    """Drawn once for all that is asked of it."""
    cut: dict[str, str] = {}
    elided = QFontMetricsF.elidedText

    def told(self: QFontMetricsF, text: str, *how: Any) -> str:
        shown = elided(self, text, *how)
        cut[shown] = text
        return shown

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(QFontMetricsF, "elidedText", told)
        svg = svg_of(name, size=size)
    # What was tried and not taken is in no picture.
    written = {element.text for element, _ in svg.texts}
    return Drawn(svg, tuple(text for shown, text in cut.items() if shown in written))


@every_width
@every_question
def test_type_is_seven_points_at_least(name, size):
    svg = drawn(name, size).svg
    assert svg.wide == pytest.approx(WIDTHS[size], abs=0.01)
    assert svg.texts
    assert min(svg.points()) >= 7 - 0.01


@every_width
@every_question
def test_text_is_of_a_family_that_every_program_has_and_stands_in_the_picture(name, size):
    svg = drawn(name, size).svg
    for element, (a, b, c, d, e, f) in svg.texts:
        assert element.attrib["font-family"] in ("sans-serif", "monospace")
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        assert -0.5 <= a * x + c * y + e <= svg.width + 0.5, element.text
        assert 0 <= b * x + d * y + f <= svg.height, element.text


@every_question
def test_nothing_on_paper_asks_for_a_click(name):
    said = " ".join(drawn(name, "columns").svg.said.split())
    # A document that was typed may say anything; none of these does.
    assert not re.search(r"(?i)\b(click|choose one|drag|press|hover)", said)


@each_once
def test_a_pdf_is_as_wide_as_the_column(name, size, tmp_path):
    choice = PictureChoice("pdf", size, caption=False)
    made = on_paper(name, choice)
    path = tmp_path / "x.pdf"
    path.write_bytes(made.written(choice))
    document = QPdfDocument()
    assert document.load(str(path)) == QPdfDocument.Error.None_
    assert document.pageCount() == 1
    points = document.pagePointSize(0)
    document.close()
    assert points.width() * MILLIMETRES_A_POINT == pytest.approx(WIDTHS[size], abs=0.05)
    assert points.height() * MILLIMETRES_A_POINT == pytest.approx(made.height, abs=0.2)
    assert b"/Font" in path.read_bytes()


def test_a_map_of_all_heads_in_a_pdf_loses_nothing():
    name = next(n for n in RUNS if n.startswith("attention"))
    content = on_paper(name, PictureChoice("pdf", "columns")).written(PictureChoice("pdf"))
    assert b"/Subtype /Image" in content
    assert b"/DCTDecode" not in content


@each_once
def test_nothing_reaches_the_edge(name, size, tmp_path):
    """What is outside a picture is seen at its edge: something is cut there."""
    choice = PictureChoice("png", size, dpi=150, **BARE)
    path = tmp_path / "x.png"
    path.write_bytes(on_paper(name, choice).written(choice))
    image = QImage(str(path))
    assert image.width() == pytest.approx(WIDTHS[size] / 25.4 * 150, abs=1)
    ground = theme_of("light").surface.name()
    right, bottom = image.width() - 1, image.height() - 1
    edge = {image.pixelColor(x, y).name() for x in range(right) for y in (0, bottom)}
    edge |= {image.pixelColor(x, y).name() for y in range(bottom) for x in (0, right)}
    assert edge == {ground}
    # And what is inside is there, down to its last block.
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), dtype=np.uint32).reshape(plain.height(), -1)
    inked = np.flatnonzero((pixels != pixels[0, 0]).any(axis=1))
    assert np.diff(inked).max() <= 40
    assert inked[-1] > image.height() - 24


@every_question
def test_only_the_parts_that_are_chosen_are_shown(name):
    leaves = [leaf for branch in branches_of(blocks_of(name)) for leaf in branch.leaves]
    keys = [leaf.key for leaf in leaves]
    assert len(set(keys)) == len(keys)
    whole = on_paper(name, PictureChoice("svg", "column", **BARE))
    if len(keys) > 1:
        parts = [
            on_paper(name, PictureChoice("svg", "column", **BARE), set(keys) - {key})
            for key in keys
        ]
        assert all(part.height < whole.height for part in parts)
    with pytest.raises(UserMistake, match="empty"):
        on_paper(name, PictureChoice("svg", "column"), keys)


def test_a_card_alone_has_nothing_of_the_others():
    name = next(n for n in RUNS if n.startswith("replaced_tokens"))
    leaves = {leaf.title: leaf for one in branches_of(blocks_of(name)) for leaf in one.leaves}
    off = {leaf.key for title, leaf in leaves.items() if title != "ROC"}
    said = svg_of(name, off, size="column", **BARE).said
    assert "hits (true positive rate)" in said
    assert "Losses, in nats" not in said
    assert "Generator" not in said


@every_question
def test_title_and_caption_are_there_when_they_are_wanted(name):
    title, stamp = page_of_run(name).of.title, RUNS[name].result.model
    caption = page_of_run(name).legend(shown_of(name), Origin.of(RUNS[name]))
    begins = caption.split(".")[0]
    bare = svg_of(name, size="columns", **BARE)
    both = drawn(name, "columns").svg
    assert both.said.startswith(title)
    assert not bare.said.startswith(f"{title}\n")
    assert "\n".join(both.said.splitlines()[-8:]).find(begins) >= 0
    assert begins + "." not in bare.said
    if stamp is not None:
        assert stamp.fingerprint[:12] in both.said
        assert stamp.fingerprint[:12] not in bare.said


def test_explanations_can_be_left_out():
    name = next(n for n in RUNS if n.startswith("surprisal"))
    with_them = svg_of(name, size="column").said
    without = svg_of(name, size="column", explanations=False).said
    assert "A bar is the token's surprisal" in with_them
    assert "A bar is the token's surprisal" not in without
    assert "pseudo-perplexity" in without


def test_numbers_at_the_right_end_there_under_any_font():
    name = next(n for n in RUNS if n.startswith("masked_tokens"))
    numbers: dict[str, list[tuple[str, float]]] = {}
    for element, matrix in svg_of(name, size="column", **BARE).texts:
        if re.fullmatch(r"0\.\d{4}", element.text or ""):
            end = matrix[0] * float(element.attrib["x"]) + matrix[4]
            numbers.setdefault(element.attrib["text-anchor"], []).append((element.text, end))
    assert list(numbers) == ["end"]
    assert len(numbers["end"]) == 10
    assert len({round(end, 1) for _, end in numbers["end"]}) == 1


@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_text_as_outlines_is_no_text(form):
    name = next(n for n in RUNS if n.startswith("masked_tokens"))
    choice = PictureChoice(form, "column", outlines=True)
    data = on_paper(name, choice).written(choice)
    assert b"<text" not in data
    assert b"/Font" not in re.sub(rb"/Font <<\s*>>|/Font\s*$", b"", data)
    assert len(data) > len(on_paper(name, choice).written(replace(choice, outlines=False))) / 4


@pytest.mark.parametrize(
    "name", [n for n in RUNS if n.split()[0] in ("candidate_words", "head_ablation", "tokens")]
)
def test_a_slide_is_16_to_9_and_its_type_as_large_as_fits(name):
    made = on_paper(name, PictureChoice("png", "slide", **BARE), None)
    assert (made.width, made.height) == pytest.approx((254, 143), abs=0.6)
    assert made.fits
    assert made.points > 14


def test_what_is_too_much_for_a_slide_is_said():
    name = next(n for n in RUNS if n.startswith("disentangled"))
    choice = PictureChoice("png", "slide")
    made = on_paper(name, choice)
    assert (made.fits, made.points) == (False, 14)
    assert made.height > 143
    assert "and a slide 143 mm: choose fewer parts or fewer rows." in made.too_high(choice)


@pytest.mark.parametrize("points", [7.0, 9.0, 12.0])
def test_type_is_as_large_as_is_wanted(points):
    name = next(n for n in RUNS if n.startswith("masked_tokens"))
    svg = svg_of(name, size="own", millimetres=120.0, points=points, **BARE)
    assert svg.wide == pytest.approx(120, abs=0.01)
    assert min(svg.points()) == pytest.approx(points, abs=0.01)


MAY_BE_CUT = {"replaced_tokens"}
"""Their names of models are, which captions tell."""


@every_width
@every_question
def test_no_words_are_cut(name, size):
    """Nobody can point at paper to read what is cut."""
    cut = drawn(name, size).cut
    if name.split()[0] in MAY_BE_CUT and size == "column":
        assert len(cut) <= 3
    else:
        assert cut == ()


@every_width
@pytest.mark.parametrize(
    ("question", "axes"),
    [
        ("attention", ("layer ↓", "head →", "from ↓", "to →")),
        ("head_ablation", ("layer ↓", "head →")),
        ("disentangled_attention", ("query ↓", "key →", "layer ↓", "head →")),
        ("query_key", ("query ↓", "key →", "dimension →")),
        (
            "distillation_losses",
            ("student's layer ↓", "teacher's layer →"),
        ),
        (
            "compare_architectures",
            ("layer of the first ↓", "layer of the second →"),
        ),
    ],
)
def test_every_grid_says_what_its_axes_are(question, axes, size):
    said = [svg_of(name, size=size, **BARE).said for name in RUNS if name.split()[0] == question]
    lines = {line for one in said for line in one.splitlines()}
    assert set(axes) <= lines


@every_width
def test_lines_between_tokens_say_which_side_looks(size):
    name = next(n for n, run in RUNS.items() if n.startswith("attention") and run.request.heads)
    shown = shown_of(name)
    lines = shown.now.with_option("attention.draw", "lines")
    choice = PictureChoice("svg", size, **BARE)
    page = page_of_run(name)
    made = printed(page, replace(shown, now=lines), Origin.of(RUNS[name]), page.of.title, choice)
    svg = Svg(made.written(choice))
    assert {"from", "to"} <= set(svg.said.splitlines())
    assert min(svg.points()) >= 7 - 0.01
