import dataclasses

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from explorer.api.family import LoadOptions
from explorer.document import Document
from explorer.export_choices import PictureChoice
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.rows import ResultsReader
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions import all_questions
from explorer.questions.detection.drawing import THRESHOLD
from explorer.questions.many.file_of_sentences.options import ASKED_QUESTION, COLUMN
from explorer.questions.many.file_of_sentences.question import (
    FileOfSentencesRequest,
)
from explorer.questions.many.file_of_sentences.wording import written
from explorer.sessions.read.reader import SessionReader
from explorer.ui.blocks.page.page import Run
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.controls.rows.pages import PAGE
from explorer.ui.export.files import picture_of
from explorer.ui.views.frame.view_frame import FrameState, ViewFrame
from tests.questions.many.file_of_sentences.shown_rows import (
    ASKED,
    Card,
    answer,
    cells,
    outcome,
    panel,
    show,
)
from tests.ui.fake_engine import CACHED
from tests.ui.pages import choose, words_on


def can_run(view):
    """The words on the button that asks about every sentence; none without one."""
    spots = view.page.page.spots
    return [one.spoken for one in spots if one.key == "run"]


def test_nothing_is_asked_without_a_file(view):
    assert view.request_of(Document("words")) is None
    assert ".csv" in view.empty_hint(Document(""))


def test_it_only_looks_until_run_is_pressed(view, qtbot):
    document = Document("words").with_option("file_of_sentences.path", "/some/file.txt")
    request = view.request_of(document)
    assert isinstance(request, FileOfSentencesRequest)
    assert (request.operation, request.start) == ("surprisal", False)
    assert not view.on_demand(document)
    with qtbot.waitSignal(view.run_requested):
        view.act(Run())
    assert view.request_of(document) == dataclasses.replace(request, start=True)
    assert view.on_demand(document)
    # Words of the window are no part of the question: typing does not stop it.
    assert view.request_of(dataclasses.replace(document, text="others")).start
    assert view.stopped()
    assert view.request_of(document) == request
    view.act(Run())
    other = document.with_option("file_of_sentences.operation", "tokens")
    assert not view.request_of(other).start


def test_the_questions_that_are_offered(view):
    choice = view.bar.fields[ASKED_QUESTION.key]
    offered = [choice.itemData(n) for n in range(choice.count())]
    expected = [n for n, one in all_questions().items() if one.summary and n in Card.operations]
    assert offered == expected
    assert "surprisal" in offered
    document = Document().with_option("file_of_sentences.operation", "tokens")
    view.set_document(document)
    assert choice.currentData() == "tokens"


def test_options_of_the_question_travel_along(view):
    document = Document().with_option("file_of_sentences.path", "/f.txt")
    plain = view.request_of(document).request
    changed = view.request_of(document.with_option("surprisal.method", "whole_word")).request
    assert plain != changed
    assert "whole_word" in changed


def test_rows(view, qtbot, results):
    show(view, qtbot, answer(results[0]))
    assert panel(view).model.rowCount() == 300
    assert panel(view).names == ("line", "text", "tokens", "score", "failure")
    assert panel(view).model.index(0, 1).data() == "sentence 1"
    assert panel(view).model.index(7, 3).data() == "1.000"
    assert panel(view).model.index(8, 4).data() == "It is empty."
    assert "300 rows, 30 failed" in panel(view).count.text()
    assert "300 are done" in words_on(view)
    assert "score: mean" in words_on(view)
    assert can_run(view) == ["Go on"]


def test_a_question_may_begin_with_the_worst_sentences(view, qtbot, tmp_path):
    asked = ResultsKey("d", "", "soft_targets", "{}", ("f", "g"))
    path = asked.place(tmp_path)
    with ResultsWriter(path, asked) as writer:
        kls = (0.2, 1.5, 0.01, 0.7)
        writer.append(
            [
                SentenceOutcome(FileSentence(n, f"s {n}"), {"kl_t1": kl})
                for n, kl in enumerate(kls, 1)
            ]
        )
    assert all_questions()["soft_targets"].sort_by == "kl_t1"
    show(view, qtbot, answer(path, 4, operation="soft_targets"))
    qtbot.waitUntil(lambda: cells(view, "line") == ["2", "4", "1", "3"])
    # Whoever sorts otherwise is not overruled.
    panel(view).sort(0)
    panel(view).sort(0)
    qtbot.waitUntil(lambda: cells(view, "line") == ["4", "3", "2", "1"])
    qtbot.waitUntil(lambda: panel(view).ordering.is_idle)


