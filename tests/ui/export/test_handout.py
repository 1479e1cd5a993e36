"""A lecture as a web page and as a PDF: every step with its picture, numbers, words and verdict."""

import html
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice

from explorer import cli, lectures
from tests.lectures.scene_texts import one_mask

STEPS = """
claims = ["masks[0].predictions[0].word == 'meal'"]
[steps.en]
look = ["Look at the first bar.", "It is of <the> hidden word."]
claim = "The hidden word comes first."
[[steps]]
masked = ["kitchen"]
claims = ["masks[0].entropy > 100"]
[steps.en]
claim = "The model knows nothing."
"""
SCENE = 'sources = ["Devlin et al. 2019, section 3.1"]\n' + one_mask(
    "Meals & more", "The chef cooked the meal in the kitchen.", "meal", STEPS
)


def pictures_in(page):
    """The SVG of every picture of a page."""
    return [unquote(html.unescape(one)) for one in re.findall(r'src="data:[^,]+,([^"]+)"', page)]


@pytest.fixture
def lecture(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SCENE, "utf-8")
    return path


@pytest.fixture
def export(tmp_path, capsys, qapp):
    """Run the command; gives the exit status, what was printed, and what was complained of."""

    def run(*arguments):
        profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        status = cli.main([*profile, "scenes", "export", *map(str, arguments)])
        return (status, *capsys.readouterr())

    return run


def test_a_lecture_becomes_one_web_page(export, lecture, tmp_path):
    page = tmp_path / "lecture.html"
    status, out, _ = export(page, lecture, "--title", "A & B")
    assert status == 1  # the second claim does not hold, and the page says so
    assert "1 scene in" in out
    assert "mine" in out
    text = page.read_text("utf-8")
    assert "<h1>A &amp; B</h1>" in text
    assert "<h3>Meals &amp; more</h3>" in text
    assert "It is of &lt;the&gt; hidden word." in text
    assert "The hidden word comes first. It holds." in text
    assert "The model knows nothing. It does not hold." in text
    assert "Devlin et al. 2019, section 3.1" in text
    # Which weights they are is said once for both pictures.
    assert text.count("Model: bert-miniature.") == 2
    assert text.count("fingerprint") == 1
    pictures = pictures_in(text)
    assert len(pictures) == 2
    assert ">meal<" in pictures[0]
    # Each is enlarged by a click or by Space.
    assert len(re.findall(r"<input type='checkbox' aria-label='Enlarge the picture'>", text)) == 2
    assert "default-src 'none'" in text
    # The numbers are those that are asked for alone.
    rows = re.findall(r"<td>(.*?)</td>", text)
    assert "meal" in rows
    assert "src='http" not in text
    assert "<script" not in text


def test_it_becomes_sheets_of_a4(export, lecture, tmp_path):
    from PySide6.QtPdf import QPdfDocument

    sheets = tmp_path / "lecture.pdf"
    assert export(sheets, lecture, "--json")[0] == 1
    document = QPdfDocument()
    content = QBuffer()
    content.setData(QByteArray(sheets.read_bytes()))
    content.open(QIODevice.OpenModeFlag.ReadOnly)
    document.load(content)
    # Two steps stand in a column, and two columns on a sheet.
    assert document.pageCount() == 1
    size = document.pagePointSize(0)
    assert (round(size.width()), round(size.height())) == (595, 842)
    told = " ".join(document.getAllText(n).text() for n in range(document.pageCount()))
    for words in ("Meals & more", "1. Look at the first bar.", "It does not hold."):
        assert words in re.sub(r"\s+", " ", told)


def test_a_high_picture_goes_on_overleaf(qapp):
    from explorer.lectures import Scene, Step
    from explorer.lectures.playing import PlayedStep
    from explorer.ui.blocks.figure import Figure
    from explorer.ui.export.handout.content import HandoutStep, Section
    from explorer.ui.export.handout.paper import pdf_handout
    from explorer.ui.export.paper import PaperPicture

    painted = []
    high = Figure(600, 4000, lambda painter: painted.append(painter.clipBoundingRect().height()))
    printed = PaperPicture(high, "High", "caption", 0.26, 7.0)
    part = HandoutStep(PlayedStep(Step("masked_tokens")), printed, None)
    pdf_handout("T", [Section("", Scene("one", ()), (part,))])
    assert len(painted) >= 2
    assert sum(painted) == pytest.approx(4000, abs=10)


