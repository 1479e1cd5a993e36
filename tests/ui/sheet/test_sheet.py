"""The comparison sheet: filled from views, pins and templates, saved in every form."""

import ast
import base64
import csv
import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtPdf import QPdfDocument
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QToolButton

from explorer.api.family import LoadOptions
from explorer.api.question import Situation, UserMistake
from explorer.questions import all_questions
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.samples.samples import first_sample
from explorer.ui import sheet as sheet_package
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.sheet.files import KINDS, save_sheet
from explorer.ui.sheet.templates import templates
from explorer.ui.views.frame.pin_bar import PinBar
from tests.ui.fake_engine import CACHED
from tests.ui.theme.test_theme import contrast


@pytest.fixture
def view(running):
    return running.window.view_of("masked_tokens")


@pytest.fixture
def sheet(running):
    return running.window.sheet


@pytest.fixture
def both(running, qtbot):
    running.bench.models.load("B", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: "B" in running.bench.models.cards)


def labels(sheet):
    return [entry.label for entry in sheet.dialog.entries]


def test_an_empty_sheet_says_what_to_do_and_can_not_be_saved(sheet):
    sheet.open()
    assert sheet.dialog.empty.isVisible()
    assert "template" in sheet.dialog.empty.text()
    assert not sheet.dialog.save.isEnabled()


def test_what_a_view_shows_is_added_and_stays_as_it_was(running, sheet, view, qtbot):
    frame = running.window.view_area.frames["masked_tokens"]
    frame.export_requested.emit("sheet")
    first = view.result
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: len(view.result.masks) == 2)
    frame.export_requested.emit("sheet")
    assert [entry.result for entry in sheet.dialog.entries] == [first, view.result]
    assert not sheet.dialog.isVisible()  # over the page that the next answer is added from
    notices = running.window.notices
    assert notices.texts == ("Added: 2 answers are on the comparison sheet.",)
    notices.findChild(QToolButton, "notice_action_0").click()
    assert sheet.dialog.isVisible()
    assert notices.texts == ()
    assert not sheet.dialog.preview.pixmap().isNull()
    rows = [sheet.dialog.list.item(row).text() for row in range(2)]
    assert rows[0].startswith("Masked tokens · BERT miniature · “the chef ___")
    assert rows[1].startswith("Masked tokens · BERT miniature · “the ___ ___")
    sheet.dialog.list.setCurrentRow(0)
    sheet.dialog.remove.click()
    assert [entry.result for entry in sheet.dialog.entries] == [view.result]
    sheet.dialog.clear.click()
    assert sheet.dialog.entries == []


def test_a_pinned_comparison_is_kept_by_the_button_beside_it(running, sheet, view, qtbot):
    view.pin()
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: len(view.result.masks) == 2)
    running.window.view_area.frames["masked_tokens"].findChild(PinBar).keep.click()
    assert labels(sheet) == ["Before", "After", "After minus before"]
    before, after, apart = sheet.dialog.entries
    assert before.result is view.baseline.result
    assert (before.baseline, after.baseline) == (None, None)
    assert apart.baseline is view.baseline


def test_two_models_are_asked_and_stand_side_by_side(running, sheet, both, engine, qtbot, paths):
    asked = len(engine.requests(MaskedTokensRequest))
    running.window.menus.action("take_two_models").trigger()
    qtbot.waitUntil(lambda: len(sheet.dialog.entries) >= 2)
    cards = running.bench.models.cards
    assert labels(sheet)[:2] == [cards["A"].title, cards["B"].title]
    models = [entry.result.model for entry in sheet.dialog.entries]
    assert models[:2] == [cards["A"].stamp, cards["B"].stamp]
    # The difference asks nothing anew.
    assert len(engine.requests(MaskedTokensRequest)) == asked + 2
    assert sheet.dialog.title.text() == "Two models on one text"


@pytest.mark.parametrize("template", templates(), ids=lambda template: template.name)
def test_a_template_that_misses_something_says_what(running, sheet, template, qtbot):
    running.bench.edits.clear_masks()
    sheet.take_template(template.name)
    qtbot.waitUntil(lambda: bool(running.window.notices.texts))
    assert sheet.dialog.entries == []
    assert re.search(r"two models|masked", running.window.notices.texts[-1])


@pytest.fixture
def entries(view):
    return [SheetEntry.of(view, "A <b>"), SheetEntry.of(view)]