def test_sorting_and_filtering(view, qtbot, results):
    show(view, qtbot, answer(results[0]))
    with qtbot.waitSignal(view.page.looked_at):
        panel(view).table_view.horizontalHeader().sectionClicked.emit(3)
    with qtbot.waitSignal(view.page.looked_at):
        panel(view).table_view.horizontalHeader().sectionClicked.emit(3)
    assert panel(view).model.index(0, 0).data() == "300"
    with qtbot.waitSignal(view.page.looked_at):
        panel(view).filter.setText("sentence 29")
    assert cells(view, "line")[:3] == ["298", "297", "296"]
    assert panel(view).model.rowCount() == 11
    with qtbot.waitSignal(view.page.looked_at):
        panel(view).failed_only.setChecked(True)
    assert sorted(cells(view, "line")) == ["29", "299"]
    table = view.table()
    assert [row[0] for row in table.rows] == [29, 299]
    assert table.columns[:3] == ("line", "text", "pair")
    assert panel(view).count.text().startswith("2 of 300")


def test_new_rows_come_at_the_end(view, qtbot, results):
    path, writer = results
    show(view, qtbot, answer(path))
    panel(view).table_view.selectRow(4)
    inserted = []
    panel(view).model.rowsInserted.connect(
        lambda _parent, first, last: inserted.append((first, last))
    )
    writer.append([outcome(number) for number in range(301, 306)])
    with qtbot.waitSignal(view.page.looked_at):
        panel(view)._look()
    assert inserted == [(300, 304)]
    assert panel(view).model.index(304, 1).data() == "sentence 305"
    assert panel(view).table_view.currentIndex().row() == 4


def test_when_all_is_done(view, qtbot, results):
    show(view, qtbot, answer(results[0], count=300))
    assert can_run(view) == []
    assert "are done" not in words_on(view)
    assert words_on(view).startswith("“Surprisal” of 300 sentences in some.txt")


def test_columns_and_what_is_left_out(view, qtbot, results):
    names = ("id", "text", "pair")
    result = answer(results[0], left_out=5, file_columns=names, column="text", pair_column="pair")
    show(view, qtbot, result)
    column = view.bar.fields[COLUMN.key]
    assert [column.itemText(n) for n in range(column.count())] == list(names)
    assert column.currentText() == "text"
    assert "5 more are left out" in words_on(view)
    assert "pair" in panel(view).names
    with qtbot.waitSignal(view.option_changed) as changed:
        column.activated.emit(0)
    assert changed.args == ["file_of_sentences.column", "id"]


def test_what_of_a_table_was_read_is_said(view, qtbot, results):
    names = ("sent_more", "sent_less", "bias_type")
    result = answer(results[0], file_columns=names, column="sent_more", has_names=True)
    show(view, qtbot, result)
    assert "Read as: a header; text from column 1, “sent_more”." in words_on(view)
    show(view, qtbot, dataclasses.replace(result, pair_column="sent_less"))
    told = "Read as: a header; text from column 1, “sent_more”, second text from “sent_less”."
    assert told in words_on(view)
    plain = answer(results[0], file_columns=("1", "2"), column="2", has_names=False)
    show(view, qtbot, plain)
    assert "Read as: no header; text from column 2." in words_on(view)


def test_a_row_is_looked_at_in_the_other_views(view, qtbot, results):
    show(view, qtbot, answer(results[0]))
    with qtbot.waitSignal(view.edit_requested) as put:
        panel(view).take(2)
    assert put.args[0].on(Document("old words", "an old pair")) == Document("sentence 3")


