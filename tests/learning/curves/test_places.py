"""Curves in the files of other people."""

import json
import math
from datetime import UTC, datetime

import numpy as np
import pytest

from explorer.files.foreign import Unfit
from explorer.learning.curves import columns, record
from explorer.learning.curves.names import MeasuredQuantity
from explorer.learning.curves.places import is_curve, read_curves_of, seed_in
from explorer.learning.plan.plan import TrainingPlan
from explorer.learning.runs.run_folder import written_plan

HISTORY = {
    "global_step": 20,
    "total_flos": 4e9,
    "log_history": [
        {"epoch": 0.5, "grad_norm": 2.0, "learning_rate": 1e-3, "loss": 3.0, "step": 10},
        {"epoch": 0.5, "eval_loss": 2.5, "eval_runtime": 0.5, "step": 10},
        {"epoch": 1.0, "grad_norm": 1.0, "learning_rate": 0.0, "loss": 2.0, "step": 20},
        {"epoch": 1.0, "step": 20, "train_loss": 2.5, "train_runtime": 9.0, "total_flos": 4e9},
    ],
}


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def values_of(found):
    return {
        one.column.name: (one.steps.tolist(), one.values.tolist())
        for one in found.columns
        if one.column.quantity is not MeasuredQuantity.OTHER
    }


def test_trainers_history_is_read_from_its_folder(tmp_path):
    written(tmp_path / "trainer_state.json", HISTORY)
    written(tmp_path / "config.json", {"architectures": ["BertForMaskedLM"]})
    (found,) = read_curves_of(tmp_path)
    assert values_of(found) == {
        "loss": ([10, 20], [3.0, 2.0]),
        "eval_loss": ([10], [2.5]),
        "grad_norm": ([10, 20], [2.0, 1.0]),
        "learning_rate": ([10, 20], [1e-3, 0.0]),
    }
    losses = [one.column for one in found.columns if one.column.quantity is MeasuredQuantity.LOSS]
    assert [(one.objective, one.held_out) for one in losses] == [
        ("masked_words", False),
        ("masked_words", True),
    ]
    assert found.paces["multiply_adds"].values.tolist() == [0.0, 2e9]


def test_the_last_checkpoint_has_the_whole_history(tmp_path):
    for step in (5, 20, 100):
        state = {"log_history": [{"loss": 1.0, "step": at} for at in range(step)]}
        written(tmp_path / f"checkpoint-{step}/trainer_state.json", state)
    (found,) = read_curves_of(tmp_path)
    assert found.steps == 99
    assert is_curve(tmp_path)


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_is_read_by_the_names_of_its_columns(tmp_path, mark):
    rows = [("step", "loss_mlm", "tokens"), (1, 3.5, 100), (2, "", 200), (3, 2.5, 300)]
    text = "\n".join(mark.join(map(str, row)) for row in rows)
    (found,) = read_curves_of(written(tmp_path / "bert-seed3.csv", text))
    assert values_of(found) == {"loss_mlm": ([1, 3], [3.5, 2.5])}
    assert found.paces["tokens"].values.tolist() == [100, 200, 300]
    assert found.seed == 3


def test_a_table_of_tensorboard_is_called_as_its_file(tmp_path):
    text = "Wall time,Step,Value\n1.7e9,10,3.5\n1.7e9,20,3.0\n"
    (found,) = read_curves_of(written(tmp_path / "train_loss.csv", text))
    assert values_of(found) == {"train_loss": ([10, 20], [3.5, 3.0])}


def test_a_run_here_says_its_seed_and_its_plan(tmp_path):
    lines = "".join(
        json.dumps({"step": n, "tokens": 9 * n, "losses": {"masked_words": 3.0 - n}}) + "\n"
        for n in (1, 2)
    )
    for seed in (1, 2):
        written(tmp_path / f"run{seed}/curve.jsonl", lines + '{"step": 3, "lo')
        plan = TrainingPlan(seed=seed, steps=7)
        content = written_plan(plan, "1.0", datetime(2026, 11, 29, tzinfo=UTC))
        written(tmp_path / f"run{seed}/plan.json", content.decode())
    first, second = read_curves_of(tmp_path)
    assert (first.seed, second.seed) == (1, 2)
    assert first.plan == second.plan != ""
    assert values_of(first) == {"losses/masked_words": ([1, 2], [2.0, 1.0])}


def test_what_is_no_number_is_left_out_and_told(tmp_path):
    text = "step,loss\n1,2.0\n2,nan\n3,inf\n4,1.0\n"
    (found,) = read_curves_of(written(tmp_path / "a.csv", text))
    assert values_of(found) == {"loss": ([1, 4], [2.0, 1.0])}
    (note,) = found.notes
    assert "2 of the values of “loss” are no finite numbers, the first at step 2" in note
    state = {"log_history": [{"loss": math.nan, "step": 1}, {"loss": 1.0, "step": 2}]}
    (trained,) = read_curves_of(written(tmp_path / "t/trainer_state.json", state))
    assert values_of(trained) == {"loss": ([2], [1.0])}


def test_very_many_rows_are_thinned_and_that_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(record, "MOST_POINTS", 100)
    monkeypatch.setattr(record.thinned, "__defaults__", (100,))
    count = 1050
    text = "step,loss\n" + "".join(f"{n},{n % 7}\n" for n in range(count))
    (found,) = read_curves_of(written(tmp_path / "a.csv", text))
    (one,) = found.columns
    assert len(one.values) <= 100
    assert one.every == 11
    assert one.values[0] == pytest.approx(np.mean([n % 7 for n in range(11)]))
    assert one.steps[-1] == count - 1
    assert "1,050 values; each point is the mean of 11" in found.notes[0]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("trainer_state.json", "{", "Expecting property name"),
        ("trainer_state.json", [1], "log_history"),
        ("trainer_state.json", {"log_history": "none"}, "log_history"),
        ("trainer_state.json", {"log_history": []}, "no column of numbers"),
        ("curve.json", {"rows": 3}, "rows"),
        ("a.jsonl", '{"step": 1}\n[2]\n', "line 2 is no object"),
        ("a.jsonl", "nonsense\n", "line 1 is no JSON"),
        ("a.csv", "", "no column of numbers"),
        ("a.csv", "step,words\n1,two\n", "no column of numbers"),
        ("a.csv", "a," * 300 + "\n1,2\n", "columns"),
        ("a.tfevents", "", "no event file"),
        ("a.tfevents", "x" * 40, "checksum"),
    ],
)
def test_a_broken_file_is_refused_in_a_sentence(tmp_path, name, content, why):
    path = written(tmp_path / name, content)
    with pytest.raises(ValueError, match=why):
        read_curves_of(path)


def test_bounds_hold(tmp_path, monkeypatch):
    monkeypatch.setattr(columns, "MOST_ROWS", 3)
    for name, content in (("a.csv", "loss\n" + "1\n" * 4), ("a.jsonl", '{"loss": 1}\n' * 4)):
        with pytest.raises(Unfit, match="more than 3 rows"):
            read_curves_of(written(tmp_path / name, content))


def test_a_folder_without_curves_says_what_is_looked_for(tmp_path):
    assert not is_curve(tmp_path)
    with pytest.raises(Unfit, match=r"trainer_state\.json"):
        read_curves_of(tmp_path)


def test_seeds_are_told_by_names():
    assert seed_in("bert-seed-3") == (3, "bert-")
    assert seed_in("bert_s2/run") == (2, "bert_/run")
    assert seed_in("steps10") == (None, "")
