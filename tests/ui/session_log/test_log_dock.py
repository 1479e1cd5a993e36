import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.api.family import LoadOptions
from explorer.api.question import Blame, Failure
from explorer.questions.layers.layer_similarity.question import (
    QUESTION as LAYER_SIMILARITY,
)
from explorer.questions.layers.layer_similarity.question import LayerSimilarityRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.samples.samples import first_sample
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.records import LoggedRun
from explorer.text import Phrase
from explorer.ui.session_log.queries import PAGE, LogPage, LogQueries
from explorer.ui.session_log.table import ANSWER, MODEL, QUESTION, TEXT, LogModel
from explorer.ui.views.frame.view_frame import FrameState
from tests.ui.fake_engine import CACHED


@pytest.fixture
def log(running, qtbot):
    dock = running.window.log
    QTest.keyClick(running.window, Qt.Key.Key_F8)
    qtbot.waitUntil(dock.isVisible)
    qtbot.waitUntil(lambda: dock.model.rowCount() == 1)
    return dock


def texts(dock, column=TEXT):
    model = dock.model
    return [model.index(row, column).data() for row in range(model.rowCount())]


def ask_second(running, log, qtbot):
    running.bench.edits.toggle_mask(4, 8, 0)
    qtbot.waitUntil(lambda: log.model.rowCount() == 2)


