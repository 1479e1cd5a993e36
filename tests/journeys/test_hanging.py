"""An engine that hangs, as a person meets it: told, ended, started again, and nothing is lost."""

import json
import os
import shutil
import signal
from dataclasses import replace

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from explorer.engine.configuration import EngineConfiguration
from explorer.engine.process import client
from explorer.engine.process.client import EngineProcess
from explorer.engine.process.watchdog import Patience
from explorer.paths import Paths
from explorer.tour.hands import wait_until
from explorer.ui.library.plugins.dialog import STATE
from explorer.ui.notices.notices import NoticeBar
from explorer.ui.notices.notifications import END_AND_START, HANGING
from explorer.ui.views.frame.view_frame import FrameState
from tests.journeys.acting import SLOW

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore(r"This plugin does not support propagateSizeHints\(\)"),
]

LEFT = Qt.MouseButton.LeftButton
TEXT = "The cook served the [MASK] to the guests."
SHORT = Patience(tick=0.25, unobeyed=1.0)
"""So that what is not obeyed is told of soon; how soon otherwise, the other tests hold."""
MANIFEST = """
id = "hanging"
title = "Hanging"
version = "1"
api = 2
model_types = ["hanging"]
"""
PLUGIN = """
import threading
from pathlib import Path

from explorer.hf import BERT_MASKED_LM, ClassChoice, TransformersFamily


def hang(*_arguments, **_options):
    Path(__file__).with_name("hangs").touch()
    threading.Event().wait()


class Family(TransformersFamily):
    def masked_lm_head(self, module):
        head = super().masked_lm_head(module)

        def answer(*arguments, **options):
            # On loading it is proved: what hangs there is another test's.
            if Path(__file__).with_name("is_loaded").exists():
                hang()
            return head(*arguments, **options)

        return answer


if "{hangs}" == "load":
    Family.load = hang
if "{hangs}" == "recognise":
    Family.recognise = hang
FAMILY = Family(
    id="hanging",
    title="Hanging",
    model_types=("hanging",),
    heads_known=(BERT_MASKED_LM,),
    classes=(ClassChoice("BertForMaskedLM", frozenset({{"masked_lm"}})),),
    prefix="bert",
    masked_lm_path="cls.predictions",
)
if "{hangs}" == "import":
    hang()
"""


@pytest.fixture
def write_plugin(paths, tmp_path):
    """A plugin of the user's that never returns from somewhere; gives a folder that it loads."""

    def write(hangs):
        plugin = paths.user_plugins / "hanging"
        plugin.mkdir(parents=True)
        (plugin / "plugin.toml").write_text(MANIFEST, encoding="utf-8")
        (plugin / "__init__.py").write_text(PLUGIN.format(hangs=hangs), encoding="utf-8")
        folder = tmp_path / "checkpoint"
        shutil.copytree(Paths.standard().bundled_models / "bert-miniature", folder)
        config = json.loads((folder / "config.json").read_text("utf-8"))
        tokenizer = folder / "tokenizer_config.json"
        tokens = json.loads(tokenizer.read_text("utf-8"))
        tokenizer.write_text(json.dumps({**tokens, "tokenizer_class": "BertTokenizer"}), "utf-8")
        config["model_type"] = "hanging"
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        return folder

    return write


@pytest.fixture
def start(paths, open_window):
    def open_on(patience=None):
        return open_window(patience and EngineProcess(EngineConfiguration.of(paths), patience))

    return open_on


def type_text(window, text):
    """Type while nothing answers."""
    editor = window.sentence.editors[0]
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, text)
    wait_until(lambda: window.bench.state.document.text == text, "the text to be taken")


def hangs_now(paths):
    """Whether the plugin has begun: what merely waits is cancelled at once."""
    return (paths.user_plugins / "hanging" / "hangs").exists


def end_it(window, qtbot, words=END_AND_START):
    """Press a button of the notice's once it is there; gives what the notice said."""

    def buttons():
        bar = window.notices.findChild(NoticeBar, f"notice_{HANGING}")
        found = [] if bar is None else bar.findChildren(QToolButton)
        return [button for button in found if button.text() == words]

    qtbot.waitUntil(lambda: HANGING in window.notices.keys and bool(buttons()), timeout=SLOW)
    said = window.notices.findChild(NoticeBar, f"notice_{HANGING}").notice.text
    (button,) = buttons()
    qtbot.mouseClick(button, LEFT)
    return said


def is_answered(running, text):
    view = running.window.view_of("masked_tokens")
    frame = running.bench.asking.askers["masked_tokens"].frame
    return (
        frame.state is FrameState.RESULT
        and view.result is not None
        and "".join(text.split()).lower().startswith(view.result.tokens[1].text)
        and running.bench.asking.is_idle
    )


