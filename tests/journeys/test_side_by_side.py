"""BERT's answers beside DistilBERT's, and one text's beside another's, as a person lays them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton

from explorer.questions.attention.attention.question import DRAW
from explorer.questions.many.file_of_sentences.options import FILE
from explorer.ui.document.second_page import second_name
from explorer.ui.views.frame.view_frame import FrameState
from tests.journeys.acting import SLOW, answered, brought, load, newest

pytestmark = pytest.mark.usefixtures("warm_engine")

PAGE, FILES = "attention", "file_of_sentences"
SECOND = second_name(PAGE)


def text_of(running):
    return running.bench.state.document.text


def test_attention_of_two_models_side_by_side(hands, running, paths, qtbot):
    window, bench = running.window, running.bench
    load(running, qtbot, B="distilbert-miniature")
    hands.type_text("the chef cooked a soup")
    first = brought(running, qtbot, PAGE)
    QTest.keyClick(
        window,
        Qt.Key.Key_J,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    second = answered(running, qtbot, SECOND)
    cards = bench.models.cards
    assert (first.result.model, second.result.model) == (cards["A"].stamp, cards["B"].stamp)
    assert first.result.tokens == second.result.tokens
    assert newest(paths, PAGE).models == {"model": cards["B"].stamp}
    # Both follow the text, and what they are set to.
    hands.type_text("the cook ate")
    assert [one.document.text for one in (first, second)] == ["the cook ate"] * 2
    second.option_changed.emit(DRAW.key, "lines")
    hands.settle()
    assert [DRAW.of(one.now) for one in (first, second)] == ["lines", "lines"]
    # A token that is chosen in one is chosen in both, for they cut the text alike.
    second.select_requested.emit(2)
    assert window.sentence.strip.chosen == 2
    window.sentence.selected.emit(3)
    assert (first.told, second.told) == (3, 3)
    # A run of the second one that comes back from the log is shown by the first one.
    run = newest(paths, PAGE)
    window.commands.restore_run(run.summary.id)
    qtbot.waitUntil(lambda: bench.state.run_id == run.summary.id, timeout=SLOW)
    hands.settle()
    assert first.result.model == run.models["model"]
    assert window.view_area.is_seen(SECOND)


def test_a_file_s_answers_by_two_models_in_columns(hands, running, paths, tmp_path, qtbot):
    window, bench = running.window, running.bench
    load(running, qtbot, B="distilbert-miniature")
    path = tmp_path / "some.txt"
    path.write_text("the chef cooked a soup\nthe cook ate\nthe movie was great\n", "utf-8")
    bench.edits.set_option(FILE.key, str(path))
    view = brought(running, qtbot, FILES)
    view.page.choose(next(one for one in view.page.page.spots if one.key == "compare"))
    hands.settle()
    hands.run_if_asked(FILES)
    qtbot.waitUntil(lambda: view.result is not None and view.result.done == 3, timeout=SLOW)
    hands.settle()
    cards = bench.models.cards
    assert newest(paths, FILES).models == {"model": cards["A"].stamp, "second": cards["B"].stamp}
    table = view.table()
    names = [f"pseudo-perplexity · {cards[slot].stamp.id}" for slot in "AB"]
    for row in table.rows:
        one, two, less = (
            row[table.columns.index(name)] for name in (*names, "pseudo-perplexity · difference")
        )
        assert less == two - one
    # Each sentence has the number that its own page has for it.
    window.menus.action("undo").trigger()
    hands.type_text("the cook ate")
    alone = brought(running, qtbot, "surprisal")
    row = next(row for row in table.rows if row[1] == "the cook ate")
    place = table.columns.index(names[0])
    assert row[place] == alone.of.summary(alone.result)["pseudo-perplexity"]


def test_a_file_s_answers_by_a_third_model_that_is_never_loaded_as_a_or_b(
    hands, running, paths, tmp_path, qtbot
):
    window, bench = running.window, running.bench
    path = tmp_path / "some.txt"
    path.write_text("the chef cooked a soup\nthe cook ate\nthe movie was great\n", "utf-8")
    bench.edits.set_option(FILE.key, str(path))
    view = brought(running, qtbot, FILES)
    for name in ("albert-miniature", "deberta-v1-miniature"):
        qtbot.waitUntil(lambda key=("further", name): bool(spots(view, key)), timeout=SLOW)
        view.page.choose(spots(view, ("further", name))[0])
        hands.settle()
    assert view.result.waiting == ("albert-miniature", "deberta-v1-miniature")
    hands.run_if_asked(FILES)
    qtbot.waitUntil(lambda: not view.result.waiting, timeout=SLOW)
    hands.settle()
    assert list(bench.models.cards) == ["A"]
    table = view.table()
    names = [
        f"pseudo-perplexity · {one}"
        for one in ("bert-miniature", "albert-miniature", "difference of albert-miniature")
    ]
    assert len(table.rows) == 3
    for row in table.rows:
        one, two, less = (row[table.columns.index(name)] for name in names)
        assert less == two - one
    # The log has them: a run that comes back shows the same columns, and asks for the same models.
    run = newest(paths, FILES)
    assert run.request.further == ("albert-miniature", "deberta-v1-miniature")
    view.page.choose(spots(view, ("further", "albert-miniature"))[0])
    hands.settle()
    window.commands.restore_run(run.summary.id)
    qtbot.waitUntil(lambda: bench.state.run_id == run.summary.id, timeout=SLOW)
    hands.settle()
    assert view.table() == table


def spots(view, key):
    return [one for one in view.page.page.spots if one.key == key]


def test_a_page_without_a_file_tries_one_with_a_click(hands, running, qtbot):
    window = running.window
    window.view_area.bring_forward(FILES)
    hands.settle()
    frame = window.view_area.frames[FILES]
    (button,) = (one for one in frame.findChildren(QPushButton) if one.text() == "Try an example")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    hands.settle()
    hands.run_if_asked(FILES)
    view = window.view_of(FILES)
    qtbot.waitUntil(lambda: view.result.done == view.result.count > 20, timeout=SLOW)
    assert view.result.failed == 0
    assert view.result.source == "sentences.csv"
    window.menus.action("undo").trigger()
    hands.settle()
    assert frame.state is FrameState.EMPTY


def test_one_text_beside_another(hands, running, qtbot):
    window = running.window
    hands.type_text("the chef cooked a soup")
    first = brought(running, qtbot, "surprisal")
    area = window.view_area
    menu = area.place_of("surprisal").bar.findChild(QMenu, "beside_menu")
    menu.aboutToShow.emit()
    next(one for one in menu.actions() if one.objectName() == "twice_held_text").trigger()
    second = answered(running, qtbot, second_name("surprisal"))
    hands.type_text("the chef cooked a stone")
    held = [one.text for one in second.result.tokens]
    assert "soup" in held
    assert "stone" not in held
    assert "soup" not in [one.text for one in first.result.tokens]
    while second_name("surprisal") in area.opened:
        window.menus.action("undo").trigger()
    assert text_of(running) == "the chef cooked a soup"
