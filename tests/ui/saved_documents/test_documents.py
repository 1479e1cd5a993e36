"""A document comes back as it was saved, says what is missing, and is never half written."""

import dataclasses
import threading

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog

from explorer.api.question import MachineFault, UserMistake
from explorer.document import Document, Mask
from explorer.engine.messages import LoadModel
from explorer.serialise import to_json
from explorer.settings import SettingsFile
from explorer.ui.document.second_page import SecondPage
from explorer.ui.saved_documents import documents, file, gathering
from explorer.ui.saved_documents.file import (
    MAGIC,
    NamedModel,
    OnScreen,
    read_document,
    write_document,
    written_document,
)
from tests.ui.fake_engine import CACHED, HUB, MINIATURE

PAGE = "masked_tokens"


def saved(path, on_screen=None, entries=(), pins=(), unread=()):
    write_document(path, written_document(on_screen or OnScreen(), entries, pins, unread))
    return path


# ---- the file -----------------------------------------------------------------------------------


def test_what_was_written_is_read_again(tmp_path):
    screen = OnScreen(
        models={"A": NamedModel("bert", "BERT", "00ff")},
        document=Document("I ate 국수.", "Why?").with_mask(2, 5).with_option("a.b", [1]),
        sheet="Soups",
        scene="first",
        step=2,
    )
    read = read_document(saved(tmp_path / "a.plm", screen))
    assert read.on_screen == screen


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is no document"),
        (b"\xff\xfe\x00", "is no document"),
        (b"{}", "is no document"),
        (b"plm-explorer document x\n{}", "is no document"),
        (b"plm-explorer document 2\n{}", "newer version"),
        (b"plm-explorer document 999999999999999999999\n{}", "newer version"),
        (b"plm-explorer document 1\n", "is damaged"),
        (b"plm-explorer document 1\n{", "is damaged"),
        (b'plm-explorer document 1\n{"step": "x"}', "is damaged"),
        (b"plm-explorer document 1\n" + b"[" * 100_000, "is damaged"),
        (b"plm-explorer document 1\n{}" + b"\nsheet {}" * 1100, "more than 1,000 answers"),
        (
            b'plm-explorer document 1\n{"document": {"text": "' + b"a" * 300_000 + b'"}}',
            "more than 200,000 characters",
        ),
    ],
)
def test_a_hostile_file_gets_one_sentence(tmp_path, content, told):
    path = tmp_path / "odd.plm"
    path.write_bytes(content)
    with pytest.raises(UserMistake) as raised:
        read_document(path)
    assert told in raised.value.said
    assert raised.value.said.startswith("odd.plm ")


def test_a_file_without_end_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(file, "MOST_BYTES", 100)
    path = tmp_path / "large.plm"
    path.write_bytes(b"a" * 1000)
    with pytest.raises(UserMistake, match="it takes more than 1 MB"):
        read_document(path)
    with pytest.raises(MachineFault):
        written_document(OnScreen(document=Document("a" * 200)), (), (), ())


def test_masks_outside_the_text_are_left_out(tmp_path):
    screen = OnScreen(document=Document("soup").with_mask(0, 4))
    (mask,) = screen.document.masks
    odd = [dataclasses.replace(mask, start=2, end=99), dataclasses.replace(mask, part=7)]
    wild = dataclasses.replace(screen.document, masks=(mask, *odd), top_k=10**9)
    read = read_document(saved(tmp_path / "a.plm", dataclasses.replace(screen, document=wild)))
    assert read.on_screen.document.masks == (mask,)
    assert read.on_screen.document.top_k == 1000


def test_what_a_second_page_has_of_its_own_is_bounded_as_well(tmp_path):
    inner = SecondPage().put(Document("inner"), PAGE)
    wild = Document("soup", masks=(Mask(2, 99),), top_k=10**9)
    settings = dataclasses.replace(inner, text="", top_k=10**9)
    second = SecondPage(held=wild, settings=settings).put(Document("a"), PAGE)
    read = read_document(saved(tmp_path / "a.plm", OnScreen(document=second))).on_screen.document
    page = SecondPage.of(read, PAGE)
    assert (page.held.text, page.held.masks) == ("soup", ())
    assert page.settings == Document("", top_k=1000)


def test_lines_that_nobody_understands_stay(tmp_path):
    lines = ("film {}", "sheet {}", "pin []")
    read = read_document(saved(tmp_path / "a.plm", unread=lines))
    assert read.unread == lines
    assert not read.entries
    assert not read.pins


# ---- in the window ------------------------------------------------------------------------------


def text_of(running):
    return running.bench.state.document.text


def opened(running, path, qtbot):
    with qtbot.waitSignal(running.window.documents.changed):
        running.window.documents.open(path)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)


