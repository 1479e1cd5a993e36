"""A tokenizer is trained on a file in the real window, saved, and laid beside others."""

import pytest

from explorer.questions.tokenizers.train_tokenizer.options import ALGORITHMS, FILE, SHOW
from tests.journeys.acting import SLOW
from tests.ui.pages import choose

pytestmark = pytest.mark.usefixtures("warm_engine")

NAME = "train_tokenizer"
TEXT = "the gardeners cooked unbelievably"


def test_a_file_is_trained_on_saved_and_laid_side_by_side(running, qtbot, tmp_path):
    file = tmp_path / "garden.txt"
    file.write_text("the gardeners cooked in the garden\n" * 30, "utf-8")
    bench, window = running.bench, running.window
    bench.edits.type_text(TEXT, 0)
    bench.edits.set_option(ALGORITHMS.key, ["unigram"])
    bench.edits.set_option(SHOW.key, "unigram")
    bench.edits.set_option(FILE.key, str(file))
    window.view_area.bring_forward(NAME)
    view = window.view_of(NAME)
    qtbot.waitUntil(
        lambda: view.result is not None and view.result.missing == ("unigram",), timeout=SLOW
    )
    choose(view, "run")
    qtbot.waitUntil(lambda: bool(view.result.trained), timeout=SLOW)
    qtbot.waitUntil(lambda: bench.asking.is_idle, timeout=SLOW)
    (shown,) = view.result.cut.cuttings

    place = tmp_path / "mine"
    view.saves[0].begin(place)
    assert bench.state.stack.undoText() == "save a tokenizer"
    qtbot.waitUntil(lambda: bench.checkpoints.find(str(place)) is not None, timeout=SLOW)
    choose(view, "side_by_side")
    window.view_area.bring_forward("side_by_side")
    beside = window.view_of("side_by_side")

    def opened():
        cuttings = () if beside.result is None else beside.result.cuttings
        return [one for one in cuttings if one.checkpoint == str(place)]

    qtbot.waitUntil(lambda: len(opened()) == 1, timeout=SLOW)
    assert opened()[0].ids == shown.ids