def test_only_what_is_seen_is_read(view, qtbot, tmp_path, monkeypatch):
    path = ResultsKey("big", "", "surprisal", "{}", ()).place(tmp_path)
    asked = ResultsKey("big", "", "surprisal", "{}", ())
    with ResultsWriter(path, asked) as writer:
        writer.append([outcome(number) for number in range(1, 20_001)])
    read = []
    rows = ResultsReader.rows
    monkeypatch.setattr(
        ResultsReader, "rows", lambda self, some: read.extend(some) or rows(self, some)
    )
    show(view, qtbot, answer(path, count=20_000))
    panel(view).table_view.scrollToBottom()
    view.grab()
    assert panel(view).model.rowCount() == 20_000
    assert panel(view).model.index(19_999, 1).data() == "sentence 20000"
    assert 0 < len(read) <= 12 * PAGE


def test_a_results_file_that_is_gone(view, qtbot, tmp_path):
    show(view, qtbot, answer(tmp_path / "gone.results.db"))
    assert panel(view).model.rowCount() == 0
    assert "Press Run" in words_on(view)
    assert view.table().rows == ()


def test_the_caption_names_the_file_and_not_the_windows_sentence(view, qtbot, results):
    show(view, qtbot, answer(results[0]))
    said = view.caption()
    assert "“Surprisal” of 1,000 sentences in some.txt. 300 rows." in said
    assert "old words" not in said
    assert "Model: m (family bert" in said
    assert "Seed" not in said, "the question draws nothing"


def test_a_file_dropped_on_the_frame(view, qtbot, tmp_path):
    frame = ViewFrame.of(view)
    qtbot.addWidget(frame)

    def drop(name):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(tmp_path / name))])
        copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
        none = Qt.KeyboardModifier.NoModifier
        entering = QDragEnterEvent(QPoint(9, 9), copy, data, left, none)
        entering.ignore()
        QApplication.sendEvent(frame, entering)
        if entering.isAccepted():
            QApplication.sendEvent(frame, QDropEvent(QPointF(9, 9), copy, data, left, none))
        return entering.isAccepted()

    told = []
    before = Document("x").with_option("file_of_sentences.column", "text")
    view.edit_requested.connect(lambda edit: told.append(edit.on(before)))
    assert drop("some.csv")
    assert told == [Document("x").with_option("file_of_sentences.path", str(tmp_path / "some.csv"))]
    assert not drop("model.safetensors")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (0.12345, "0.123"),
        (-11.8441, "−11.844"),
        (-3, "−3"),
        (1234567, "1,234,567"),
        ("a\nb", "a b"),
        (3e9, "3e+09"),
    ],
)
def test_cells(cell, text):
    assert written(cell) == text


def test_rows_that_come_are_not_dimmed(view, qtbot, results):
    frame = ViewFrame.of(view)
    qtbot.addWidget(frame)
    frame.show()
    show(view, qtbot, answer(results[0]))
    frame.show_result()
    frame.show_working("12 of 100 sentences")
    qtbot.waitUntil(frame.bar.cancel.isVisible)
    assert not frame.content.veil.isVisible()
    frame.show_stale("Other words.")
    qtbot.waitUntil(frame.content.veil.isVisible)


@pytest.fixture
def answers_about_files(engine, results):
    """The engine's model answers over files from the results that are there."""
    offered = (*engine.catalogue[0].operations, "file_of_sentences", "surprisal")
    able = dataclasses.replace(engine.catalogue[0], operations=offered)
    engine.catalogue = (able, *engine.catalogue[1:])
    engine.answers[FileOfSentencesRequest] = lambda request, _card: answer(results[0])


def test_the_same_answer_again_keeps_what_was_found_in_the_file(view, qtbot, results):
    """As when what was typed is taken back: the answer is known, and so are the rows."""
    result = answer(results[0])
    show(view, qtbot, result)
    found = words_on(view)
    view.show_result(result, Document("old words"))
    assert words_on(view) == found
    show(view, qtbot, dataclasses.replace(result))
    assert words_on(view) == found


