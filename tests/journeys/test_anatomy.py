"""What if, in the real window with the real engine: a slider is a question, and is on record."""

import pytest

from explorer.ui.blocks.sliders import Sliders
from tests.journeys.acting import SLOW, answered, newest

pytestmark = pytest.mark.usefixtures("warm_engine")


def test_a_slider_asks_the_engine_what_if(running, qtbot, paths):
    bench, window = running.bench, running.window
    qtbot.waitUntil(lambda: bench.checkpoints.find("bert-miniature") is not None, timeout=SLOW)
    window.view_area.bring_forward("architecture")
    view = window.view_of("architecture")

    def has_answered(then):
        return answered(running, qtbot, "architecture", lambda one: then(one.result)).result

    view.bar.fields["architecture.checkpoint"].chosen.emit("openai-community/gpt2")
    before = has_answered(lambda result: result.model.id == "openai-community/gpt2")
    assert before.changed is None
    view.bar.fields["architecture.page"].chosen.emit("what_if")
    (panel,) = view.page.findChildren(Sliders)
    panel.sliders["layers"].field.setValue(24)
    after = has_answered(lambda result: result.changed is not None)
    assert after.changed.parameters.backbone - 1536 == 2 * (before.parameters.backbone - 1536)
    assert not panel.sliders["embedding_size"].field.isEnabled()
    panel.sliders["hidden_size"].field.setValue(770)
    has_answered(lambda result: "12 heads" in result.refused)
    panel.sliders["hidden_size"].field.setValue(384)
    has_answered(
        lambda result: result.changed is not None and result.changed.blueprint.layers == 24
    )
    assert view.result.changed.blueprint.hidden_size == 384

    run = newest(paths, "architecture")
    assert run.request.what_if == (("hidden_size", 384), ("layers", 24))
    assert run.result.changed == view.result.changed
