"""A lecture as a web page and as a PDF: every step with its picture, numbers, words and verdict."""

import base64
import html
import re

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
    pictures = [
        base64.b64decode(one).decode() for one in re.findall(r"svg\+xml;base64,([^']+)", text)
    ]
    assert len(pictures) == 2
    assert ">meal<" in pictures[0]
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
    assert document.pageCount() >= 1
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
    monkeypatch.setattr(lectures, "bundled", lambda: first)
    page = tmp_path / "all.html"
    assert export(page)[0] == 0
    assert "<h2>BERT</h2>" in page.read_text("utf-8")
    assert "<title>Inside pretrained language models</title>" in page.read_text("utf-8")