def test_steps_fill_both_columns_and_a_wide_picture_is_across_them(qapp):
    from PySide6.QtPdf import QPdfDocument

    from explorer.lectures import Scene, Step
    from explorer.lectures.playing import PlayedStep
    from explorer.ui.blocks.figure import Figure
    from explorer.ui.export.devices import INCH, PDF_DOTS
    from explorer.ui.export.handout.content import HandoutStep, Section
    from explorer.ui.export.handout.paper import pdf_handout
    from explorer.ui.export.paper import PaperPicture

    places = []

    def step(width, height):
        def paint(painter):
            at = painter.transform().map(0.0, 0.0)
            places.append([round(one * INCH / PDF_DOTS) for one in at])

        picture = PaperPicture(Figure(width, height, paint), "Picture", "", 1.0, 7.0)
        return HandoutStep(PlayedStep(Step("masked_tokens")), picture, None)

    # Two columns of two, then one across, which begins where the higher column ends.
    parts = (step(84, 50), step(84, 50), step(84, 80), step(174, 60))
    told = pdf_handout("T", [Section("", Scene("one", ()), parts)])
    content = QBuffer()
    content.setData(QByteArray(told))
    content.open(QIODevice.OpenModeFlag.ReadOnly)
    document = QPdfDocument()
    document.load(content)
    assert document.pageCount() == 1
    first, second, third, across = places
    assert first[0] == second[0] == across[0] < third[0]
    assert second[1] > first[1] + 50
    assert across[1] > max(second[1] + 50, third[1] + 80)


def test_a_high_picture_is_broken_between_its_parts_and_never_in_a_line(qapp):
    from PySide6.QtCore import QRectF

    from explorer.ui.blocks.figure import Figure
    from explorer.ui.export.handout.breaking import slices
    from explorer.ui.theme.schemes import theme_of

    theme = theme_of("light")
    # Lines of 10 pixels, 4 apart; a part has five, and 30 pixels lie between two.
    tops = [part * 96 + line * 14 for part in range(6) for line in range(5)]

    def paint(painter):
        for top in tops:
            painter.fillRect(QRectF(20, top, 200, 10), theme.text)

    figure = Figure(240, 576, paint)
    parts = list(slices(figure, 150, 250, theme))
    assert sum(parts) == 576
    ends = [sum(parts[: n + 1]) for n in range(len(parts) - 1)]
    assert [round(end / 96) for end in ends] == [1, 3, 5]
    assert all(not top < end < top + 10 for end in ends for top in tops)
    # A part that is higher than a sheet is broken between two lines.
    low = list(slices(figure, 40, 40, theme))
    ends = [sum(low[: n + 1]) for n in range(len(low) - 1)]
    assert all(not top < end < top + 10 for end in ends for top in tops)
    # What is left of a sheet is too little for a line: all of it goes on overleaf.
    assert next(slices(figure, 5, 250, theme)) == 0


def test_scenes_without_an_answer_say_why(export, tmp_path):
    path, page = tmp_path / "broken.toml", tmp_path / "broken.html"
    path.write_text(SCENE.replace('"masked_tokens"', '"no_such_question"'), "utf-8")
    status, _, _ = export(page, path)
    assert status == 1
    assert html.escape("There is no question no_such_question.") in page.read_text("utf-8")


def test_other_endings_are_refused_before_anything_is_asked(export, lecture, tmp_path):
    status, _, told = export(tmp_path / "lecture.docx", lecture)
    assert status == 2
    assert "A lecture can't be written as docx. Choose a name that ends in .html or .pdf." in told


def test_the_bundled_lecture_has_a_title_of_its_own(export, tmp_path, monkeypatch):
    few = lectures.bundled()
    first = lectures.Lecture(few.name, (lectures.Chapter("bert", few.scenes[:1], {"en": "BERT"}),))
    monkeypatch.setattr("explorer.lectures.lecture.bundled", lambda: first)
    page = tmp_path / "all.html"
    assert export(page)[0] == 0
    assert page.read_text("utf-8").count("<h2>") == 1
    assert "<h2>BERT</h2>" in page.read_text("utf-8")
    assert "<title>Inside pretrained language models</title>" in page.read_text("utf-8")