def click(qtbot, log, row):
    place = log.table.visualRect(log.model.index(row, TEXT)).center()
    qtbot.mouseClick(log.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def double_click(qtbot, log, row):
    place = log.table.visualRect(log.model.index(row, TEXT)).center()
    click(qtbot, log, row)
    qtbot.mouseDClick(log.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_new_run_comes_on_top_by_itself(running, log, qtbot):
    ask_second(running, log, qtbot)
    assert texts(log) == [
        "the [chef] [cooked] the meal in the kitchen.",
        "the chef [cooked] the meal in the kitchen.",
    ]
    assert log.model.run_at(0).masks == 2
    assert texts(log, QUESTION) == ["Masked tokens"] * 2
    assert "“cooked” (50 %)" in texts(log, ANSWER)[0]


def test_the_keyboard_alone_finds_a_run_and_brings_it_back(running, log, qtbot):
    ask_second(running, log, qtbot)
    QTest.keyClick(
        running.window,
        Qt.Key.Key_F,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert log.filters.search.hasFocus()
    qtbot.keyClick(log.filters.search, Qt.Key.Key_Down)
    assert log.table.hasFocus()
    qtbot.keyClick(log.table, Qt.Key.Key_End)
    qtbot.keyClick(log.table, Qt.Key.Key_Down)
    assert log.chosen[0].masks == 1
    qtbot.keyClick(log.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: running.bench.state.document == first_sample().document())


def test_a_double_click_brings_document_and_result_back_without_asking(running, log, engine, qtbot):
    first = running.bench.asking.askers["masked_tokens"].view.result
    ask_second(running, log, qtbot)
    asker = running.bench.asking.askers["masked_tokens"]
    asker._answers._kept.clear()  # what is shown must come from the log
    asked = len(engine.requests(MaskedTokensRequest))
    double_click(qtbot, log, 1)
    qtbot.waitUntil(lambda: running.bench.state.document == first_sample().document())
    assert asker.frame.state is FrameState.RESULT
    assert asker.view.result == first
    assert asker.view.result is not first
    assert len(engine.requests(MaskedTokensRequest)) == asked
    assert log.table.currentIndex().row() == 1
    assert running.bench.state.stack.undoText().startswith("bring back 'the chef")
    running.bench.state.stack.undo()
    assert running.bench.state.document.is_masked(4, 8)
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    assert len(asker.view.result.masks) == 2
    assert not log.table.selectionModel().hasSelection()


def test_a_click_only_chooses(running, log, qtbot):
    """It put the text of then in place of the one that was being written."""
    ask_second(running, log, qtbot)
    before, undo = running.bench.state.document, running.bench.state.stack.undoText()
    assert not log.bring_back.isEnabled()
    click(qtbot, log, 1)
    assert [run.id for run in log.chosen] == [log.model.run_at(1).id]
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert running.bench.state.document == before
    assert running.bench.state.stack.undoText() == undo
    assert log.bring_back.isEnabled()
    qtbot.mouseClick(log.bring_back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: running.bench.state.document == first_sample().document())


def test_two_chosen_runs_are_not_brought_back(running, log, qtbot):
    ask_second(running, log, qtbot)
    log.table.selectAll()
    assert len(log.chosen) == 2
    assert not log.bring_back.isEnabled()


def test_masks_of_the_second_text_are_told_apart_too(running, log, qtbot):
    running.bench.edits.set_pair(True)
    running.bench.edits.type_text("it was good", 1)
    running.bench.edits.mask(7, 11, 1)
    qtbot.waitUntil(
        lambda: "the chef [cooked] the meal in the kitchen. | it was [good]" in texts(log)
    )


def test_a_run_on_other_sentences_names_no_text_of_the_window(running, log, qtbot):
    text = running.bench.state.document.text
    for asked, shown in (("", ""), (text, "the chef [cooked]")):
        run = LoggedRun(
            question=LAYER_SIMILARITY,
            document=running.bench.state.document,
            request=LayerSimilarityRequest(text=asked),
            result=None,
            models={},
            seed=0,
            duration=0.0,
            versions={},
            failure=Failure(Blame.USER, "It was stopped."),
        )
        rows = log.model.rowCount()
        running.bench.recording.record(run, lambda _id: None)
        qtbot.waitUntil(lambda rows=rows: log.model.rowCount() == rows + 1)
        assert texts(log)[0].startswith(shown)
        assert bool(texts(log)[0]) == bool(asked)


def test_editing_what_was_brought_back_asks_again(running, log, engine, qtbot):
    ask_second(running, log, qtbot)
    double_click(qtbot, log, 1)
    qtbot.waitUntil(lambda: running.bench.state.run_id != "")
    asked = len(engine.requests(MaskedTokensRequest))
    running.bench.edits.toggle_mask(0, 3, 0)
    qtbot.waitUntil(lambda: len(engine.requests(MaskedTokensRequest)) == asked + 1)
    assert running.bench.state.run_id == ""


def test_run_again_on_a_logged_run_asks_the_model(running, log, engine, qtbot):
    double_click(qtbot, log, 0)
    qtbot.waitUntil(lambda: running.bench.state.run_id != "")
    asked = len(engine.requests(MaskedTokensRequest))
    running.bench.asking.run_again()
    qtbot.waitUntil(lambda: len(engine.requests(MaskedTokensRequest)) == asked + 1)
    assert running.bench.state.run_id == ""


def test_another_models_run_offers_that_model(running, log, engine, qtbot):
    bench = running.bench
    bench.actions.load(bench.checkpoints.find("google-bert/bert-base-uncased"), "A")
    qtbot.waitUntil(lambda: log.model.rowCount() == 2)
    double_click(qtbot, log, 1)
    qtbot.waitUntil(lambda: bench.state.run_id != "")
    view = bench.asking.askers["masked_tokens"].view
    assert view.result.model.id == "bert-miniature"
    (told,) = running.window.notices.texts
    assert told.startswith("This is the answer of BERT miniature")
    running.window.notices.findChild(object, "notice_action_0").click()
    qtbot.waitUntil(lambda: bench.models.slots_of("bert-miniature") == ("A",))


def test_filters_by_text_question_and_model(running, log, qtbot):
    running.bench.edits.take_text("the teacher read the book", "a.txt")
    running.bench.edits.toggle_mask(12, 16, 0)
    qtbot.waitUntil(lambda: log.model.rowCount() == 2)
    log.filters.search.setText("teacher book")
    qtbot.waitUntil(lambda: texts(log) == ["the teacher [read] the book"])
    log.filters.search.setText("nothing like it")
    qtbot.waitUntil(lambda: log.model.rowCount() == 0)
    assert log.note.isVisible()
    assert log.note.text() == "No run matches the filter."
    log.filters.search.clear()
    qtbot.waitUntil(lambda: log.model.rowCount() == 2)
    assert [log.filters.question.itemData(i) for i in range(log.filters.question.count())] == [
        None,
        "masked_tokens",
    ]
    running.window.view_area.bring_forward("tokens")
    qtbot.waitUntil(lambda: log.model.rowCount() == 3)
    qtbot.waitUntil(lambda: log.filters.question.count() == 3)
    log.filters.question.setCurrentIndex(log.filters.question.findData("tokens"))
    log.filters.question.activated.emit(2)
    qtbot.waitUntil(lambda: texts(log, QUESTION) == ["Tokens"])
    log.filters.question.setCurrentIndex(0)
    models = log.filters.model_box
    assert [models.itemText(i) for i in range(models.count())] == ["All models", "BERT miniature"]
    log.filters.model_box.setCurrentIndex(log.filters.model_box.findData("bert-miniature"))
    log.filters.model_box.activated.emit(1)
    qtbot.waitUntil(lambda: log.model.rowCount() == 3)


def test_a_run_can_be_copied_and_exported(running, log, qtbot, qapp, tmp_path, monkeypatch):
    run = log.model.run_at(0)
    menu = log.menu_of(run)
    actions = {a.text(): a for a in menu.actions()}
    actions["Copy answer"].trigger()
    assert qapp.clipboard().text() == run.headline
    target = tmp_path / "run.csv"
    monkeypatch.setattr(
        running.window.commands.dialogs, "save", lambda _t, _n, _k, then, *_also: then(target)
    )
    actions["Export as CSV…"].trigger()
    qtbot.waitUntil(target.exists)
    lines = target.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].startswith("mask,rank,word")
    assert lines[1].split(",")[2] == "cooked"
    # The table alone; where it comes from stands beside it.
    beside = target.with_name("run.caption.txt")
    qtbot.waitUntil(beside.exists)
    assert "bert-miniature" in beside.read_text(encoding="utf-8")
    menu.deleteLater()


class Reader:
    def __init__(self, runs=()):
        self.all = list(runs)
        self.asked = []

    def runs(self, wanted=None, limit=PAGE, before=None):
        self.asked.append((wanted.search, before))
        if wanted.search == "broken":
            raise OSError("The disk is gone")
        start = 0
        if before is not None:
            start = 1 + next(i for i, run in enumerate(self.all) if run.id == before)
        return self.all[start : start + limit]

    def operations(self):
        return ["masked_tokens"]

    def model_ids(self):
        return ["m"]


def summary(number):
    from explorer.sessions.records import RunSummary

    return RunSummary(
        id=f"{number:06d}",
        session_id="S",
        created_at="2026-01-01T10:00:00.000Z",
        operation="masked_tokens",
        model_id="m",
        family="bert",
        text="t",
        masks=1,
        headline="h",
        duration=0.1,
        failed=False,
    )


def test_a_row_names_all_who_answered_by_their_titles(qapp):
    model = LogModel()
    both = replace(summary(1), played=("m", "org/other"))
    model.show_page(LogPage(RunFilter(), None, (both, summary(2))))
    first = model.index(0, MODEL)
    assert first.data() == "m, other"
    model.set_titles({"m": "Model M", "org/other": "Another one"})
    assert first.data() == "Model M, Another one"
    assert model.index(1, MODEL).data() == "Model M"


def test_older_runs_are_read_when_the_end_is_reached(qtbot, qapp):
    reader = Reader([summary(n) for n in range(PAGE + 30, 0, -1)])
    queries = LogQueries(reader)
    model = LogModel()
    queries.listed.connect(model.show_page)
    model.more_wanted.connect(lambda before: queries.list_runs(RunFilter(), before))
    queries.list_runs(RunFilter())
    qtbot.waitUntil(lambda: model.rowCount() == PAGE)
    assert model.canFetchMore()
    model.fetchMore()
    qtbot.waitUntil(lambda: model.rowCount() == PAGE + 30)
    assert not model.canFetchMore()
    queries.close()


def test_a_page_with_new_runs_keeps_the_rows_that_are_there(qapp, qtmodeltester):
    model = LogModel()
    old = [summary(n) for n in (3, 2, 1)]
    model.show_page(LogPage(RunFilter(), None, tuple(old)))
    resets = []
    model.modelReset.connect(lambda: resets.append(True))
    model.show_page(LogPage(RunFilter(), None, (summary(4), *old)))
    assert [model.run_at(i).id for i in range(4)] == ["000004", "000003", "000002", "000001"]
    assert resets == []
    qtmodeltester.check(model)


def test_only_the_newest_question_to_the_log_is_answered_and_failures_are_told(qtbot, qapp):
    reader = Reader([summary(1)])
    queries = LogQueries(reader)
    pages = []
    queries.listed.connect(pages.append)
    for search in ("a", "b", "c"):
        queries.list_runs(RunFilter(search))
    qtbot.waitUntil(lambda: len(pages) == 1)
    assert pages[0].wanted.search == "c"
    with qtbot.waitSignal(queries.failed) as told:
        queries.list_runs(RunFilter("broken"))
    assert "The disk is gone" in told.args[0].message
    queries.close()


def test_another_model_that_is_loaded_later_is_asked_instead_of_showing_the_logged_run(
    running, log, engine, qtbot
):
    bench = running.bench
    ask_second(running, log, qtbot)
    logged = log.model.run_at(1).id
    double_click(qtbot, log, 1)
    qtbot.waitUntil(lambda: bench.state.run_id == logged)
    document = bench.state.document
    asked = len(engine.requests(MaskedTokensRequest))
    bench.models.load("A", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: bench.models.cards["A"].stamp.id == CACHED.id)
    qtbot.waitUntil(lambda: bench.asking.is_idle)
    assert bench.state.run_id == ""
    assert bench.state.document == document
    assert len(engine.requests(MaskedTokensRequest)) == asked + 1
    assert bench.asking.askers["masked_tokens"].view.result.model.id == CACHED.id
    bench.state.stack.undo()
    assert bench.state.run_id == logged


def test_an_export_is_not_lost_to_a_click_that_follows(
    running, log, engine, qtbot, tmp_path, monkeypatch
):
    ask_second(running, log, qtbot)
    target = tmp_path / "run.csv"
    monkeypatch.setattr(
        running.window.commands.dialogs, "save", lambda _t, _n, _k, then, *_also: then(target)
    )
    menu = log.menu_of(log.model.run_at(0))
    {a.text(): a for a in menu.actions()}["Export as CSV…"].trigger()
    double_click(qtbot, log, 1)
    qtbot.waitUntil(target.exists)
    # The one that was clicked is shown, and not exported in its place.
    qtbot.waitUntil(lambda: running.bench.state.document == first_sample().document())
    rows = [line for line in target.read_text("utf-8-sig").splitlines() if line[:1].isdigit()]
    assert len({row.split(",")[0] for row in rows}) == 2  # of two masks
    menu.deleteLater()


def test_a_star_and_a_note_leave_selection_scrolling_and_older_pages(qapp, qtmodeltester):
    model = LogModel()
    first = [summary(n) for n in range(PAGE + 3, 3, -1)]
    model.show_page(LogPage(RunFilter(), None, tuple(first)))
    model.show_page(LogPage(RunFilter(), first[-1].id, tuple(summary(n) for n in (3, 2, 1))))
    resets, changed = [], []
    model.modelReset.connect(lambda: resets.append(True))
    model.dataChanged.connect(lambda top, bottom: changed.append((top.row(), bottom.row())))
    marked = replace(first[5], starred=True, note="look")
    again = (*first[:5], marked, *first[6:])
    model.show_page(LogPage(RunFilter(), None, again))
    assert (resets, changed) == ([], [(5, 5)])
    assert model.run_at(5) == marked
    assert model.rowCount() == PAGE + 3
    # With a new run on top at the same time.
    model.show_page(LogPage(RunFilter(), None, (summary(PAGE + 4), *first[:-1])))
    assert (resets, model.rowCount(), model.run_at(6)) == ([], PAGE + 4, first[5])
    qtmodeltester.check(model)


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("Pseudo-perplexity 24.76.", "Pseudo-perplexity 24.76 — worth a slide"),
        ("soup 0.31, tea 0.11", "soup 0.31, tea 0.11 — worth a slide"),
    ],
)
def test_a_note_goes_on_where_the_answer_ends(qapp, answer, line):
    model = LogModel()
    run = replace(summary(1), headline=Phrase(answer), note="worth a slide")
    model.show_page(LogPage(RunFilter(), None, (run,)))
    assert model.index(0, ANSWER).data() == line


def test_the_chosen_run_stays_chosen_when_it_is_starred(running, log, qtbot):
    ask_second(running, log, qtbot)
    double_click(qtbot, log, 1)
    qtbot.waitUntil(lambda: log.table.currentIndex().row() == 1)
    resets = []
    log.model.modelReset.connect(lambda: resets.append(True))
    running.window.log_actions.star(log.model.run_at(1).id, True)
    qtbot.waitUntil(lambda: log.model.run_at(1).starred)
    assert resets == []
    assert log.table.currentIndex().row() == 1


def test_what_is_worked_out_while_the_window_closes_is_told_to_nobody(running, qapp):
    """Who is told stands in the window, and that is gone by then."""
    worked, told = threading.Event(), []

    def work():
        worked.set()

    running.bench.queries.then(work, told.append)
    assert worked.wait(10)
    running.close()
    qapp.processEvents()
    assert told == []