@pytest.mark.parametrize("ending", KINDS)
def test_a_sheet_is_saved_in_every_form(entries, ending, tmp_path):
    path = tmp_path / f"sheet.{ending}"
    save_sheet("Soups & </script>", entries, path)
    content = path.read_bytes()
    checks = {"png": is_png, "svg": is_svg, "pdf": is_pdf, "html": is_page, "zip": is_zip}
    checks[ending](content, path)


def is_png(content, _path):
    image = QImage.fromData(content)
    assert image.width() > image.height() > 400


def is_svg(content, _path):
    assert QSvgRenderer(QByteArray(content)).isValid()
    assert b"masked" in content.lower()


def is_pdf(content, path):
    document = QPdfDocument()
    assert document.load(str(path)) == QPdfDocument.Error.None_
    assert document.pageCount() == 1
    told = document.metaData(QPdfDocument.MetaDataField.Subject)
    assert told.count("fingerprint") >= 2
    keywords = document.metaData(QPdfDocument.MetaDataField.Keywords)
    assert keywords.startswith("Masked tokens, ")
    document.close()
    words = re.search(rb"/Alt <feff([0-9a-f]*)>", content)[1]
    said = bytes.fromhex(words.decode()).decode("utf-16-be")
    assert said.startswith("Soups & </script>. A <b> · Masked tokens. Masked tokens. ")


def is_page(content, _path):
    text = content.decode("utf-8")
    assert "<script" not in text
    assert "</script>" not in text
    assert "Soups &amp; &lt;/script&gt;" in text
    assert not re.search(r"(src|href)='(?!data:)", text)
    assert text.count("<section>") == 2
    captions = re.findall(r"<p class=.small.>(.+?)</p>", text)
    assert len(captions) == 2
    for words in re.findall(r"<img alt='(.*?)' src=", text):
        title, _, effect = words.partition(". ")
        assert title in {"Masked tokens", "Tokens"}
        assert len(effect) > 20
    assert [text.count(one) for one in dict.fromkeys(captions)] == [
        captions.count(one) for one in dict.fromkeys(captions)
    ]
    assert first_sample().text.split()[1] in text


