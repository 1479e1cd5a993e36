"""A notice stays as long as its matter does; it moves nothing and is read in whole."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel

from explorer.api.family import LoadOptions
from explorer.ui.notices.notices import Notice
from explorer.ui.views.frame.view_frame import FrameState
from tests.ui.fake_engine import CACHED, DAMAGED

LONG = (
    "The first sentence of a notice that has more to say than one line can hold, as there are "
    "two models, a file and an hour in it, and the next one says what can be done about all that."
)


@pytest.fixture
def log(running, qtbot):
    dock = running.window.log
    qtbot.waitUntil(lambda: dock.model.rowCount() == 1)
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: dock.model.rowCount() == 2)
    return dock


def bring_back(running, log, qtbot):
    log.restore_wanted.emit(log.model.run_at(1).id)
    qtbot.waitUntil(lambda: running.bench.state.run_id != "")


def is_told(running, words):
    return any(words in text for text in running.window.notices.texts)


LATER = {
    "a mask": lambda running: running.bench.edits.toggle_mask(0, 3, 0),
    "another page": lambda running: running.window.view_area.bring_forward("tokens"),
    "another model": lambda running: running.bench.models.load(
        "A", CACHED.id, CACHED.title, LoadOptions()
    ),
}


@pytest.mark.parametrize("then", LATER)
def test_what_was_found_asking_again_goes_with_that_answer(running, log, qtbot, then):
    bring_back(running, log, qtbot)
    running.bench.asking.run_again()
    qtbot.waitUntil(lambda: is_told(running, "The same answer"))
    LATER[then](running)
    qtbot.waitUntil(lambda: not is_told(running, "The same answer"))


def test_a_comparison_from_the_log_is_told_until_it_is_left(running, log, qtbot):
    log.table.selectAll()
    menu = log.menu_of(log.model.run_at(0))
    {a.text(): a for a in menu.actions()}["Compare the two chosen"].trigger()
    qtbot.waitUntil(lambda: is_told(running, "The answer differs"))
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert is_told(running, "The answer differs")
    running.bench.state.stack.undo()
    qtbot.waitUntil(lambda: not is_told(running, "The answer differs"))


def test_whose_answer_a_run_was_is_told_until_it_is_left(running, log, qtbot):
    bench = running.bench
    bench.models.load("A", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: bench.models.active_card.stamp.id == CACHED.id)
    qtbot.waitUntil(lambda: bench.asking.is_idle)
    bring_back(running, log, qtbot)
    qtbot.waitUntil(lambda: is_told(running, "This is the answer of BERT miniature"))
    bench.edits.toggle_mask(0, 3, 0)
    qtbot.waitUntil(lambda: not is_told(running, "This is the answer of"))


def test_a_model_that_can_not_be_loaded_is_told_until_one_turns_to_another(running, qtbot):
    actions = running.bench.actions
    actions.load_by_id(DAMAGED.id, "A")
    assert is_told(running, DAMAGED.problem)
    actions.architecture_wanted.emit(DAMAGED.id)
    assert not is_told(running, DAMAGED.problem)


def test_a_cut_text_is_told_until_the_text_is_another(running, tmp_path, qtbot):
    path = tmp_path / "long.txt"
    path.write_text("word " * 100_000, encoding="utf-8")
    running.window.commands.texts.open(path)
    qtbot.waitUntil(lambda: is_told(running, "were taken"))
    running.bench.state.stack.undo()
    assert not is_told(running, "were taken")


def gap_above_page(running):
    """Between the sentence, which has a height of its own, and the pin on the page."""
    button = running.window.view_area.frames["masked_tokens"].pin_button
    window = running.window
    return button.mapTo(window.centralWidget(), QPoint(0, 0)).y() - window.sentence.height()


def test_a_notice_comes_and_goes_and_the_page_stays(running, qtbot):
    before = gap_above_page(running)
    running.window.notices.tell(Notice("x", LONG))
    qtbot.waitUntil(lambda: running.window.notices.height() > 20)
    assert gap_above_page(running) == before
    running.window.notices.dismiss("x")
    qtbot.waitUntil(lambda: not running.window.notices.isVisible())
    assert gap_above_page(running) == before


@pytest.mark.parametrize("width", [760, 1000, 1500])
def test_a_long_notice_is_read_in_whole(running, qtbot, width):
    running.window.resize(width, 800)
    running.window.notices.tell(
        Notice("x", LONG, "Or wait.", actions=(("Load BERT base, uncased", lambda: None),) * 2)
    )
    label = running.window.notices.findChild(QLabel, "notice_text")
    qtbot.waitUntil(lambda: label.height() >= label.heightForWidth(label.width()) > 0)


def test_work_on_the_next_answer_moves_nothing(running, engine, qtbot):
    view = running.window.view_of("masked_tokens")
    frame = running.window.view_area.frames["masked_tokens"]
    engine.held.add("view:masked_tokens")
    running.bench.edits.toggle_mask(4, 8, 0)

    def places():
        return view.page.mapTo(frame, QPoint(0, 0)), frame.height() - view.area.height()

    before = places()
    qtbot.waitUntil(frame.content.bar.isVisible)
    assert frame.state is FrameState.WORKING
    assert places() == before
    foot = frame.content.bar.mapTo(frame.content, QPoint(0, frame.content.bar.height()))
    assert foot.y() == frame.content.height()
    qtbot.mouseClick(frame.content.bar.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: frame.state is not FrameState.WORKING)
