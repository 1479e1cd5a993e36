"""The page of a file of sentences draws both reliability curves of all exact answers."""

import numpy as np
import pytest

from explorer.api.question import Context
from explorer.document import Document
from explorer.export_choices import PictureChoice
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.sentences import FileSentence
from explorer.questions.many.file_of_sentences.compute import run
from explorer.questions.many.file_of_sentences.panel import RowsPanel
from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest
from explorer.questions.masking.exact_answers.pooling import PlaceNumbers, gather, place_cells
from explorer.questions.masking.exact_answers.question import QUESTION
from explorer.ui.charts.chart_view import ChartView
from explorer.ui.export.files import picture_of
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, words_on

TEXTS = ("The chef flew the plane.", "The chef cooked the [MASK] in the kitchen.")


@pytest.fixture
def view(qtbot):
    made = kind_of("file_of_sentences")()
    qtbot.addWidget(made)
    made.resize(1200, 800)
    return made


def asked(tmp_path, texts=TEXTS):
    file = tmp_path / "world.txt"
    file.write_text("\n".join(texts), "utf-8")
    request = FileOfSentencesRequest(str(file), QUESTION.name)
    return run(miniature("bert-miniature"), request, Context(results=tmp_path / "results"))


def show(view, qtbot, result):
    with qtbot.waitSignal(view.page.looked_at):
        view.show_result(result, Document())
    qtbot.waitUntil(lambda: view.page.findChild(RowsPanel).ordering.is_idle)


def spoken(view):
    return " ".join(one.spoken for one in view.page.page.spots)


def test_a_mask_is_held_against_the_truth_alone(view, qtbot, tmp_path):
    show(view, qtbot, asked(tmp_path))
    assert len(view.page.findChildren(ChartView)) == 1
    said = words_on(view)
    assert "1 sentence without exact answers is left out" in said
    assert "calibration error" in spoken(view)


def test_words_are_held_against_the_text_too(view, qtbot, tmp_path):
    show(view, qtbot, asked(tmp_path, ["The chef cooked the meal in the kitchen."]))
    assert len(view.page.findChildren(ChartView)) == 2
    svg = picture_of(view, PictureChoice("svg")).written(PictureChoice("svg")).decode("utf-8")
    for word in ("Against the exact probability", "Against the words of the text", "floor"):
        assert word in svg, word


def test_the_chart_has_the_bins_on_their_places(view, qtbot, tmp_path):
    draw = np.random.default_rng(2)
    confidence = draw.beta(3, 1, 400)
    stands = draw.random(400) < confidence
    rows = [
        place_cells([PlaceNumbers(float(c), float(c) ** 2, bool(s), 0.1, 0.5)])
        for c, s in zip(confidence, stands, strict=True)
    ]
    key = ResultsKey("d", "", QUESTION.name, "{}", ("f",))
    result = asked(tmp_path)
    with ResultsWriter(key.place(tmp_path), key) as writer:
        writer.append(
            [SentenceOutcome(FileSentence(n, "A text."), row) for n, row in enumerate(rows, 1)]
        )
    changed = type(result)(
        **{**vars(result), "results": str(key.place(tmp_path)), "count": 400, "done": 400}
    )
    show(view, qtbot, changed)
    found = gather([tuple(row.values()) for row in rows])
    for chart, reliability in zip(
        view.page.findChildren(ChartView), (found.by_truth, found.by_text), strict=True
    ):
        points = chart.chart.series[-1]
        assert points.x.tolist() == [one.confidence for one in reliability.curve]
        assert points.y.tolist() == [one.accuracy for one in reliability.curve]
    assert "By chance alone" in words_on(view)
