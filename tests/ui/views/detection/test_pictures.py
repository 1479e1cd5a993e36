"""Nothing is painted outside a picture, on screen or exported, and every curve is drawn."""

import json

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter

from explorer.numerics.pooled_curve import pooled_curve
from explorer.questions.detection.many_draws.question import Example, ManyDrawsResult, Place
from explorer.questions.detection.replaced_tokens import learning_curves as learning
from explorer.questions.detection.roc import roc_card
from explorer.questions.detection.wording import told
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.columns import Columns
from explorer.ui.theme.schemes import theme_of
from tests.ui.pages import kind_of, words_on
from tests.ui.views.detection.conftest import FILLER, JUDGE

WIDTHS = (340, 760, 1200)


def inked(paint, width, height, pad=30):
    """First and last column and row that are not empty, from the picture's corner."""
    theme = theme_of("light")
    image = QImage(int(width) + 2 * pad, int(height) + 2 * pad, QImage.Format.Format_RGB32)
    image.fill(theme.surface)
    painter = QPainter(image)
    painter.translate(pad, pad)
    paint(painter)
    painter.end()
    raw = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    different = raw != raw[0, 0]
    across, down = np.flatnonzero(different.any(0)), np.flatnonzero(different.any(1))
    return across[0] - pad, across[-1] - pad, down[0] - pad, down[-1] - pad


def is_whole(figure):
    left, right, top, bottom = inked(figure.paint, figure.width, figure.height)
    assert left >= -2
    assert top >= -2
    assert right <= figure.width + 2
    assert figure.height - 40 <= bottom <= figure.height + 2


@pytest.fixture
def pooled():
    draw = np.random.default_rng(1)
    truth = draw.random(300) < 0.2
    chances = np.where(truth, draw.random(300), draw.random(300) ** 3).astype(np.float32)
    curve, area = pooled_curve(chances, truth)
    example = Example(True, 0.1, "meal", "soup", ("the", "chef", "ate", "the", "soup"), 4, 3)
    return ManyDrawsResult(
        JUDGE, FILLER, chances, truth, np.arange(300, dtype=np.int32) % 2,
        (Place(1, "the"), Place(2, "chef")), (example,), (), 1, 60, 0, 90, 30, 1.5, 0.2,
        curve, area,
    )  # fmt: skip


@pytest.mark.parametrize("width", WIDTHS)
def test_the_loop(qtbot, judged, alone, document, width):
    view = kind_of("replaced_tokens")()
    qtbot.addWidget(view)
    for result in (judged, alone):
        view.show_result(result, document)
        is_whole(view.figure(width, theme_of("light")))


@pytest.mark.parametrize("width", WIDTHS)
def test_many_draws(qtbot, pooled, document, width):
    view = kind_of("many_draws")()
    qtbot.addWidget(view)
    view.show_result(pooled, document)
    is_whole(view.figure(width, theme_of("light")))
    assert "90 tokens were masked, 60 of them replaced" in words_on(view)
    assert "There are none." in words_on(view)
    spoken = [one.said for one in view.page.page.spots]
    assert "soup, in the place of meal 0.10: the chef ate the soup" in spoken
    counts = pooled.counts_at(0.5)
    cells = [cell.text for one in view.page.page.spots for cell in one.cells]
    share = 100 * counts.hits / counts.replaced
    assert f"{counts.hits} hits (true positives), {share:.0f} %" in cells
    assert told(counts)[0].text in view.stays.page.nodes[0].name


def test_the_parts_of_the_roc_card_stay_inside(qapp, judged):
    card = roc_card(judged.curve, judged.counts_at(0.5), 0.5)
    for width in (200, 260, 420):
        is_whole(page_of([Columns((card,))], width).figure(theme_of("light")))


RUN = {
    "steps": [10, 20, 30],
    "losses": {"generator": [0.5, 0.4, 0.3], "discriminator": [0.3, 0.2, 0.1]},
    "accuracy": {"recall": [None, 0.1, 0.4]},
    "pairs": {"steps": [15, 30], "accuracy": [0.6, 0.7]},
}
MASKED_RUN = {
    "steps": [10, 20, 30],
    "losses": {learning.MASKED: [5.0, 4.0, 3.0]},
    "pairs": {"steps": [15, 30], "accuracy": [0.55, 0.8]},
}


def test_curves_are_read_and_drawn(qapp, tmp_path):
    file = tmp_path / "electra.json"
    runs = {"shared": RUN, "separate": RUN, learning.MASKED: MASKED_RUN}
    file.write_text(json.dumps({"steps": 30, "chance": 0.5, "curves": runs}), "utf-8")
    read = learning.read_curves(file)
    assert [one.name for one in read.series("pairs", "accuracy")] == [
        "shared", "separate", learning.MASKED,
    ]  # fmt: skip
    assert [one.name for one in read.series("losses", "discriminator")] == ["shared", "separate"]
    assert read.series("losses", "generator")[0].points[0] == (10.0, 0.5)
    assert read.series("accuracy", "recall")[0].points == ((20.0, 0.1), (30.0, 0.4))
    for width in WIDTHS:
        page = page_of(list(learning.curve_blocks(read)), width)
        is_whole(page.figure(theme_of("light")))
    assert "shared" in page.nodes[0].name
    assert len(page.live) == 4
    # There is a card in each column, and none stops beside white space.
    assert max(one.box.right() for one in page.live) > 1200 - 20


@pytest.mark.parametrize(
    "content", [None, "{", '{"steps": 3}', '{"steps": 3, "chance": 0.5, "curves": {"shared": 1}}']
)
def test_curves_that_are_not_there_are_said_to_be_missing(qapp, tmp_path, content):
    file = tmp_path / "electra.json"
    if content is not None:
        file.write_text(content, "utf-8")
    assert learning.read_curves(file) is None
    (said,) = page_of(list(learning.curve_blocks(None)), 400).nodes
    assert said.name == learning.MISSING


def test_the_bundled_curves_are_read():
    file = learning.curves_file()
    read = learning.read_curves(file)
    page = json.loads(file.read_text("utf-8"))
    assert {one.name for one in read.series("pairs", "accuracy")} == set(page["curves"])
    shared = read.series("losses", "discriminator")[0]
    assert shared.points[-1][1] == page["curves"]["shared"]["losses"]["discriminator"][-1]
