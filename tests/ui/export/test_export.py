import csv
import io
import json
import re
from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from explorer.api.question import (
    MachineFault,
    MaskPredictions,
    ModelStamp,
    Prediction,
    Table,
    Token,
    UserMistake,
    column,
)
from explorer.document import Document, Mask
from explorer.export_choices import PictureChoice, TableChoice
from explorer.printing.tables import print_table
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult
from explorer.sessions.export.tables import guard_said, table_to_csv
from explorer.ui.export import devices
from explorer.ui.export import files as export
from explorer.ui.export.paper import CAPTION_GAP
from explorer.ui.theme.schemes import apply_theme, theme_of
from tests.ui.pages import kind_of

STAMP = ModelStamp("google/bert base", "bert", "0123456789abcdef" * 2, "cpu", "float32")
DOCUMENT = Document("The soup was hot.", masks=(Mask(4, 8),))
PLAIN = PictureChoice("png", dpi=96)
WORDS = ("=meal", "soup", "a<b", "tab\there", "שלום")


@pytest.fixture
def empty(qtbot, qapp):
    apply_theme(qapp, "light")
    made = kind_of("masked_tokens")()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def view(empty):
    found = tuple(Prediction(w, 50 + n, 0.4 / 2**n, w, n + 1) for n, w in enumerate(WORDS))
    tokens = (
        Token("[CLS]", 2, 0, 0, special=True),
        Token("the", 10, 0, 3, special=False),
        Token("[MASK]", 4, 4, 8, special=False, masked=True, original=51),
        Token("was", 11, 9, 12, special=False),
        Token("[SEP]", 3, 17, 17, special=True),
    )
    empty.show_result(
        MaskedTokensResult(STAMP, tokens, (MaskPredictions(2, found, found[1], 1.5),)), DOCUMENT
    )
    return empty


def same(one: QImage, two: QImage) -> float:
    """Share of pixels that are nearly alike."""
    alike = total = 0
    for y in range(0, one.height(), 3):
        for x in range(0, one.width(), 3):
            a, b = one.pixelColor(x, y), two.pixelColor(x, y)
            alike += abs(a.lightness() - b.lightness()) < 60
            total += 1
    return alike / total


def svg_of(view, **fields) -> str:
    made = export.picture_of(view, PictureChoice("svg", **fields))
    return made.written(PictureChoice("svg", **fields)).decode("utf-8")


@pytest.mark.parametrize("dpi", [96, 300])
def test_a_png_has_as_many_dots_an_inch_as_are_wanted(view, tmp_path, dpi):
    path = tmp_path / "picture.png"
    choice = PictureChoice("png", dpi=dpi)
    export.save_picture(view, path, choice)
    image = QImage(str(path))
    assert image.width() == 960 * dpi / 96
    assert image.dotsPerMeterX() == pytest.approx(dpi / 0.0254, abs=1)
    # Paper all around: nothing reaches the edge.
    far = int(18 * dpi / 96)
    right, bottom = image.width() - 1, image.height() - 1
    across, down = range(0, image.width(), 3), range(0, image.height(), 3)
    edge = {image.pixelColor(x, y).name() for x in across for y in (0, far, bottom)}
    edge |= {image.pixelColor(x, y).name() for y in down for x in (0, far, right)}
    assert edge == {theme_of("light").surface.name()}


def test_a_picture_does_not_depend_on_the_size_of_a_hidden_window(view):
    first = export.image_of(view, PLAIN)
    view.resize(300, 200)
    assert export.image_of(view, PLAIN) == first


def test_pictures_are_light_unless_asked_otherwise(view, qapp):
    apply_theme(qapp, "dark")
    light, dark = (export.image_of(view, replace(PLAIN, dark=dark)) for dark in (False, True))
    assert light.pixelColor(2, 2) == theme_of("light").surface
    assert dark.pixelColor(2, 2) == theme_of("dark").surface


@pytest.mark.parametrize("outlines", [False, True])
def test_the_svg_looks_like_the_png(view, outlines):
    text = svg_of(view, outlines=outlines)
    renderer = QSvgRenderer(QByteArray(text.encode()))
    assert renderer.isValid()
    image = export.image_of(view, PLAIN)
    drawn = QImage(image.size(), QImage.Format.Format_ARGB32_Premultiplied)
    drawn.fill(theme_of("light").surface)
    painter = QPainter(drawn)
    renderer.render(painter)
    painter.end()
    assert same(image, drawn) > 0.985
    assert "<title>Masked tokens</title>" in text
    assert "google/bert base" in text
    assert "<image" not in text  # vectors only
    assert ("<text" in text) == (not outlines)
    # A long line is as wide under any font: its end would be outside the picture else.
    lengths = [float(one) for one in re.findall(r'textLength="(\d+)"', text)]
    assert (not outlines) == bool(lengths)
    assert all(one <= export.picture_of(view, PLAIN).figure.width for one in lengths)


