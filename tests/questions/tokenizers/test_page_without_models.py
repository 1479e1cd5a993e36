"""Tokenizers are asked in the real window though no model is loaded."""

import pytest

from explorer.questions.tokenizers.merge_steps.question import MergeStepsRequest
from explorer.questions.tokenizers.side_by_side.question import SideBySideRequest
from explorer.sessions.read.reader import SessionReader
from explorer.ui.views.frame.view_frame import FrameState
from tests.stored_runs.recorded import FOLDER


@pytest.mark.parametrize(
    ("name", "kind"), [("side_by_side", SideBySideRequest), ("merge_steps", MergeStepsRequest)]
)
def test_they_answer_without_a_model(engine, running, qtbot, name, kind):
    reader = SessionReader(FOLDER / f"{name}-schema-5.db")
    (run,) = reader.runs()
    stored = reader.run(run.id)
    asked = []

    def answer(request, _card):
        asked.append(request)
        return stored.result

    engine.answers[kind] = answer
    bench = running.bench
    bench.models.unload("A")
    qtbot.waitUntil(lambda: "A" not in bench.models.cards)
    running.window.view_area.bring_forward(name)
    frame = bench.asking.askers[name].frame
    bench.edits.type_text("the chef cooked", 0)
    qtbot.waitUntil(lambda: frame.state is FrameState.RESULT and bool(asked))
    qtbot.waitUntil(lambda: asked[-1].text == "the chef cooked")