def save_in(running, path, qtbot):
    with qtbot.waitSignal(running.window.documents.written):
        running.window.documents.save_in(path)


def test_texts_models_pages_pins_and_sheet_come_back(running, tmp_path, qtbot):
    window, bench = running.window, running.bench
    bench.actions.load(CACHED, "B")
    qtbot.waitUntil(lambda: len(bench.models.cards) == 2)
    qtbot.waitUntil(lambda: bench.asking.is_idle)
    view = window.view_of(PAGE)
    view.pin()
    window.sheet.add(view)
    window.view_area.open_beside("tokens")
    path, text = tmp_path / "mine.plm", text_of(running)
    save_in(running, path, qtbot)
    window.documents.let_go()
    held, result = bench.state.document, view.baseline.result

    bench.edits.take_text("something else", "a.txt")
    view.unpin()
    window.sheet.show("", [])
    bench.models.unload("B")
    window.view_area.show_first()
    opened(running, path, qtbot)
    qtbot.waitUntil(lambda: "B" in bench.models.cards)
    assert bench.state.document == held
    assert text_of(running) == text
    assert bench.models.cards["B"].stamp.id == CACHED.id
    assert set(window.view_area.opened) == {PAGE, "tokens"}
    assert window.view_of(PAGE).baseline.result == result
    (entry,) = window.sheet.entries
    assert entry.operation == PAGE
    assert window.windowTitle().startswith("mine.plm")


def test_what_is_changed_is_saved_by_itself(running, tmp_path, qtbot):
    path = tmp_path / "mine.plm"
    save_in(running, path, qtbot)
    with qtbot.waitSignal(running.window.documents.written):
        running.bench.edits.take_text("another soup", "a.txt")
    assert read_document(path).on_screen.document.text == "another soup"
    running.bench.edits.take_text("and one more", "a.txt")
    running.close()
    assert read_document(path).on_screen.document.text == "and one more"


def test_the_next_start_goes_on_in_it_and_leaves_one_that_was_changed_elsewhere(
    start, tmp_path, qtbot
):
    path = tmp_path / "mine.plm"
    first = start()
    save_in(first, path, qtbot)
    first.close()
    second = start()
    qtbot.waitUntil(lambda: second.window.documents.path == path)
    second.close()
    path.write_bytes(path.read_bytes() + b"film {}\n")
    changed = path.read_bytes()
    third = start()
    qtbot.waitUntil(lambda: third.window.documents._reading.is_idle)
    third.bench.edits.take_text("not in it", "a.txt")
    third.close()
    assert path.read_bytes() == changed


def test_a_missing_model_is_named_and_kept(running, engine, tmp_path, qtbot):
    named = {"A": NamedModel("/home/you/secret", "Secret", "00ff00ff00ff"), "B": NamedModel(HUB.id)}
    path = saved(tmp_path / "a.plm", OnScreen(models=named, document=Document("soup")))
    opened(running, path, qtbot)
    told = dict(zip(running.window.notices.keys, running.window.notices.texts, strict=True))
    assert told["document_A"] == "The document's model A, Secret, is not on this computer."
    assert "document_B" in told
    assert running.bench.models.cards == {}
    with qtbot.waitSignal(running.window.documents.written):
        running.bench.edits.take_text("more soup", "a.txt")
    assert read_document(path).on_screen.models == named
    # Another one in its place is the user's choice.
    running.bench.actions.load(MINIATURE, "A")
    qtbot.waitUntil(lambda: "A" in running.bench.models.cards)
    qtbot.waitUntil(lambda: read_document(path).on_screen.models["A"].id == MINIATURE.id)


def test_one_that_is_downloaded_is_loaded_where_it_belongs(running, tmp_path, qtbot):
    path = saved(tmp_path / "a.plm", OnScreen(models={"B": NamedModel(HUB.id)}))
    opened(running, path, qtbot)
    qtbot.waitUntil(lambda: "document_B" in running.window.notices.keys)
    (notice,) = (
        one.notice
        for one in running.window.notices._bars.values()
        if one.notice.key == "document_B"
    )
    notice.actions[0][1]()
    qtbot.waitUntil(lambda: "B" in running.bench.models.cards)
    assert running.bench.models.cards["B"].stamp.id == HUB.id


def test_a_model_with_other_weights_is_told(running, tmp_path, qtbot):
    named = NamedModel(MINIATURE.id, MINIATURE.title, "00ff00ff00ff")
    opened(running, saved(tmp_path / "a.plm", OnScreen(models={"A": named})), qtbot)
    qtbot.waitUntil(lambda: "document_A" in running.window.notices.keys)
    assert "other weights" in " ".join(running.window.notices.texts)


