"""What a file of a picture says of itself: how the answer came about, whatever its page shows."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtGui import QImage
from PySide6.QtPdf import QPdfDocument

from explorer.export_choices import PictureChoice
from explorer.sessions.read.reader import SessionReader
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.export.metadata import Metadata
from explorer.ui.export.paper import printed
from tests.ui.pages import kind_of

STORED = Path(__file__).parents[2] / "stored_runs" / "every-question-schema-4.db"
BARE = {"title": False, "caption": False}
SVG = "{http://www.w3.org/2000/svg}"
DC = "{http://purl.org/dc/elements/1.1/}"

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def picture():
    """Writes an answer of two models as a figure without title and caption."""
    reader = SessionReader(STORED)
    run = next(reader.run(one.id) for one in reader.runs() if one.operation == "soft_targets")
    page = kind_of("soft_targets").declared
    shown = Shown(run.result, run.document, run.document)

    def written(form):
        choice = PictureChoice(form, "column", **BARE)
        made = printed(page, shown, Origin.of(run), page.of.title, choice)
        assert "Student: " in made.caption
        # First what a screen reader hears of it, then how it came about.
        assert made.description == f"{made.words} {made.caption}"
        assert len(made.words) > len("Soft targets. ")
        return made.written(choice), made.description

    return written


def meta(path):
    """What a reader of PDFs shows."""
    document = QPdfDocument()
    assert document.load(str(path)) == QPdfDocument.Error.None_
    fields = QPdfDocument.MetaDataField
    told = {
        one: document.metaData(field)
        for one, field in (
            ("title", fields.Title),
            ("subject", fields.Subject),
            ("author", fields.Author),
            ("keywords", fields.Keywords),
            ("date", fields.CreationDate),
        )
    }
    text = document.getAllText(0).text()
    pages = document.pageCount()
    document.close()
    return told, text, pages


def test_a_pdf_has_its_caption_and_its_language(picture, tmp_path, speak):
    for code in ("en", "ko"):
        if code != "en":
            speak(code)
        content, caption = picture("pdf")
        path = tmp_path / f"{code}.pdf"
        path.write_bytes(content)
        told, text, pages = meta(path)
        assert (told["subject"], told["author"], pages) == (caption, "PLM Explorer", 1)
        assert told["title"]
        keywords = told["keywords"].split(", ")
        assert keywords[0] == told["title"]
        assert {"bert-miniature", "distilbert-miniature"} <= set(keywords)
        assert len(keywords) > 3
        assert told["date"].isValid()
        assert "fingerprint" not in text
        assert b"/Lang <%s>" % (b"\xfe\xff" + code.encode("utf-16-be")).hex().encode() in content
        xmp = re.search(rb"<x:xmpmeta.*?</x:xmpmeta>", content, re.DOTALL)
        root = ET.fromstring(xmp[0])
        assert "".join(root.find(f".//{DC}description").itertext()) == caption
        assert "".join(root.find(f".//{DC}language").itertext()) == code
        assert [one.text for one in root.findall(f".//{DC}subject//")][1:] == keywords


def test_a_png_has_its_caption(picture):
    content, caption = picture("png")
    image = QImage.fromData(content)
    assert image.text("Description") == caption
    assert image.text("Title") == "Soft targets"
    assert image.text("Keywords").startswith("Soft targets, ")


def test_an_svg_has_its_caption(picture):
    content, caption = picture("svg")
    root = ET.fromstring(content)
    assert root.find(f"{SVG}desc").text == caption
    told = root.find(f"{SVG}metadata")
    keywords = [one.text for one in told.findall(f".//{DC}subject//")][1:]
    assert keywords[0] == "Soft targets"
    assert {"bert-miniature", "distilbert-miniature"} <= set(keywords)
    assert "".join(told.find(f".//{DC}description").itertext()) == caption
    assert "".join(told.find(f".//{DC}creator").itertext()) == "PLM Explorer"


ODD = ("<&>\"'", "(a\\b)", "שלום 국 🙂", "two\nlines", "\x07\x1b[31m", "")


@pytest.mark.parametrize("odd", ODD)
def test_odd_texts_break_no_file(odd, tmp_path):
    from explorer.ui.blocks.figure import Figure
    from explorer.ui.export.devices import figure_pdf, figure_svg

    path = tmp_path / "odd.pdf"
    told = Metadata(f"T {odd}", odd, (odd, "b"), (odd,))
    path.write_bytes(figure_pdf(Figure(50, 50, lambda _painter: None), told))
    told, _text, pages = meta(path)
    assert pages == 1
    if odd.isprintable():
        assert told["subject"] == odd
    xmp = re.search(rb"<x:xmpmeta.*?</x:xmpmeta>", path.read_bytes(), re.DOTALL)
    ET.fromstring(xmp[0])
    ET.fromstring(figure_svg(Figure(50, 50, lambda _painter: None), Metadata("T", "", (odd, "b"))))


def test_every_place_of_the_last_table_of_a_pdf_is_right(picture):
    content, _caption = picture("pdf")
    start = int(re.findall(rb"startxref\n(\d+)", content)[-1])
    assert content[start:].startswith(b"xref\n")
    entries = re.findall(rb"(\d+) 1\n(\d{10}) 00000 n \n", content[start:])
    # What the file says of itself, its catalogue, its page, and what tags that.
    assert len(entries) == 7
    for number, place in entries:
        assert content[int(place) :].startswith(b"%s 0 obj\n" % number)
    before = int(re.findall(rb"/Prev (\d+)", content)[-1])
    assert content[before:].startswith(b"xref")


def test_a_page_of_a_pdf_is_one_figure_with_the_words_of_a_screen_reader(picture):
    content, told = picture("pdf")
    ((said, begin, own, end),) = tagged_pages(content)
    assert told.startswith(said)
    assert said.startswith("Soft targets. ")
    assert b"/Figure << /MCID 0 >> BDC" in begin
    assert b"/FlateDecode" in own
    assert b"\nEMC\n" in end
    size = int(re.findall(rb"/Size (\d+)", content)[-1])
    assert size == max(map(int, re.findall(rb"\n(\d+) 0 obj\n", content))) + 1


def tagged_pages(content):
    """Of every page of a PDF in their order: what is said of it, and its contents."""

    def last(number):
        return re.findall(rb"\n%s 0 obj\n(.*?)\nendobj" % number, content, re.DOTALL)[-1]

    root = last(re.findall(rb"/Root (\d+)", content)[-1])
    assert b"/MarkInfo << /Marked true >>" in root
    tree = last(re.search(rb"/StructTreeRoot (\d+)", root)[1])
    figures = re.findall(rb"(\d+) 0 R", re.search(rb"/K \[(.*?)\]", tree)[1])
    pages = re.findall(rb"(\d+) 0 R", re.search(rb"/Kids\s*\[(.*?)\]", content, re.DOTALL)[1])
    assert len(figures) == len(pages)
    for place, (number, page) in enumerate(zip(figures, pages, strict=True)):
        figure = last(number)
        assert re.search(rb"/Pg (\d+)", figure)[1] == page
        assert b"/StructParents %d" % place in last(page)
        assert b"%d [%s 0 R]" % (place, number) in tree
        words = re.search(rb"/Alt <feff([0-9a-f]*)>", figure)[1]
        parts = re.findall(rb"(\d+) 0 R", re.search(rb"/Contents \[(.*?)\]", last(page))[1])
        yield bytes.fromhex(words.decode()).decode("utf-16-be"), *map(last, parts)


def test_every_sheet_of_a_lecture_says_what_stands_on_it(tmp_path):
    from explorer.lectures import Scene, Step
    from explorer.lectures.playing import PlayedStep
    from explorer.ui.blocks.figure import Figure
    from explorer.ui.export.handout.content import HandoutStep, Section
    from explorer.ui.export.handout.paper import pdf_handout
    from explorer.ui.export.paper import PaperPicture

    figure = Figure(600, 2600, lambda _painter: None)
    picture = PaperPicture(
        figure, "High", "A caption.", 0.26, 7.0, words="A figure.", keywords=("High", "m")
    )
    part = HandoutStep(PlayedStep(Step("masked_tokens")), picture, None)
    scene = Scene("one", ())
    content = pdf_handout("A lecture", [Section("Chapter one", scene, (part,))])
    path = tmp_path / "lecture.pdf"
    path.write_bytes(content)
    told, _text, pages = meta(path)
    assert (told["title"], told["keywords"]) == ("A lecture", "High, m")
    said = [one for one, *_parts in tagged_pages(content)]
    assert len(said) == pages > 1
    assert said[0].startswith("A lecture Chapter one ")
    assert said[0].endswith(" A figure.")
    assert said[1:-1] == ["High, continued."] * (pages - 2)
    assert said[-1] == "High, continued. A caption."


def test_what_is_no_pdf_of_qts_stays_as_it_is():
    assert Metadata("T", "said").in_pdf(b"%PDF-1.4 nothing") == b"%PDF-1.4 nothing"
