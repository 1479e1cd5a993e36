"""What if, in the real window with the real engine: a slider is a question, and is on record."""

import pytest

from explorer.program import Program
from explorer.questions.architecture.architecture.what_if.panel import WhatIfPanel
from explorer.sessions.read.reader import SessionReader

pytestmark = pytest.mark.usefixtures("warm_engine")

SLOW = 90_000


@pytest.fixture
def running(paths, qtbot):
    from explorer.app import Running

    made = Running(Program(paths))
    made.window.resize(1300, 900)
    made.show()
    qtbot.waitExposed(made.window)
    yield made
    made.close()


def test_a_slider_asks_the_engine_what_if(running, qtbot, paths):
    from explorer.ui.views.view_frame import FrameState

    bench, window = running.bench, running.window
    qtbot.waitUntil(lambda: bench.checkpoints.find("bert-miniature") is not None, timeout=SLOW)
    window.view_area.bring_forward("architecture")
    view = window.view_of("architecture")

    def answered(then):
        def is_so():
            asker = bench.asking.askers.get("architecture")
            shown = asker is not None and asker.frame.state is FrameState.RESULT
            return shown and bench.asking.is_idle and then(view.result)

        qtbot.waitUntil(is_so, timeout=SLOW)
        return view.result

    view.bar.fields["architecture.checkpoint"].chosen.emit("openai-community/gpt2")
    before = answered(lambda result: result.model.id == "openai-community/gpt2")
    assert before.changed is None
    view.bar.fields["architecture.page"].chosen.emit("what_if")
    (panel,) = view.page.findChildren(WhatIfPanel)
    panel.boxes["layers"].setValue(24)
    after = answered(lambda result: result.changed is not None)
    assert after.changed.parameters.backbone - 1536 == 2 * (before.parameters.backbone - 1536)
    assert not panel.boxes["embedding_size"].isEnabled()
    panel.boxes["hidden_size"].setValue(770)
    answered(lambda result: "12 heads" in result.refused)
    panel.boxes["hidden_size"].setValue(384)
    answered(lambda result: result.changed is not None and result.changed.blueprint.layers == 24)
    assert view.result.changed.blueprint.hidden_size == 384

    reader = SessionReader(paths.sessions)
    newest = reader.run(next(run.id for run in reader.runs() if run.operation == "architecture"))
    assert newest.request.what_if == (("hidden_size", 384), ("layers", 24))
    assert newest.result.changed == view.result.changed
