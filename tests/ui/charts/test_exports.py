"""Pages with charts and matrices leave the program as lines and letters, in SVG and in PDF."""

import re

import numpy as np
import pytest

from explorer.document import Document
from explorer.export_choices import PictureChoice
from explorer.numerics.evaluation.roc import pooled_curve
from explorer.questions.detection.many_draws.question import ManyDrawsResult, VerdictPlace
from explorer.ui.export import files as export
from explorer.ui.theme.schemes import apply_theme, theme_of
from tests.questions.attention import answers as apart
from tests.questions.detection.answers import FILLER, JUDGE
from tests.questions.distillation import answers as distilled
from tests.ui.pages import kind_of


def pooled():
    draw = np.random.default_rng(1)
    truth = draw.random(300) < 0.2
    chances = np.where(truth, draw.random(300), draw.random(300) ** 3).astype(np.float32)
    curve, area = pooled_curve(chances, truth)
    return ManyDrawsResult(
        JUDGE, FILLER, chances, truth, np.zeros(300, dtype=np.int32),
        (VerdictPlace(1, "the"),), (), (), 1, 60, 0, 90, 30, 1.5, 0.2, curve, area,
    )  # fmt: skip


PAGES = {
    "soft targets": (
        kind_of("soft_targets"),
        distilled.soft,
        distilled.DOCUMENT,
        ("teacher 0.671 at T = 1", "temperature", "0.25", "Entropy (nats)"),
    ),
    "distillation_losses": (
        kind_of("distillation_losses"),
        distilled.losses,
        distilled.DOCUMENT,
        ("with T²", "10⁻⁴", "emb.", "0.67"),
    ),
    "disentangled_attention": (
        kind_of("disentangled_attention"),
        apart.disentangle_result,
        apart.DOCUMENT,
        ("position of the key minus position of the query", "c2p, content to position", "+8", "−8"),
    ),
    "query and key": (
        kind_of("query_key"),
        apart.query_key_result,
        apart.DOCUMENT,
        ("product", "dimension", "7", "2.44", "[MASK]", "0.66"),
    ),
    "heads switched off": (
        kind_of("head_ablation"),
        lambda: apart.switch_off_result([("encoder", 1, 1)]),
        apart.DOCUMENT,
        ("Encoder", "head →", "3"),
    ),
    "many draws": (
        kind_of("many_draws"),
        pooled,
        Document("The chef ate"),
        ("probability of replaced", "false alarms", "hits", "0.5", "originals"),
    ),
}


@pytest.fixture(params=PAGES, ids=list(PAGES))
def case(request, qtbot, qapp):
    apply_theme(qapp, "dark")
    kind, answer, document, words = PAGES[request.param]
    view = kind()
    qtbot.addWidget(view)
    view.show_result(answer(), document)
    return view, words


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_letters_and_shapes(case, scheme):
    view, words = case
    choice = PictureChoice("svg", dark=scheme == "dark")
    svg = export.picture_of(view, choice).written(choice).decode("utf-8")
    assert "<image" not in svg
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    for word in words:
        assert any(word in text for text in texts), word
    assert theme_of(scheme).muted.name() in svg


def test_a_page_in_pdf_has_fonts_and_no_pixels(case):
    view, _ = case
    choice = PictureChoice("pdf")
    pdf = export.picture_of(view, choice).written(choice)
    assert pdf.startswith(b"%PDF")
    assert b"/Font" in pdf
    assert b"/Subtype /Image" not in pdf


def test_a_threshold_is_dragged_in_the_histogram(qtbot, qapp):
    from PySide6.QtCore import QPoint, Qt

    from explorer.questions.detection.drawing import THRESHOLD
    from explorer.ui.charts.chart_view import ChartView

    view = kind_of("many_draws")()
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show_result(pooled(), Document("The chef ate"))
    view.show()
    chart = view.page.findChildren(ChartView)[0]
    chart.grab()
    mapping = chart.canvas.mapping()
    y = int(mapping.plane.center().y())
    qtbot.mousePress(chart, Qt.MouseButton.LeftButton, pos=QPoint(round(mapping.x(0.5)), y))
    qtbot.mouseMove(chart, QPoint(round(mapping.x(0.8)), y))
    with qtbot.waitSignal(view.option_moved) as told:
        end = QPoint(round(mapping.x(0.8)), y)
        qtbot.mouseRelease(chart, Qt.MouseButton.LeftButton, pos=end)
    assert told.args[0] == THRESHOLD.key
    assert told.args[1] == pytest.approx(0.8, abs=0.02)
    view.set_document(Document("The chef ate").with_option(THRESHOLD.key, told.args[1]))
    assert chart.canvas.marker.x == told.args[1]


def test_a_temperature_is_dragged_in_a_curve(qtbot, qapp):
    from PySide6.QtCore import QPoint, Qt

    from explorer.questions.distillation.soft_targets.question import TEMPERATURE
    from explorer.ui.charts.chart_view import ChartView

    view = kind_of("soft_targets")()
    qtbot.addWidget(view)
    view.resize(900, 700)
    view.show()
    view.show_result(distilled.soft(), distilled.DOCUMENT)
    charts = view.page.findChildren(ChartView)
    assert len(charts) == 4
    charts[0].grab()
    mapping = charts[0].canvas.mapping()
    y = int(mapping.plane.center().y())
    qtbot.mousePress(charts[0], Qt.MouseButton.LeftButton, pos=QPoint(round(mapping.x(1.0)), y))
    qtbot.mouseMove(charts[0], QPoint(round(mapping.x(4.0)), y))
    with qtbot.waitSignal(view.option_moved) as told:
        end = QPoint(round(mapping.x(4.0)), y)
        qtbot.mouseRelease(charts[0], Qt.MouseButton.LeftButton, pos=end)
    assert told.args[0] == TEMPERATURE.key
    assert told.args[1] == pytest.approx(4.0, rel=0.03)
    view.set_document(distilled.DOCUMENT.with_option(TEMPERATURE.key, 2.0))
    # All four show the temperature of now, without being made anew.
    assert view.page.findChildren(ChartView) == charts
    assert {one.chart.marker.x for one in charts} == {2.0}