def scene_of_attention(more=""):
    """A scene about one part of a page with two."""
    return (
        '[en]\ntitle = "Heads"\n[[steps]]\nmodels = ["bert-miniature"]\nquestion = "attention"\n'
        f'text = "the chef cooked the meal ."\n{more}\n'
    )


def test_a_step_shows_what_it_is_about(export, tmp_path):
    whole, named = tmp_path / "whole.toml", tmp_path / "named.toml"
    whole.write_text(scene_of_attention(), "utf-8")
    named.write_text(scene_of_attention('scroll_to = "All heads"'), "utf-8")
    assert export(tmp_path / "whole.html", whole)[0] == 0
    assert export(tmp_path / "named.html", named)[0] == 0
    (large,) = pictures_in((tmp_path / "whole.html").read_text("utf-8"))
    (one,) = pictures_in((tmp_path / "named.html").read_text("utf-8"))
    assert re.search(r">Layer \d, head \d<", large)
    assert ">All heads<" in one
    assert not re.search(r">Layer \d, head \d<", one)


@pytest.mark.parametrize("name", ["bert-film", "bert-film@step8000"])
def test_a_model_with_moments_becomes_a_film_that_plays(export, tmp_path, monkeypatch, name):
    from explorer.ui.export.handout import making

    monkeypatch.setattr(making, "MOST_FRAMES", 3)
    path, page = tmp_path / "film.toml", tmp_path / "film.html"
    scene = one_mask("Learning", "the chef cooked the meal .", "meal")
    path.write_text(scene.replace('"bert-miniature"', f'"{name}"'), "utf-8")
    assert export(page, path)[0] == 0
    text = page.read_text("utf-8")
    frames = pictures_in(text)
    assert len(frames) == 3
    steps = [int(re.search(r">Step ([\d,]+) of", one)[1].replace(",", "")) for one in frames]
    assert steps[0] == 0
    assert steps == sorted(set(steps))
    assert "Play the film: 3 moments of a training" in text
    # Each frame is seen for a third of the time, one after the other, the last one first.
    assert "@keyframes film-3 { 0% { opacity: 1; } 33.333% { opacity: 0; } }" in text
    assert re.findall(r"animation-delay: (-?\d+)s", text) == ["-2", "-1", "0"]
    assert "<script" not in text


def test_a_student_with_moments_becomes_a_film_beside_its_teacher(export, tmp_path, monkeypatch):
    from explorer.ui.export.handout import making

    monkeypatch.setattr(making, "MOST_FRAMES", 3)
    path, page = tmp_path / "film.toml", tmp_path / "film.html"
    path.write_text(
        '[en]\ntitle = "Distilled"\n[[steps]]\nquestion = "soft_targets"\n'
        'models = ["bert-small-film", "bert-student-film"]\n'
        'text = "The painter [MASK] the picture."\noptions = { temperature = 1.0 }\n',
        "utf-8",
    )
    assert export(page, path)[0] == 0
    frames = pictures_in(page.read_text("utf-8"))
    assert len(frames) == 3
    steps = [int(re.search(r">Step ([\d,]+) of", one)[1].replace(",", "")) for one in frames]
    assert steps[0] == 0
    assert steps == sorted(set(steps))


def test_a_picture_in_fewer_characters_is_the_same_picture(qapp):
    import numpy as np
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    from explorer.ui.blocks.figure import Figure
    from explorer.ui.export.devices import figure_svg
    from explorer.ui.export.handout.vectors import address, small
    from explorer.ui.export.metadata import Metadata
    from explorer.ui.theme.schemes import theme_of
    from explorer.ui.typesetting.one_line import draw_text

    theme = theme_of("light")

    def paint(painter):
        painter.fillRect(QRectF(0, 0, 300, 300), theme.surface)
        for row in range(10):
            for column in range(10):
                of = theme.accent if (row + column) % 3 else theme.danger
                painter.fillRect(QRectF(column * 30.123456, row * 30.654321, 28, 20), of)
        text = "a < b & \"c\" 50 % 'd' 한국어 #1"
        draw_text(painter, QRectF(5, 270, 290, 20), text, "body", theme.text)

    whole = figure_svg(Figure(300, 300, paint), Metadata("T", "said")).decode()
    less = small(whole)
    assert len(less) < len(whole) / 2

    def drawn(svg):
        image = QImage(600, 600, QImage.Format.Format_RGB32)
        image.fill(theme.surface)
        painter = QPainter(image)
        QSvgRenderer(svg.encode()).render(painter)
        painter.end()
        return np.frombuffer(image.constBits(), np.uint8).astype(int).copy()

    before, after = drawn(whole), drawn(less)
    assert before.std() > 10
    assert (abs(before - after) > 48).mean() < 0.002
    # What an address says is what it was made of.
    there = unquote(html.unescape(address(less)).partition(",")[2])
    assert there.replace("'", '"') == less.replace("'", '"')
    for letters in (">a &lt; b &amp; \"c\" 50 % 'd' 한국어 #1<",):
        assert letters in there