def test_a_document_that_can_not_be_opened_changes_nothing(running, tmp_path, qtbot):
    path = tmp_path / "new.plm"
    path.write_text(f"{MAGIC} 2\n{{}}\n")
    before = running.bench.state.document
    running.window.documents.open(path)
    qtbot.waitUntil(lambda: "document" in running.window.notices.keys)
    assert running.window.notices.texts == ("new.plm was saved by a newer version of the program.",)
    assert running.bench.state.document == before
    assert running.window.documents.path is None


def test_opening_one_can_be_taken_back_whole(running, tmp_path, qtbot):
    running.window.sheet.add(running.window.view_of(PAGE))
    before = running.bench.state.document
    opened(running, saved(tmp_path / "a.plm", OnScreen(document=Document("soup"))), qtbot)
    assert running.window.sheet.entries == ()
    (notice,) = [
        one for one in running.window.notices._bars.values() if one.notice.key == "document"
    ]
    with qtbot.waitSignal(running.window.documents.changed):
        notice.notice.actions[0][1]()
    assert running.bench.state.document == before
    assert len(running.window.sheet.entries) == 1
    assert running.window.documents.path is None


def test_opening_another_one_leads_back_to_the_one_before(running, tmp_path, qtbot, monkeypatch):
    # Panes that are still being laid out would make two documents of what is one.
    monkeypatch.setattr(gathering, "layout_of", lambda _area: None)
    first, second = tmp_path / "first.plm", tmp_path / "second.plm"
    running.bench.edits.take_text("the first soup", "a.txt")
    save_in(running, first, qtbot)
    saved(second, OnScreen(document=Document("the second soup")))
    opened(running, second, qtbot)
    assert running.bench.state.document.text == "the second soup"
    (bar,) = [one for one in running.window.notices.bars if one.notice.key == "document"]
    _words, go_back = bar.notice.actions[0]
    go_back()
    qtbot.waitUntil(lambda: running.bench.state.document.text == "the first soup")


def test_what_was_gathered_first_is_not_written_last(running, tmp_path, qtbot, monkeypatch):
    entered, goes_on = threading.Event(), threading.Event()

    def slowly(path, content):
        if not entered.is_set():
            entered.set()
            goes_on.wait(10)
        write_document(path, content)

    monkeypatch.setattr(documents, "write_document", slowly)
    path = tmp_path / "mine.plm"
    running.window.documents.save_in(path)
    assert entered.wait(10)
    (first,) = writers()
    running.bench.edits.take_text("the newer soup", "a.txt")
    running.window.documents.save()
    others = writers() - {first}
    for one in others:
        # It is through by then, unless it waits for the first one.
        one.join(0.2)
    goes_on.set()
    for one in (first, *others):
        one.join(10)
    assert read_document(path).on_screen.document.text == "the newer soup"


def writers():
    return {one for one in threading.enumerate() if one.name == "document writer"}


def test_one_is_dropped_on_the_window(running, tmp_path, qtbot):
    path = saved(tmp_path / "a.plm", OnScreen(document=Document("dropped soup")))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPoint(20, 20).toPointF(),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    running.window.dropEvent(event)
    qtbot.waitUntil(lambda: text_of(running) == "dropped soup")


def test_recent_ones_are_a_click_away(start, running, paths, tmp_path, qtbot):
    first, second = (
        saved(tmp_path / f"{name}.plm", OnScreen(document=Document(name)))
        for name in ("first", "second")
    )
    for path in (first, second):
        opened(running, path, qtbot)
    assert running.window.documents.recent == (second, first)
    running.window.menus.action("recent_1").trigger()
    qtbot.waitUntil(lambda: text_of(running) == "first")
    running.close()
    assert SettingsFile(paths.settings).load().recent_documents == (str(first), str(second))


def test_it_is_saved_where_the_user_says(running, tmp_path, qtbot):
    running.window.menus.action("save_document").trigger()
    dialog = running.window.findChild(QFileDialog, "file_dialog")
    with qtbot.waitSignal(running.window.documents.written):
        dialog.fileSelected.emit(str(tmp_path / "lesson"))
    dialog.close()
    assert running.window.documents.path == tmp_path / "lesson.plm"
    assert read_document(tmp_path / "lesson.plm").on_screen.document == running.bench.state.document


def test_loading_a_model_twice_is_not_asked_for(running, engine, tmp_path, qtbot):
    path = tmp_path / "mine.plm"
    save_in(running, path, qtbot)
    loads = len(engine.requests(LoadModel))
    opened(running, path, qtbot)
    assert len(engine.requests(LoadModel)) == loads


def test_the_head_is_one_line_of_json():
    first, second, *rest = written_document(OnScreen(), (), (), ()).decode().split("\n")
    assert first == f"{MAGIC} 1"
    assert second == to_json(OnScreen())
    assert rest == [""]
