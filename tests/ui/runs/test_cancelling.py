"""Cancel ends whatever is asked, and what waited for it is as it was before."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from explorer.api.question import Blame, Context, Failure
from explorer.hf.kept import forget
from explorer.questions.attention.attention.chosen import choice_of
from explorer.questions.attention.attention.compute import run as attend
from explorer.questions.attention.attention.in_full import in_full
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.ui.matrices.heads.block import HeadsView
from tests.hf import tiny
from tests.ui.fake_engine import CATALOGUE, MINIATURE
from tests.ui.pages import part, words_on


def cancel(running):
    running.window.menus.action("cancel").trigger()


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "soups.txt"
    file.write_text("the [MASK] was hot\na [MASK] sentence\n", encoding="utf-8")
    return file


def test_a_file_that_is_asked(running, engine, qtbot, path):
    session = running.window.file_session
    engine.held.add("file session")
    session.begin(path)
    with qtbot.waitSignal(session.ended) as told:
        cancel(running)
    assert told.args == [0]
    assert not session.is_running
    assert running.window.notices.texts[-1].startswith("soups.txt was stopped after 0 sentences.")
    assert not any("Asking soups.txt" in text for text in running.window.notices.texts)
    engine.held.clear()
    with qtbot.waitSignal(session.ended) as told:
        session.begin(path)
    assert told.args == [2]


def test_a_file_that_is_asked_stops_with_the_button_of_the_status_bar(running, engine, qtbot, path):
    session = running.window.file_session
    engine.held.add("file session")
    session.begin(path)
    with qtbot.waitSignal(session.ended):
        running.window.status.stop.click()
    assert not session.is_running


def test_a_template_of_the_sheet(running, engine, qtbot):
    sheet = running.window.sheet
    engine.held.add("sheet")
    sheet.take_template("masks")
    assert not sheet.asking.is_idle
    assert running.window.status.currentMessage().startswith("Asking")
    with qtbot.waitSignal(sheet.asking.stopped):
        cancel(running)
    assert sheet.asking.is_idle
    assert not running.window.status.currentMessage().startswith("Asking")
    assert sheet.dialog.entries == []


def test_a_template_that_fails_is_not_asked_any_longer_either(running, engine, qtbot):
    sheet = running.window.sheet
    engine.failures["sheet"] = Failure(Blame.MACHINE, "No memory.")
    with qtbot.waitSignal(sheet.asking.failed):
        sheet.take_template("masks")
    assert not running.window.status.currentMessage().startswith("Asking")


@pytest.fixture
def attention(engine, start, qtbot, tmp_path_factory):
    """The window with all heads of a tiny BERT."""
    model = tiny.load(tiny.save_bert(tmp_path_factory.mktemp("tiny") / "bert"))
    engine.catalogue = (
        replace(MINIATURE, operations=(*MINIATURE.operations, "attention")),
        *CATALOGUE[1:],
    )
    engine.answers[AttentionRequest] = lambda request, card: replace(
        attend(model, request, Context()), model=card.stamp
    )
    running = start()
    view = running.window.view_of("attention")
    running.window.view_area.bring_forward("attention")
    qtbot.waitUntil(lambda: view.result is not None and view.parts.is_idle)
    yield running, view
    forget()


def heads_asked(engine):
    return [one.heads for one in engine.requests(AttentionRequest) if one.heads]


def click_on_head(view, qtbot, number):
    grid = part(view, HeadsView)
    at = grid.layout_now().box(number).center().toPoint()
    qtbot.mouseClick(grid, Qt.MouseButton.LeftButton, pos=at)


def heads_in_full(view):
    """What is drawn of the chosen head."""
    return in_full(view.shown()).now


def test_a_head_that_is_fetched_is_fetched_again_when_it_is_wanted(attention, engine, qtbot):
    running, view = attention
    engine.held.add("detail:")
    click_on_head(view, qtbot, 6)
    assert heads_asked(engine)[-1] == (choice_of(view.shown()),)
    cancel(running)
    qtbot.waitUntil(lambda: view.parts.is_idle)
    assert "cancelled" in words_on(view)
    before = len(heads_asked(engine))
    engine.held.clear()
    click_on_head(view, qtbot, 6)
    qtbot.waitUntil(lambda: heads_in_full(view) is not None)
    assert len(heads_asked(engine)) == before + 1
    assert heads_in_full(view).chosen == (choice_of(view.shown()),)
    assert "cancelled" not in words_on(view)


def test_saving_all_heads(attention, engine, qtbot, tmp_path):
    running, view = attention
    folder = tmp_path / "heads"
    folder.mkdir()
    (save,) = view.saves
    engine.held.add("detail:attention:all")
    save.begin(folder / "all.npz")
    assert not save.isEnabled()
    assert [path.name for path in folder.iterdir()] == [".all.npz.part"]
    cancel(running)
    qtbot.waitUntil(save.isEnabled)
    assert "cancelled" in save.said
    assert list(folder.iterdir()) == []
    engine.held.clear()
    save.begin(folder / "all.npz")
    qtbot.waitUntil(lambda: save.said.startswith("Saved "))
    assert [path.name for path in folder.iterdir()] == ["all.npz"]


def test_reading_the_library_leaves_what_was_listed(running, engine, qtbot):
    listed = running.bench.checkpoints.all
    engine.held.add("library")
    running.bench.checkpoints.refresh()
    with qtbot.waitSignal(running.bench.checkpoints.changed):
        cancel(running)
    assert not running.bench.checkpoints.is_listing
    assert running.bench.checkpoints.all == listed
    assert any("cancelled" in text for text in running.window.notices.texts)


def test_opening_a_folder(running, engine, qtbot, tmp_path):
    engine.held.add("inspect")
    running.bench.actions.open_path(tmp_path)
    with qtbot.waitSignal(running.bench.actions.refused):
        cancel(running)
    assert any("cancelled" in text for text in running.window.notices.texts)


def test_an_answer_that_makes_no_table_is_told_on_its_page(running, engine, qtbot):
    view = running.window.view_of("masked_tokens")
    engine.answers[MaskedTokensRequest] = lambda _request, _card: "not an answer at all"
    running.bench.edits.take_text("A [MASK] of quite another kind.", "another.txt")
    frame = running.window.view_area.frames["masked_tokens"]
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert not view.has_result
    assert frame.failed_page.isVisible()