class Links(HTMLParser):
    """What a page refers to."""

    def __init__(self):
        super().__init__()
        self.to = []

    def handle_starttag(self, tag, attrs):
        self.to += [value for name, value in attrs if name in ("href", "src")]


def test_a_lecture_and_a_gallery_become_a_site(lecture, tmp_path, monkeypatch, capsys, qapp):
    from explorer.ui.export.handout import gallery
    from explorer.ui.views import listed

    names = ("masked_tokens", "surprisal", "over_steps")
    few = [one for one in listed() if one.of.name in names]
    monkeypatch.setattr(gallery, "listed", lambda: few)
    folder = tmp_path / "site"
    profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
    assert cli.main([*profile, "scenes", "site", str(folder), str(lecture), "--json"]) == 1
    capsys.readouterr()
    pages = sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*.html"))
    each = ["gallery.html", "index.html", "mine.html"]
    assert pages == [*(f"en/{one}" for one in each), "index.html", *(f"ko/{one}" for one in each)]
    for page in pages:
        text = (folder / page).read_text("utf-8")
        assert "<script" not in text
        assert "http" not in re.sub(r"http-equiv", "", text)
        links = Links()
        links.feed(text)
        assert links.to
        for to in links.to:
            place = (folder / page).parent / to.partition("#")[0]
            assert place.is_file(), (page, to)
    assert "mine.html" in (folder / "en/index.html").read_text("utf-8")
    shown = (folder / "en/gallery.html").read_text("utf-8")
    assert "ask masked_tokens" in shown
    assert "ask surprisal" in shown
    # What asks about a whole training is not asked for a picture.
    assert "over_steps" not in shown
    korean = (folder / "ko/gallery.html").read_text("utf-8")
    # Whatever is not a text that was asked about is in its language.
    assert "<a href='index.html'>Contents</a>" in shown
    assert re.search(
        "<a href='index.html'>[가-힣 ]+</a> *<a href='gallery.html'>[가-힣]+</a>", korean
    )
    assert "<html lang='ko'>" in korean
    # A picture is there once, whoever shows it.
    used = set(re.findall(r"pictures/\w+\.svg", shown + korean))
    assert used <= {f"pictures/{one.name}" for one in (folder / "pictures").iterdir()}


SCENE_OF_SPANS = Path(__file__).parents[3] / "resources" / "scenes" / "answer_or_none.toml"
"""Its page measures letters before anything is drawn."""
WITHOUT_HANGUL = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


@pytest.mark.skipif(sys.platform != "linux", reason="fontconfig is Linux's")
def test_a_script_without_its_font_is_told_on_the_command_line(tmp_path):
    found = subprocess.run(
        ["fc-match", "-f", "%{file}", "DejaVu Sans"], capture_output=True, text=True
    ).stdout
    if "DejaVu" not in found:
        pytest.skip("no font is known to lack Hangul")
    fonts, settings = tmp_path / "fonts", tmp_path / "fonts.conf"
    fonts.mkdir()
    (fonts / "DejaVuSans.ttf").write_bytes(Path(found).read_bytes())
    settings.write_text(WITHOUT_HANGUL.format(fonts=fonts, cache=tmp_path / "cache"), "utf-8")
    command = [sys.executable, "main.py", "--profile", str(tmp_path / "p"), "--language", "ko"]
    done = subprocess.run(
        [*command, "scenes", "export", str(tmp_path / "lecture.pdf"), str(SCENE_OF_SPANS)],
        env={**os.environ, "FONTCONFIG_FILE": str(settings), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Hangul" in done.stderr
    assert "Noto Sans CJK" in done.stderr or "noto" in done.stderr
