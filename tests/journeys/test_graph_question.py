"""A graph question in the program's own window, by a real engine: a path is cut and put back."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from explorer.files_of_sentences.rows import ResultsReader
from explorer.questions.knowledge.graph_question.options import CUT_PATHS, written
from explorer.questions.knowledge.graph_question.wording import path_said
from explorer.questions.many.file_of_sentences.options import ASKED_QUESTION as ASKED
from explorer.questions.many.file_of_sentences.options import FILE
from explorer.tour.hands import wait_until
from tests.journeys.acting import load, newest, take
from tests.ui.pages import spot, words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]
REASONER, ENCODER = "kagnet-miniature", "bert-miniature"
SAMPLE = "A house is built with what? By the paths of a graph"


@pytest.fixture
def hands(hands, running, qtbot):
    load(running, qtbot, A=REASONER, B=ENCODER)
    hands.settle()
    return hands


def said_on(view):
    """What a screen reader reads of the places of a page; nothing where there is none."""
    page = view.page.page
    return [] if page is None else [one.said for one in page.spots]


def test_a_path_is_cut_with_a_click_its_choice_falls_and_undo_brings_it_back(hands, paths, qtbot):
    bench = hands.window.bench
    view = take(hands, SAMPLE)
    before = view.result
    assert (before.model.id, before.encoder.id) == (REASONER, ENCODER)
    best = before.choices[before.best]
    assert best.text == "excavator"
    top = best.attended[0][1]
    row = ("graph_question.AttendedPath", path_said(top))

    place = spot(view, row).box.center().toPoint()
    qtbot.mouseClick(view.page, Qt.MouseButton.LeftButton, pos=place)
    hands.settle()
    wait_until(lambda: view.result is not before, "the answer without the path")
    hands.settle()
    after = view.result
    fallen = next(one for one in after.choices if one.text == best.text)
    assert fallen.score < best.score
    assert fallen.count == best.count - 1
    assert top.concepts not in {path.concepts for _share, path in fallen.attended}
    others = {one.text: one.score for one in before.choices if one.text != best.text}
    assert {one.text: one.score for one in after.choices if one.text != best.text} == others
    assert spot(view, written(top.concepts)).act is not None, "a chip puts it back"
    # What was cut is in what was asked, so that the log can ask it again as it was.
    assert newest(paths, "graph_question").request.cut_paths == (written(top.concepts),)

    bench.state.stack.undo()
    hands.settle()
    wait_until(lambda: view.result is not after, "the answer with the path")
    hands.settle()
    assert CUT_PATHS.of(bench.state.document) == ()
    assert view.result.choices == before.choices
    assert row in [one.key for one in view.page.page.spots]

    # A file of such questions, on the page of files, has the same answer in its row.
    file = paths.data / "questions.csv"
    file.write_text(
        "question,choices,answer\n"
        f"{bench.state.document.text},{'|'.join(one.text for one in before.choices)},excavator\n"
        f"{bench.state.document.text},{'|'.join(one.text for one in before.choices)},pan\n",
        "utf-8",
    )
    hands.window.view_area.bring_forward("file_of_sentences")
    bench.edits.set_option(ASKED.key, "graph_question")
    bench.edits.set_option(FILE.key, str(file))
    hands.settle()
    hands.run_if_asked("file_of_sentences")
    files = hands.window.view_of("file_of_sentences")
    accuracy = "answered rightly: 50.0 %"
    wait_until(lambda: accuracy in said_on(files), "the accuracy", seconds=30.0)
    words = words_on(files)
    assert "with the choices of “choices” after it" in words
    assert "is_right" not in words, "what rows keep for it is not told twice"
    reader = ResultsReader(Path(files.result.results))
    answered = [dict(zip(reader.columns, row, strict=True)) for row in reader.every()]
    assert [row["right"] for row in answered] == [1, 0]
    assert [row["score"] for row in answered] == pytest.approx([best.score] * 2, abs=1e-6)