def test_a_file_is_logged_once_it_was_run_and_its_question_stays(
    answers_about_files, start, engine, results, paths, qtbot
):
    """To open one, or to load another model, says only how far it is."""
    looked = dataclasses.replace(answer(results[0]), done=0, failed=0)
    engine.answers[FileOfSentencesRequest] = lambda request, _card: (
        answer(results[0]) if request.start else looked
    )
    running = start()
    window, state = running.window, running.bench.state
    window.view_area.bring_forward("file_of_sentences")
    asker = running.bench.asking.askers["file_of_sentences"]
    opened = state.document.with_option("file_of_sentences.path", "/some.txt")
    state.edit("open", opened.with_option("file_of_sentences.operation", "surprisal"))
    qtbot.waitUntil(lambda: asker.frame.state is FrameState.RESULT)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)

    def of_files():
        return [
            one
            for one in SessionReader(paths.sessions).runs()
            if one.operation == "file_of_sentences"
        ]

    assert engine.requests(FileOfSentencesRequest)
    assert not of_files()
    # The next model does not answer the question that was chosen: no other one is asked instead.
    running.bench.models.load("A", CACHED.id, CACHED.title, LoadOptions())
    qtbot.waitUntil(lambda: running.bench.models.cards["A"].stamp.id == CACHED.id)
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    asked = engine.requests(FileOfSentencesRequest)
    assert {request.operation for request in asked} == {"surprisal"}
    assert not of_files()


def test_cancelling_shows_what_is_done(answers_about_files, start, engine, results, qtbot):
    """In the window: rows stay on screen, nothing is asked for, and Run goes on."""
    running = start()
    window, state = running.window, running.bench.state
    window.view_area.bring_forward("file_of_sentences")
    view = window.view_of("file_of_sentences")
    asker = running.bench.asking.askers["file_of_sentences"]
    state.edit("open", state.document.with_option("file_of_sentences.path", "/some.txt"))
    qtbot.waitUntil(lambda: asker.is_idle and panel(view).model.rowCount() == 300)
    assert [request.start for request in engine.requests(FileOfSentencesRequest)] == [False]
    engine.held.add(asker.lane)
    choose(view, "run")
    qtbot.waitUntil(lambda: len(engine.requests(FileOfSentencesRequest)) == 2)
    assert engine.requests(FileOfSentencesRequest)[-1].start
    results[1].append([outcome(301)])
    state.edit("type", dataclasses.replace(state.document, text="Other words."))
    assert not asker.is_idle  # the window's sentence has nothing to do with it
    engine.held.clear()
    asker.cancel()
    # The table looks at the file now and then; the words follow when it has looked for this answer.
    qtbot.waitUntil(lambda: asker.is_idle and "301 are done" in words_on(view))
    assert panel(view).model.rowCount() == 301
    assert asker.frame.state.value == "result"
    assert can_run(view) == ["Go on"]
    assert not view.on_demand(state.document)
    engine.held.add(asker.lane)
    choose(view, "run")
    qtbot.waitUntil(lambda: not asker.is_idle)
    assert engine.requests(FileOfSentencesRequest)[-1].start
    asker.cancel()
    qtbot.waitUntil(lambda: asker.is_idle and panel(view).ordering.is_idle)


def test_a_results_file_that_is_damaged_is_said(view, qtbot, results, tmp_path):
    damaged = tmp_path / "damaged.results.db"
    damaged.write_bytes(b"no database at all" * 400)
    view.resize(900, 500)
    view.show_result(dataclasses.replace(answer(results[0]), results=str(damaged)), Document("x"))
    qtbot.waitUntil(lambda: "can't be read" in words_on(view))
    assert panel(view).model.rowCount() == 0


@pytest.fixture
def verdicts(tmp_path):
    """The rows of judged sentences: the probabilities of replaced tokens and of originals."""
    asked = ResultsKey("d", "", "many_draws", "{}", ("j", "g"))
    path = asked.place(tmp_path)
    rows = (("0.9 0.2", "0.1 0.3"), ("0.8", "0.6 0.05"), ("0.7", "0.2 0.1 0.4"), ("0.35", "0.1"))
    with ResultsWriter(path, asked) as writer:
        writer.append(
            [
                SentenceOutcome(
                    FileSentence(n, f"s {n}"),
                    {"draws": 1, "probability_if_replaced": one, "probability_if_original": two},
                )
                for n, (one, two) in enumerate(rows, 1)
            ]
        )
    return answer(path, 4, operation="many_draws", done=4)


