"""The curves of bundled training runs: read, drawn inside their pictures, or said to be missing."""

import json

import pytest

from explorer.document import Document
from explorer.published import learning_curves as learning
from explorer.questions.detection.replaced_tokens.question import QUESTION
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import blocks_of_all
from explorer.ui.theme.schemes import theme_of
from tests.ui.whole import is_whole

WIDTHS = (340, 760, 1200)


def curve_blocks(curves):
    looking = Looking(QUESTION, Shown(None, Document(""), Document("")))
    return list(blocks_of_all(tuple(learning.curve_parts(curves)), looking))


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
        page = page_of(curve_blocks(read), width)
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
    (said,) = page_of(curve_blocks(None), 400).nodes
    assert said.name == learning.MISSING


def test_the_bundled_curves_are_read():
    file = learning.curves_file()
    read = learning.read_curves(file)
    page = json.loads(file.read_text("utf-8"))
    assert {one.name for one in read.series("pairs", "accuracy")} == set(page["curves"])
    shared = read.series("losses", "discriminator")[0]
    assert shared.points[-1][1] == page["curves"]["shared"]["losses"]["discriminator"][-1]