def test_the_caption_stands_below(view):
    with_caption = export.picture_of(view, PLAIN).figure
    without = export.picture_of(view, replace(PLAIN, caption=False)).figure
    assert with_caption.height > without.height + CAPTION_GAP
    image = export.image_of(view, PLAIN)
    bottom = image.copy(0, image.height() - 40, image.width(), 40)
    muted = theme_of("light").muted.lightness()
    darkest = min(bottom.pixelColor(x, y).lightness() for x in range(24, 400) for y in range(40))
    assert darkest < muted + 30


def test_very_long_pictures_are_scaled_down(view, monkeypatch):
    monkeypatch.setattr(devices, "LARGEST", 500)
    image = export.image_of(view, PLAIN)
    assert max(image.width(), image.height()) <= 500


def save(view, path, choice):
    table = next(iter(export.tables_of(view).values()))
    export.save_table(path, table, view.caption(rows=True, in_file=True), choice)


def test_csv(view, tmp_path):
    path = tmp_path / "table.csv"
    save(view, path, TableChoice("csv"))
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert rows[0] == list(view.table().columns)
    words = [row[2] for row in rows[1:6]]
    assert words == ["'=meal", "soup", "a<b", "tab\there", "שלום"]
    assert rows[-1][2] == WORDS[-1]
    said = (tmp_path / "table.caption.txt").read_text(encoding="utf-8")
    caption = view.caption(rows=True, in_file=True)
    guard = guard_said((("=",),))
    assert guard
    assert said == f"{caption} {guard}\n"
    assert "google/bert base" in said
    assert view.origin.created_at in said
    assert view.origin.created_at not in view.caption()


def test_json(view, tmp_path):
    path = tmp_path / "table.json"
    save(view, path, TableChoice("json"))
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["columns"] == list(view.table().columns)
    assert [row[2] for row in data["rows"]] == list(WORDS)
    assert data["caption"] == view.caption(rows=True, in_file=True)


def test_a_picture_is_copied(view):
    export.copy_picture(view, replace(PLAIN, dpi=192))
    image = QGuiApplication.clipboard().image()
    assert image.width() == 1920


def test_a_table_is_copied_for_spreadsheets_and_word_processors(view):
    export.copy_table(view)
    data = QGuiApplication.clipboard().mimeData()
    lines = data.text().splitlines()
    assert len(lines) == 6
    assert lines[0].split("\t") == list(view.table().columns)
    assert all(line.count("\t") == lines[0].count("\t") for line in lines)
    assert "<td>a&lt;b</td>" in data.html()
    assert data.data("text/csv").data().decode("utf-8").count("\r\n") == 6


def test_html_is_escaped():
    table = Table(("a&b",), (("<script>",), (None,), (True,), (-0.5,)))
    html = export.table_to_html(table, "<b>")
    for part in ("<th>a&amp;b</th>", "<td>&lt;script&gt;</td>", "<td></td>", "<td>-0.5</td>"):
        assert part in html
    assert "<caption>&lt;b&gt;</caption>" in html


@pytest.mark.parametrize("form", ["pdf", "svg", "png"])
def test_without_an_answer_there_is_nothing_to_export(empty, form, tmp_path):
    with pytest.raises(UserMistake, match="nothing to export"):
        export.save_picture(empty, tmp_path / "x", PictureChoice(form))
    with pytest.raises(UserMistake, match="nothing to export"):
        export.copy_picture(empty, PLAIN)
    for work in (export.tables_of, export.copy_table):
        with pytest.raises(UserMistake, match="nothing to export"):
            work(empty)
    assert list(tmp_path.glob("x*")) == []


def test_a_page_is_a_pdf_of_its_own_size(view, tmp_path):
    path = tmp_path / "x.pdf"
    export.save_picture(view, path, PictureChoice("pdf"))
    written = path.read_bytes()
    assert written.startswith(b"%PDF")
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", written)
    whole = export.picture_of(view, PictureChoice("pdf")).figure
    for found, wanted in zip(box.groups(), (whole.width, whole.height), strict=True):
        assert float(found) == pytest.approx(wanted * 72 / 96, abs=0.01)


def test_a_folder_that_is_not_there_is_said(view, tmp_path):
    with pytest.raises(MachineFault, match="does not exist"):
        export.save_picture(view, tmp_path / "no" / "x.png", PLAIN)


def test_suggested_names_are_safe(view, empty):
    assert export.suggested_name(view, "png") == "masked-tokens-google-bert-base.png"
    empty.clear()
    assert export.suggested_name(empty, "csv") == "masked-tokens.csv"
    assert set(export.KINDS) == {"png", "svg", "pdf", "csv", "json"}


def test_columns_are_called_as_on_the_screen_where_people_read_them(capsys):
    @dataclass(frozen=True)
    class Scored:
        word: str = column("Word")
        nats: float = column("Surprisal", unit="nats")

    table = Table.of(Scored, [Scored("tea", 1.5)])
    assert table.headings == ("Word", "Surprisal (nats)")
    assert "<th>Surprisal (nats)</th>" in export.table_to_html(table)
    print_table(table)
    assert capsys.readouterr().out.split("\n")[0].split() == ["Word", "Surprisal", "(nats)"]
    # Programs read the names.
    assert export.table_to_tabs(table).startswith("word\tnats\n")
    assert table_to_csv(table).lstrip("\ufeff").startswith("word,nats")
