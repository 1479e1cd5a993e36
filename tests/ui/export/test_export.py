import csv
import io
import json
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSize
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from explorer.api import MachineFault, ModelStamp, Prediction, Table, Token, UserMistake
from explorer.document import Document, Mask
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult, MaskPredictions
from explorer.ui.export import files as export
from explorer.ui.theme.schemes import apply_theme, theme_of
from explorer.ui.views.view_frame import EXPORTS
from tests.ui.pages import kind_of

STAMP = ModelStamp("google/bert base", "bert", "0123456789abcdef" * 2, "cpu", "float32")
DOCUMENT = Document("The soup was hot.", masks=(Mask(4, 8),))
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


def test_a_png_is_twice_as_large_as_the_page(view, tmp_path):
    path = tmp_path / "picture.png"
    export.picture_png(view, path)
    page = export.page(view, theme_of("light"))
    image = QImage(str(path))
    assert image.size() == QSize(round(page.width * 2), round(page.height * 2))
    assert image.width() == 1920
    # Paper all around: nothing reaches the edge.
    edge = {image.pixelColor(x, y).name() for x in range(image.width()) for y in (0, 20)}
    edge |= {image.pixelColor(x, y).name() for y in range(image.height()) for x in (0, 1900)}
    assert edge == {theme_of("light").surface.name()}


def test_a_picture_does_not_depend_on_the_windows_size(view):
    first = export.picture(view, scale=1)
    view.resize(300, 200)
    assert export.picture(view, scale=1) == first


def test_pictures_are_light_unless_asked_otherwise(view, qapp):
    apply_theme(qapp, "dark")
    light, dark = export.picture(view, 1), export.picture(view, 1, "dark")
    assert light.pixelColor(2, 2) == theme_of("light").surface
    assert dark.pixelColor(2, 2) == theme_of("dark").surface


def test_the_svg_looks_like_the_png(view, tmp_path):
    path = tmp_path / "picture.svg"
    export.picture_svg(view, path)
    data = path.read_bytes()
    renderer = QSvgRenderer(QByteArray(data))
    assert renderer.isValid()
    image = export.picture(view, scale=1)
    drawn = QImage(image.size(), QImage.Format.Format_ARGB32_Premultiplied)
    drawn.fill(theme_of("light").surface)
    painter = QPainter(drawn)
    renderer.render(painter)
    painter.end()
    assert same(image, drawn) > 0.985
    text = data.decode("utf-8")
    assert "<title>Masked tokens</title>" in text
    assert "google/bert base" in text
    assert "<image" not in text  # vectors only


def test_the_caption_stands_below(view):
    with_caption = export.page(view, theme_of("light"))
    figure = view.figure(with_caption.width - 2 * export.MARGIN, theme_of("light"))
    assert with_caption.height > figure.height + 2 * export.MARGIN + export.CAPTION_GAP
    image = export.picture(view, 1)
    bottom = image.copy(0, image.height() - 40, image.width(), 40)
    muted = theme_of("light").muted.lightness()
    darkest = min(bottom.pixelColor(x, y).lightness() for x in range(24, 400) for y in range(40))
    assert darkest < muted + 30


def test_very_long_pictures_are_scaled_down(view, monkeypatch):
    monkeypatch.setattr(export, "LARGEST", 500)
    image = export.picture(view)
    assert max(image.width(), image.height()) <= 500


def test_csv(view, tmp_path):
    path = tmp_path / "table.csv"
    export.table_csv(view, path)
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert rows[0] == list(view.table().columns)
    words = [row[2] for row in rows[1:6]]
    assert words == ["'=meal", "soup", "a<b", "tab\there", "שלום"]
    assert rows[-1][2] == WORDS[-1]
    said = (tmp_path / "table.caption.txt").read_text(encoding="utf-8")
    assert said == f"{view.caption()}\n"
    assert "google/bert base" in said


def test_json(view, tmp_path):
    path = tmp_path / "table.json"
    export.table_json(view, path)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["columns"] == list(view.table().columns)
    assert [row[2] for row in data["rows"]] == list(WORDS)
    assert data["caption"] == view.caption()


def test_a_picture_is_copied(view):
    export.copy_picture(view)
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


@pytest.mark.parametrize("kind", [kind for kind, _, _ in EXPORTS])
def test_every_kind_of_the_menu_is_done(view, kind, tmp_path):
    path = tmp_path / f"x.{kind}"
    export.export(view, kind, None if kind.startswith("copy") else path)
    assert path.exists() == (not kind.startswith("copy"))


@pytest.mark.parametrize("kind", [kind for kind, _, _ in EXPORTS])
def test_without_an_answer_there_is_nothing_to_export(empty, kind, tmp_path):
    with pytest.raises(UserMistake, match="nothing to export"):
        export.export(empty, kind, tmp_path / "x")
    assert list(tmp_path.glob("x*")) == []


def test_unknown_kinds_are_refused(view):
    with pytest.raises(ValueError, match="bmp"):
        export.export(view, "bmp", Path("x.bmp"))
    with pytest.raises(ValueError, match="png"):
        export.export(view, "png")


def test_a_page_is_a_pdf_of_its_own_size(view, tmp_path):
    path = tmp_path / "x.pdf"
    export.export(view, "pdf", path)
    written = path.read_bytes()
    assert written.startswith(b"%PDF")
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", written)
    whole = export.page(view, theme_of("light"))
    for found, wanted in zip(box.groups(), (whole.width, whole.height), strict=True):
        assert float(found) == pytest.approx(wanted * 72 / 96, abs=1.0)


def test_a_folder_that_is_not_there_is_said(view, tmp_path):
    with pytest.raises(MachineFault, match="does not exist"):
        export.picture_png(view, tmp_path / "no" / "x.png")


def test_suggested_names_are_safe(view, empty):
    assert export.suggested_name(view, "png") == "masked-tokens-google-bert-base.png"
    empty.clear()
    assert export.suggested_name(empty, "csv") == "masked-tokens.csv"
    assert set(export.KINDS) == {"png", "svg", "pdf", "csv", "json"}
