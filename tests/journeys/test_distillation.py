"""A student and its teacher, from the library to the log: real window, real engine."""

import json

import numpy as np
import pytest

from explorer.paths import Paths
from explorer.sessions.read.reader import SessionReader
from tests.journeys.acting import SLOW, answered

pytestmark = pytest.mark.usefixtures("warm_engine")

TEXT = "I liked the movie that I watched yesterday. The movie was fun."
STUDENTS = ("distilbert-miniature", "tinybert-miniature", "mobilebert-miniature")
MODELS = Paths.standard().bundled_models


def test_compare_with_its_teacher_in_one_click(running, qtbot, paths):
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from explorer.document import Document
    from explorer.questions.distillation.soft_targets.targets import SoftTargetsResult

    bench, window = running.bench, running.window
    qtbot.waitUntil(lambda: bench.checkpoints.find(STUDENTS[1]) is not None, timeout=SLOW)
    start = TEXT.index("fun")
    bench.state.edit("film", Document(TEXT).with_mask(start, start + 3))
    window.open_library()
    window.library.choose(STUDENTS[1])
    assert window.library.with_teacher.isVisible()
    qtbot.mouseClick(window.library.with_teacher, Qt.MouseButton.LeftButton)
    view = answered(running, qtbot, "soft_targets")
    cards = bench.models.cards
    assert (cards["A"].stamp.id, cards["B"].stamp.id) == ("bert-miniature", STUDENTS[1])
    assert view.isVisible()
    (mask,) = view.result.masks
    assert mask.original.word == "fun"
    assert mask.rows[0].teacher_rank == 1

    # A temperature is drawn from what is there: nothing is asked, and the log stays as it is.
    reader = SessionReader(paths.sessions)
    runs = len(reader.runs())
    temperature = view.bar.fields["soft_targets.temperature"]
    temperature.slider.setValue(temperature.step_of(4.0))
    qtbot.waitUntil(lambda: bench.state.document.option("soft_targets.temperature") == 4.0)
    assert bench.asking.askers["soft_targets"].is_idle
    assert temperature.value() == 4.0
    assert len(reader.runs()) == runs
    bench.state.stack.undo()
    qtbot.waitUntil(lambda: temperature.value() == 1.0)

    # Words are a question of their own: the answer names the shares they hold.
    field = view.bar.fields["soft_targets.words"]
    field.setFocus()
    QTest.keyClicks(field, "boring, fun, happy, sad, heavy")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: view.result is not None and view.result.masks[0].only is not None, timeout=SLOW
    )
    assert "renormalised" in view.result.notes[0]
    spots = [spot for spot in view.page.page.spots if spot.key and spot.key[0] == "word"]
    assert [spot.key[-1] for spot in spots] == ["boring", "fun", "happy", "sad", "heavy"]
    taught = {spot.key[-1]: float(spot.cells[1].value.split()[0]) for spot in spots}
    assert max(taught, key=taught.get) == "fun"

    # The student and the teacher exchange their parts.
    view.bar.fields["distillation_losses.swapped"].click()
    qtbot.waitUntil(
        lambda: view.result is not None and view.result.model.id == STUDENTS[1], timeout=SLOW
    )
    assert view.result.other.id == "bert-miniature"
    answered(running, qtbot, "soft_targets")
    newest = reader.run(reader.runs()[0].id)
    assert newest.summary.operation == "soft_targets"
    assert isinstance(newest.result, SoftTargetsResult)
    np.testing.assert_array_equal(newest.result.masks[0].teacher, view.result.masks[0].teacher)


def test_losses_and_costs_of_the_pair(running, qtbot):
    from PySide6.QtWidgets import QDoubleSpinBox

    from explorer.api.family import LoadOptions
    from explorer.document import Document
    from explorer.questions.distillation.distillation_losses.settings import LossSettings
    from explorer.questions.distillation.distillation_losses.terms import terms

    bench, window = running.bench, running.window
    window.view_area.bring_forward("distillation_losses")
    frame = bench.asking.askers["distillation_losses"].frame
    qtbot.waitUntil(lambda: "Two models are compared" in frame.empty_page.sentence.text())
    bench.models.load("B", STUDENTS[1], "TinyBERT", LoadOptions())
    start = TEXT.index("fun")
    bench.state.edit("film", Document(TEXT).with_mask(start, start + 3))
    qtbot.waitUntil(lambda: "B" in bench.models.cards, timeout=SLOW)
    view = answered(running, qtbot, "distillation_losses")
    found = {term.key: term for term in terms(view.result, LossSettings())}
    assert view.result.layers.projection == "trained projection"
    assert found["tinybert_attention"].layers[0][:2] == (0, 1)
    # A layer that learned from a layer is nearer to it than to the others.
    for values in (view.result.layers.hidden_mse, view.result.layers.attention_mse):
        assert values[-1].argmin() == values.shape[1] - 1
    view.findChild(QDoubleSpinBox, "distillation_losses.weights.0").setValue(1.0)
    qtbot.waitUntil(
        lambda: bench.state.document.option("distillation_losses.weights") == [1.0, 2.0, 1.0]
    )
    assert bench.asking.askers["distillation_losses"].is_idle
    window.view_area.bring_forward("cost")
    cost = answered(running, qtbot, "cost")
    assert cost.result.smaller > 2
    assert cost.result.teacher.fastest > cost.result.student.fastest


@pytest.mark.parametrize("student", STUDENTS)
def test_a_student_is_nearer_to_its_teacher_than_one_that_trained_alone(student):
    """The figures of the student's folder, beside those of its rival where they are measured."""
    models = json.loads((MODELS / student / "comparison.json").read_text("utf-8"))["models"]
    for masked, figures in models["student"].items():
        alone = models["alone"][masked]
        assert figures["kl_t1"] < alone["kl_t1"]
        assert figures["kl_t2"] < alone["kl_t2"]
        assert figures["agreement"] > alone["agreement"]
