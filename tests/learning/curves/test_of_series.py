"""The loss of a series of frames, from whatever its folder keeps of it."""

import json

import pytest

from explorer.learning.curves.of_series import loss_of_series
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.json_rows import write_rows
from explorer.learning.runs.run_folder import written_plan


@pytest.fixture
def folder(tmp_path):
    """Frames, the last of which has Trainer's log."""
    for step in (5, 10):
        (tmp_path / f"checkpoint-{step}").mkdir()
    return tmp_path


def trainer(folder, *history, architecture="BertForMaskedLM"):
    frame = folder / "checkpoint-10"
    (frame / "config.json").write_text(json.dumps({"architectures": [architecture]}))
    state = {"log_history": [*history], "global_step": 10}
    (frame / "trainer_state.json").write_text(json.dumps(state))


def test_what_keeps_no_loss_has_none(folder):
    assert loss_of_series(folder) is None
    trainer(folder)
    assert loss_of_series(folder) is None
    trainer(folder, {"step": 5, "learning_rate": 0.1})
    assert loss_of_series(folder) is None
    (folder / "checkpoint-10" / "trainer_state.json").write_text("{")
    assert loss_of_series(folder) is None


def test_trainers_log_has_a_loss_and_no_floor(folder):
    rows = [{"step": step, "loss": 3.0 / step, "eval_loss": 9.0} for step in (2, 5, 10)]
    trainer(folder, *rows, {"step": 10, "train_loss": 7.0, "train_runtime": 1.0})
    curve = loss_of_series(folder)
    assert (curve.steps, curve.values) == ((2, 5, 10), (1.5, 0.6, 0.3))
    assert (str(curve.of), curve.floor, curve.is_held_out) == ("masked words", None, False)
    assert loss_of_series(folder / "checkpoint-10") == curve
    assert [curve.at(step) for step in (1, 2, 4, 99)] == [None, (2, 1.5), (2, 1.5), (10, 0.3)]


def test_a_run_has_its_loss_on_held_out_places_and_their_floor(folder):
    from datetime import UTC, datetime

    trainer(folder, {"step": 5, "loss": 3.0})
    (folder / "plan.json").write_bytes(written_plan(TrainingPlan(), "0", datetime.now(UTC)))
    rows = [{"step": 10, "loss": 1.0, "floor": 0.25}, {"step": 0, "loss": 5.0, "floor": 0.25}]
    write_rows(folder / "measured.jsonl", [*rows, {"step": 11, "loss": None, "floor": None}])
    curve = loss_of_series(folder)
    assert (curve.steps, curve.values) == ((0, 10), (5.0, 1.0))
    assert (curve.floor, curve.is_held_out) == (0.25, True)
    write_rows(folder / "measured.jsonl", [{"step": 10}])
    assert loss_of_series(folder).values == (3.0,)
