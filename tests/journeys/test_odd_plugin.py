"""A plugin that does what it must not, in the program's own window with a real engine."""

import shutil

import pytest

from explorer.api.family import LoadOptions
from explorer.tour.hands import Hands, wait_until
from explorer.ui.views.frame.view_frame import FrameState
from tests import odd_plugin
from tests.hf import tiny

pytestmark = pytest.mark.usefixtures("warm_engine")


def put_into_cache(cache, folder, name):
    """As the hub's own library keeps what it downloaded."""
    place = cache / f"models--{name.replace('/', '--')}"
    snapshot = place / "snapshots" / ("0" * 40)
    shutil.copytree(folder, snapshot)
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("0" * 40, encoding="utf-8")


def test_a_row_that_a_plugin_spoils_does_not_end_the_window(
    paths, tmp_path, open_window, monkeypatch
):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    put_into_cache(tmp_path / "hub", tiny.save_bert(tmp_path / "bert"), "me/odd-bert")
    odd_plugin.write(paths.user_plugins, member="def architecture(self, config):\n    return 7")
    running = open_window(offline=True)
    wait_until(lambda: running.bench.checkpoints.find("me/odd-bert"), "the library")
    row = running.bench.checkpoints.find("me/odd-bert")
    assert row.problem == (
        "The plugin Odd breaks its contract: what architecture() returns is an int, not a text."
    )
    running.window.open_library()
    library = running.window.library
    library.filter_box.setText("odd-bert")
    assert library.tree.model().rowCount() == 1
    library.tree.grab()
    assert running.window.view_of("masked_tokens").has_result


SPOILS = ("none", "position outside", "exit", "interrupt")
HANDLER = """
from pathlib import Path
what = Path(__file__).with_name("what").read_text("utf-8")
""" + "\n".join(f"if what == {what!r}:\n    {odd_plugin.WRONG_ANSWERS[what]}" for what in SPOILS)


def test_a_wrong_answer_is_told_on_its_page(paths, tmp_path, open_window, subtests):
    folder = tiny.save_bert(tmp_path / "odd-bert")
    plugin = odd_plugin.write(paths.user_plugins, handler=HANDLER)
    running = open_window(offline=True)
    frame = running.window.view_area.frames["masked_tokens"]
    for number, what in enumerate(SPOILS):
        with subtests.test(what):
            (plugin / "what").write_text(what, encoding="utf-8")
            running.bench.models.load("A", str(folder), "odd", LoadOptions())
            wait_until(
                lambda: running.bench.models.cards["A"].stamp.family == "odd", "the odd model"
            )
            running.bench.edits.take_text(f"the [MASK] sat {number}", "odd.txt")
            Hands(running.window).settle()
            assert frame.state is FrameState.FAILED
            assert frame.failed_page.sentence.text().startswith("The plugin Odd ")
            # The engine lives, and answers what the plugin has no part in.
            running.bench.models.load("A", "bert-miniature", "BERT miniature", LoadOptions())
            wait_until(lambda: frame.state is FrameState.RESULT, "an answer of the miniature")