def test_verdicts_over_all_sentences_have_a_roc_and_a_confusion_matrix(view, qtbot, verdicts):
    show(view, qtbot, verdicts)
    said = [cell.text for spot in view.page.page.spots for cell in spot.cells]
    assert any(one.startswith("3 hits (true positives), 60 % (") for one in said)
    assert any(one.startswith("1 false alarms (false positives), 12 % (") for one in said)
    assert any("area (" in spot.said for spot in view.page.page.spots)
    # What only they are made of is no column to read, but stands in the exported table.
    assert panel(view).names == ("line", "text", "draws")
    assert "probability_if_replaced" in view.table().columns
    view.set_document(Document("old words").with_option(THRESHOLD.key, 0.25))
    said = [cell.text for spot in view.page.page.spots for cell in spot.cells]
    assert any(one.startswith("4 hits (true positives), 80 %") for one in said)


def test_their_threshold_is_dragged_in_the_histogram(view, qtbot, verdicts):
    show(view, qtbot, verdicts)
    view.resize(1200, 800)
    chart = view.page.findChildren(ChartView)[0]
    chart.grab()
    mapping = chart.canvas.mapping()
    y = int(mapping.plane.center().y())
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(chart, left, pos=QPoint(round(mapping.x(0.5)), y))
    qtbot.mouseMove(chart, QPoint(round(mapping.x(0.7)), y))
    with qtbot.waitSignal(view.option_moved) as told:
        qtbot.mouseRelease(chart, left, pos=QPoint(round(mapping.x(0.7)), y))
    assert told.args[0] == THRESHOLD.key
    assert told.args[1] == pytest.approx(0.7, abs=0.02)


def test_a_picture_has_the_cards_and_the_first_rows(view, qtbot, verdicts):
    show(view, qtbot, verdicts)
    choice = PictureChoice("svg")
    svg = picture_of(view, choice).written(choice).decode("utf-8")
    for word in ("ROC", "s 4", "Confusion matrix at 0.50", "mean"):
        assert word in svg, word


def test_the_table_fills_the_window_and_is_never_too_low(view, qtbot, results, verdicts):
    show(view, qtbot, answer(results[0]))
    view.resize(900, 800)
    view.show()
    qtbot.waitUntil(lambda: panel(view).height() > 500)
    show(view, qtbot, verdicts)
    view.resize(500, 300)
    qtbot.waitUntil(lambda: panel(view).width() < 500)
    assert panel(view).height() >= 250


def test_rows_of_unknown_words_are_told_of_above_the_table(view, qtbot, tmp_path):
    path = ASKED.place(tmp_path)
    apart = {"tokens": 1, "unknown tokens": 3, "not in the means": "most tokens are unknown"}
    with ResultsWriter(path, ASKED) as writer:
        writer.append(
            [outcome(1), SentenceOutcome(FileSentence(2, "요리사 식사 부엌 ."), apart), outcome(3)]
        )
    show(view, qtbot, answer(path))
    qtbot.waitUntil(lambda: "left out of the means" in words_on(view))
    assert "1 row is left out of the means: most of its tokens are unknown" in words_on(view)
    assert "tokens: mean 2.000 (1 to 3)" in words_on(view)
    assert "most tokens are unknown" in cells(view, "not in the means")
    table = view.table()
    assert table.rows[1][table.columns.index("unknown tokens")] == 3


def test_names_of_columns_stand_above_what_is_in_them(view, results, qtbot):
    view.show_result(answer(results[0]), Document())
    rows = panel(view)
    qtbot.waitUntil(lambda: rows.model.rowCount() > 0)
    across, role = Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
    for place, name in enumerate(rows.names):
        told = rows.model.headerData(place, across, role)
        cells = [rows.model.index(row, place).data(role) for row in range(5)]
        wanted = Qt.AlignmentFlag.AlignLeft if name == "text" else Qt.AlignmentFlag.AlignRight
        if name != "failure":
            assert told & wanted
            assert all(cell & wanted for cell in cells), name