def is_zip(content, _path):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
        assert {"sheet.png", "sheet.svg", "sheet.pdf", "sheet.html"} < set(names)
        tables = [name for name in names if name.startswith("tables/")]
        assert len(tables) == 4
        captions = sorted(name for name in tables if name.endswith(".caption.txt"))
        said = archive.read(captions[0]).decode("utf-8")
        assert first_sample().text.split()[1] in said
        tables = sorted(name for name in tables if name.endswith(".csv"))
        assert [Path(name).stem for name in tables] == [
            name.removeprefix("tables/").removesuffix(".caption.txt") for name in captions
        ]
        rows = list(csv.reader(archive.read(tables[0]).decode("utf-8-sig").splitlines()))
    assert rows[0][:3] == ["mask", "rank", "word"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_of_a_web_page_can_be_read_on_its_ground(entries, scheme, tmp_path):
    path = tmp_path / "sheet.html"
    save_sheet("Soups", entries, path, scheme)
    page = path.read_text("utf-8")
    letters, ground = re.findall(r"body \{.*?color: (#\w+); background: (#\w+);", page, re.DOTALL)[
        0
    ]
    pictures = re.findall(r"data:image/svg\+xml;base64,([^']+)'", page)
    assert len(pictures) == len(entries)
    inside = [one for content in pictures for one in text_colours(base64.b64decode(content))]
    assert inside
    faint = {one for one in (letters, *inside) if contrast(QColor(one), QColor(ground)) < 4.5}
    assert not faint


def text_colours(svg):
    """The colour of each piece of text: that of the nearest group around it that has one."""
    root = ET.fromstring(svg)
    above = {inside: one for one in root.iter() for inside in one}
    for piece in root.iter("{http://www.w3.org/2000/svg}text"):
        one = piece
        while one is not None and not one.get("fill", "").startswith("#"):
            one = above.get(one)
        yield "#000000" if one is None else one.get("fill")


def test_another_ending_and_an_empty_sheet_are_refused(entries, tmp_path):
    with pytest.raises(UserMistake, match="docx"):
        save_sheet("x", entries, tmp_path / "sheet.docx")
    with pytest.raises(UserMistake, match="nothing"):
        save_sheet("x", [], tmp_path / "sheet.png")


def test_the_sheet_is_saved_from_its_window(running, sheet, view, qtbot, tmp_path, monkeypatch):
    target = tmp_path / "comparison.html"
    monkeypatch.setattr(sheet.dialog.files, "save", lambda _t, _n, _k, then: then(target))
    sheet.add(view)
    sheet.dialog.save.click()
    assert target.read_bytes().startswith(b"<!doctype html>")
    assert "Saved" in running.window.status.currentMessage()


def test_escape_closes_the_sheet_once_it_was_saved(sheet, view, qtbot, tmp_path):
    target = tmp_path / "comparison.svg"
    sheet.add(view)
    sheet.open()
    qtbot.waitUntil(sheet.dialog.isActiveWindow)
    sheet.dialog.save.click()
    asking = QApplication.activeModalWidget()
    asking.selectNameFilter(next(one for one in asking.nameFilters() if "*.svg" in one))
    asking.selectFile(str(target))
    asking.accept()
    qtbot.waitUntil(target.exists)
    qtbot.waitUntil(sheet.dialog.isActiveWindow)
    assert str(target) in sheet.dialog.said.text()
    qtbot.keyClick(QApplication.activeWindow(), Qt.Key.Key_Escape)
    assert not sheet.dialog.isVisible()


def test_with_and_without_a_mask_takes_a_question_that_sees_masks(running, sheet, qtbot):
    # Every token is hidden in turn there: masks are lifted, and the answers would be the same.
    running.window.view_area.bring_forward("surprisal")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    sheet.take_template("masks")
    qtbot.waitUntil(lambda: sheet.asking.is_idle and bool(sheet.dialog.entries))
    entries = sheet.dialog.entries
    assert {entry.operation for entry in entries} != {"surprisal"}
    assert entries[0].shown.asked.masks
    assert not entries[1].shown.asked.masks
    view = running.window.view_of(entries[0].operation)
    requests = [view.request_of(entry.shown.asked) for entry in entries[:2]]
    assert None not in requests
    assert requests[0] != requests[1]


def test_templates_are_what_questions_declare_and_the_sheet_names_none(running):
    names = [template.name for template in templates()]
    declared = [one.name for question in all_questions().values() for one in question.templates]
    assert {"temperatures", "detection"} <= set(declared)
    assert sorted(names) == sorted(["two_models", "masks", *declared])
    menu = {f"take_{name}" for name in names}
    assert menu <= {
        action.objectName() for _, group in running.window.menus.groups() for action in group
    }
    texts = {
        node.value
        for path in Path(sheet_package.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant)
    }
    assert not texts & set(all_questions())


def test_two_models_that_answer_nothing_alike_are_told_of(running):
    cards = {
        slot: replace(running.bench.models.cards["A"], operations=(name,))
        for slot, name in (("A", "tokens"), ("B", "surprisal"))
    }
    template = next(one for one in templates() if one.name == "two_models")
    at = Situation(first_sample().document(), cards, "", ("surprisal", "tokens"))
    with pytest.raises(UserMistake, match="answer no question alike"):
        template.questions(at)
    cards["B"] = replace(cards["B"], operations=("tokens", "surprisal"))
    found = template.questions(replace(at, cards=cards))
    asked = [(one.operation, one.slot, one.baseline) for one in found]
    assert asked == [("tokens", "A", None), ("tokens", "B", None), ("tokens", "B", 0)]


def test_a_question_s_own_templates_ask_it_with_its_settings(running):
    card = running.bench.models.cards["A"]
    fills, judges = (
        replace(card, operations=(name,)) for name in ("masked_tokens", "replaced_tokens")
    )
    document = first_sample().document()
    at = Situation(document, {"A": fills, "B": judges}, "", ())
    by_name = {template.name: template for template in templates()}
    warm = by_name["temperatures"].questions(at)
    kept = [all_questions()["soft_targets"].options for _ in warm]
    set_to = [
        next(o for o in options if o.key.endswith("temperature")).of(one.document)
        for options, one in zip(kept, warm, strict=True)
    ]
    assert set_to == [1.0, 2.0, 4.0, 8.0]
    assert [one.label for one in warm] == ["T = 1", "T = 2", "T = 4", "T = 8"]
    found = by_name["detection"].questions(at)
    assert [(one.operation, one.slot) for one in found] == [
        ("replaced_tokens", ""),
        ("masked_tokens", "A"),
    ]
    with pytest.raises(UserMistake, match="None of the two"):
        by_name["detection"].questions(replace(at, cards={"A": fills, "B": fills}))