def wait_for_the_new_one(running, qtbot, old):
    """Wait until another process has loaded the model again; then ask once more."""
    bench = running.bench
    qtbot.waitUntil(
        lambda: bench.bridge.latest_ready.pid != old and bool(bench.bridge.latest_ready.devices),
        timeout=SLOW,
    )
    qtbot.waitUntil(
        lambda: not bench.models.loading and not bench.checkpoints.is_listing, timeout=SLOW
    )
    assert bench.models.cards["A"].stamp.id == "bert-miniature"
    assert bench.state.document.text == TEXT
    assert HANGING not in running.window.notices.keys
    assert not psutil.pid_exists(old)
    running.window.menus.action("run_again").trigger()
    qtbot.waitUntil(lambda: is_answered(running, TEXT), timeout=SLOW)


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_a_stopped_engine_is_told_ended_and_started_again(start, qtbot):
    running = start(replace(SHORT, silent=3.0))
    old = running.bench.bridge.latest_ready.pid
    os.kill(old, signal.SIGSTOP)
    type_text(running.window, TEXT)
    said = end_it(running.window, qtbot)
    assert said.startswith("The engine has not answered for ")
    wait_for_the_new_one(running, qtbot, old)


@pytest.mark.parametrize("hangs", ["recognise", "import"])
def test_a_plugin_that_keeps_the_library_from_being_listed_is_switched_off(
    start, write_plugin, qtbot, paths, monkeypatch, hangs
):
    folder = write_plugin(hangs)
    # An engine of the window's own, which tells the next one what is switched off.
    monkeypatch.setattr(client, "Patience", lambda: replace(SHORT, looking=1.0))
    running = start()
    window, bench = running.window, running.bench
    old = bench.bridge.latest_ready.pid
    type_text(window, TEXT)
    qtbot.waitUntil(lambda: is_answered(running, TEXT), timeout=SLOW)
    bench.actions.open_path(folder, "B")
    wait_until(hangs_now(paths), "the plugin to hang")
    bench.checkpoints.refresh()
    plugins = window.commands.show_plugins()
    switch_off = "Switch off Hanging and start the engine again"
    said = end_it(window, qtbot, switch_off)
    assert said.startswith("The plugin Hanging has not answered for ")
    wait_for_the_new_one(running, qtbot, old)
    assert bench.settings_store.settings.disabled_plugins == ("hanging",)

    def rows():
        return plugins.tree.findItems("Hanging", Qt.MatchFlag.MatchExactly, 0)

    qtbot.waitUntil(lambda: [row.text(STATE) for row in rows()] == ["switched off"], timeout=SLOW)
    assert rows()[0].checkState(0) == Qt.CheckState.Unchecked
    assert not plugins.restart.isVisible()
    rows()[0].setCheckState(0, Qt.CheckState.Checked)
    assert plugins.restart.isVisible(), "it can be had again"


@pytest.mark.parametrize("hangs", ["import", "load"])
def test_a_plugin_that_never_returns_is_cancelled_by_ending_the_engine(
    start, write_plugin, qtbot, paths, hangs
):
    folder = write_plugin(hangs)
    running = start(SHORT)
    window, bench = running.window, running.bench
    old = bench.bridge.latest_ready.pid
    type_text(window, TEXT)
    qtbot.waitUntil(lambda: is_answered(running, TEXT), timeout=SLOW)
    bench.actions.open_path(folder, "B")
    wait_until(hangs_now(paths), "the plugin to hang")
    qtbot.waitUntil(window.status.stop.isVisible, timeout=SLOW)
    qtbot.mouseClick(window.status.stop, LEFT)
    assert "not stopped what was cancelled" in end_it(window, qtbot)
    wait_for_the_new_one(running, qtbot, old)
    assert "B" not in bench.models.cards
    assert not bench.bridge.busy


def test_a_handler_that_never_returns_is_cancelled_by_ending_the_engine(
    start, write_plugin, qtbot, paths
):
    folder = write_plugin("handler")
    running = start(SHORT)
    window, bench = running.window, running.bench
    old = bench.bridge.latest_ready.pid
    bench.actions.open_path(folder, "B")
    qtbot.waitUntil(lambda: "B" in bench.models.cards, timeout=SLOW)
    loaded = paths.user_plugins / "hanging/is_loaded"
    loaded.touch()
    bench.models.set_active("B")
    type_text(window, TEXT)
    wait_until(hangs_now(paths), "the plugin to hang")
    loaded.unlink()  # the next engine loads it anew
    window.menus.action("cancel").trigger()
    bench.models.set_active("A")
    assert "not stopped what was cancelled" in end_it(window, qtbot)
    wait_for_the_new_one(running, qtbot, old)
    assert bench.models.cards["B"].stamp.id == str(folder)


def test_the_menu_restarts_an_engine_that_is_well(start, qtbot):
    running = start()
    old = running.bench.bridge.latest_ready.pid
    type_text(running.window, TEXT)
    running.window.menus.action("restart_engine").trigger()
    wait_for_the_new_one(running, qtbot, old)
