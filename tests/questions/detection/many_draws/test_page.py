"""What many draws say together, on screen and in pictures."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from explorer.numerics.evaluation.outcomes import Counts
from explorer.numerics.evaluation.roc import pooled_curve
from explorer.questions.detection.confusion import ConfusionBlock
from explorer.questions.detection.drawing import THRESHOLD
from explorer.questions.detection.many_draws.question import (
    ErrorExample,
    ManyDrawsResult,
    VerdictPlace,
)
from explorer.questions.detection.many_draws.sentence_line import SentenceLine
from explorer.questions.detection.wording import told
from explorer.ui.theme.schemes import theme_of
from tests.questions.detection.answers import FILLER, JUDGE
from tests.ui.pages import kind_of, words_on
from tests.ui.painted_texts import Recording
from tests.ui.whole import is_whole

WIDTHS = (340, 760, 1200)


@pytest.fixture
def pooled():
    draw = np.random.default_rng(1)
    truth = draw.random(300) < 0.2
    chances = np.where(truth, draw.random(300), draw.random(300) ** 3).astype(np.float32)
    curve, area = pooled_curve(chances, truth)
    example = ErrorExample(True, 0.1, "meal", "soup", ("the", "chef", "ate", "the", "soup"), 4, 3)
    return ManyDrawsResult(
        JUDGE, FILLER, chances, truth, np.arange(300, dtype=np.int32) % 2,
        (VerdictPlace(1, "the"), VerdictPlace(2, "chef")), (example,), (), 1, 60, 0, 90, 30, 1.5,
        0.2, curve, area,
    )  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
def test_many_draws(qtbot, pooled, document, width):
    view = kind_of("many_draws")()
    qtbot.addWidget(view)
    view.show_result(pooled, document)
    is_whole(view.figure(width, theme_of("light")))
    assert "Masked tokens: 90; replaced: 60;" in words_on(view)
    assert "There are none." in words_on(view)
    spoken = [one.said for one in view.page.page.spots]
    assert "soup, in place of meal 0.10: the chef ate the soup" in spoken
    counts = pooled.counts_at(0.5)
    cells = [cell.text for one in view.page.page.spots for cell in one.cells]
    share = 100 * counts.hits / counts.replaced
    assert f"{counts.hits} hits (true positives), {share:.0f} %" in cells
    assert told(counts)[0].text in view.stays.page.nodes[0].name


def test_the_table_counts_at_the_threshold_of_the_page(qtbot, pooled, document):
    view = kind_of("many_draws")()
    qtbot.addWidget(view)
    view.show_result(pooled, document)
    view.set_document(document.with_option(THRESHOLD.key, 0.2))
    counts = pooled.counts_at(0.2)
    assert counts != pooled.counts_at(0.5)
    everything = dict(zip(view.table().columns, view.table().rows[0], strict=True))
    assert everything["hits"] == counts.hits
    assert everything["misses"] == counts.misses
    assert everything["false_alarms"] == counts.false_alarms
    assert "Threshold = 0.2" in view.caption()


def test_a_picture_asks_nobody_to_drag(qtbot, pooled, document):
    view = kind_of("many_draws")()
    qtbot.addWidget(view)
    view.show_result(pooled, document)
    assert "drag the threshold" in words_on(view)
    assert "drag the threshold" not in words_on(view, alone=True)


@pytest.mark.parametrize("width", [215.0, 260.0, 600.0])
def test_an_error_and_the_matrix_are_told_whole_in_any_width(qapp, width):
    words = ("the", "chef", "prepared", "the", "meal")
    line = SentenceLine(words, 2, "cooked", 0.02)
    matrix = ConfusionBlock(Counts(57, 38, 18, 787))

    def painted(block):
        laid = block.at(width)
        image = QImage(round(width), round(laid.height), QImage.Format.Format_RGB32)
        painter = Recording(image)
        laid.paint(painter, theme_of("light"))
        painter.end()
        assert all(box.bottom() <= laid.height + 2 for box, _text in painter.texts)
        return " ".join(text for _box, text in painter.texts)

    assert painted(line).startswith("prepared, in place of cooked")
    assert painted(matrix).startswith("called replaced called original")
