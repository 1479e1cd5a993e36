import dataclasses
import errno
import json
import math
import shutil

import pytest
import torch

from explorer.api.question import MachineFault, UserMistake
from explorer.engine.library.pairing import other_halves
from explorer.learning.plan.choices import Objective, PairObjective
from explorer.learning.runs import one_run, run_folder
from explorer.learning.runs.one_run import FolderGone
from explorer.learning.runs.run_folder import finished_run
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import write_state
from tests.learning.runs.small_runs import (
    PLAN,
    curve_of,
    made,
    same_run,
    trained_here,
    trainings_in,
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that was never stopped."""
    one = made(trainings_in(tmp_path_factory.mktemp("whole")), name="one")
    ended, _ = trained_here(one)
    assert ended is RunStatus.DONE
    return one


def test_a_run_leaves_its_curve_and_its_frames_as_the_trainer_does(whole):
    rows = curve_of(whole)
    assert [row["step"] for row in rows] == list(range(1, 41))
    assert rows[0].keys() >= {"tokens", "multiply_adds", "rate", "gradient_norm", "loss_mlm"}
    assert rows[-1]["tokens"] > rows[0]["tokens"] > 0
    assert rows[-1]["loss_mlm"] < rows[0]["loss_mlm"]
    assert whole.frames == (0, 1, 2, 4, 8, 16, 32, 40)
    told = json.loads((whole.frame(40) / "trainer_state.json").read_text())
    assert told["global_step"] == told["max_steps"] == 40
    assert [row["step"] for row in told["log_history"]] == list(range(1, 41))
    assert told["log_history"][-1]["loss"] == rows[-1]["loss_mlm"]

    from transformers import AutoModelForMaskedLM, AutoTokenizer, TrainerState

    assert TrainerState.load_from_json(whole.frame(40) / "trainer_state.json").max_steps == 40
    model = AutoModelForMaskedLM.from_pretrained(whole.frame(40))
    assert model.config.hidden_size == 16
    assert AutoTokenizer.from_pretrained(whole.frame(40)).mask_token == "[MASK]"


def test_every_frame_is_measured_beside_the_floor(tmp_path):
    known, unknown = "the [MASK] cooked", "the [MASK] slept ."
    one = made(trainings_in(tmp_path), watched=(known, unknown, "no mask", "[MASK] " * 99))
    trained_here(one)
    rows = one.measured()
    assert [row["step"] for row in rows] == list(one.frames)
    assert len({row["floor"] for row in rows}) == 1
    assert all(row["excess"] == pytest.approx(row["loss"] - row["floor"], abs=2e-6) for row in rows)
    assert rows[-1]["excess"] < rows[0]["excess"]
    assert all(row["watched"].keys() == row["exact"].keys() == {known, unknown} for row in rows)
    nothing = {"words": [], "excess": None, "is_beginning": False}
    assert all(row["exact"][unknown] == [nothing] for row in rows)
    blanks = [blank for row in rows for blank in row["exact"][known]]
    assert len(blanks) == len(rows)
    assert len({str([word[:2] for word in blank["words"]]) for blank in blanks}) == 1
    assert blanks[-1]["excess"] < blanks[0]["excess"]
    assert rows[0]["rules"].keys() == rows[-1]["rules"].keys() != set()


def test_a_generator_lies_beside_its_discriminator(tmp_path):
    one = made(
        trainings_in(tmp_path), dataclasses.replace(PLAN, objective=Objective.REPLACED, steps=2)
    )
    trained_here(one)
    assert one.frames == (0, 1, 2)
    kinds = [
        json.loads((one.place / name / "config.json").read_text())["architectures"]
        for name in ("checkpoint-2", "checkpoint-2-generator")
    ]
    assert kinds == [["ElectraForPreTraining"], ["ElectraForMaskedLM"]]
    assert other_halves(str(one.frame(2))) == (str(one.place / "checkpoint-2-generator"),)
    assert one.measured()[-1]["excess"] > 0


def test_a_head_for_pairs_is_measured_beside_who_knows_the_grammar(tmp_path):
    plan = dataclasses.replace(PLAN, pairs=PairObjective.NEXT, steps=4)
    one = made(trainings_in(tmp_path), plan)
    trained_here(one)
    found = [row["pairs"] for row in one.measured()]
    assert len(found) == len(one.frames)
    assert len({row["floor"] for row in found}) == 1
    assert all(row["excess"] > 0.0 for row in found)
    assert all(row["accuracy"] < row["best_accuracy"] for row in found)


def test_the_card_says_what_it_was_trained_on(whole):
    card = (whole.frame(40) / "README.md").read_text()
    assert card.startswith("---\nlibrary_name: transformers\n---\n\n# one\n")
    assert "| Steps | 40 |" in card
    assert PLAN.to_json() in card
    assert "loss_mlm" in card


def paused_at(one, monkeypatch, step):
    """Have a person pause it after a step."""
    wanted = one_run.OneRun._wanted

    def ask(self):
        if self.run.step == step:
            (one.place / run_folder.ASKED).write_text("paused")
        return wanted(self)

    monkeypatch.setattr(one_run.OneRun, "_wanted", ask)


@pytest.mark.parametrize("step", [1, 19])
def test_a_paused_run_goes_on_to_the_digit(whole, tmp_path, monkeypatch, step):
    one = made(trainings_in(tmp_path))
    with monkeypatch.context() as patched:
        paused_at(one, patched, step)
        ended, work = trained_here(one)
    assert (ended, work.run.step) == (RunStatus.PAUSED, step)
    (one.place / run_folder.ASKED).unlink()
    # As a process leaves it that was killed while it wrote.
    with (one.place / run_folder.CURVE).open("a") as file:
        file.write('{"step":20,"loss_mlm":1.0}\n{"step":21,"lo')
    with (one.place / run_folder.MEASURED).open("a") as file:
        file.write('{"step":32}\n')
    shutil.copytree(one.frame(0), one.frame(32))
    (one.place / ".checkpoint-40.part").mkdir()
    assert trained_here(one)[0] is RunStatus.DONE
    same_run(whole, one)


def test_a_full_disk_leaves_the_state_of_before(tmp_path, monkeypatch):
    one = made(trainings_in(tmp_path))
    saves, save = [], torch.save

    def full(state, file, *arguments):
        saves.append(state["step"])
        if state["step"] == 8:
            file.write(b"half of it")
            raise OSError(errno.ENOSPC, "No space left on device")
        save(state, file, *arguments)

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(MachineFault, match=r"step 8 can't be kept \(No space left on device\)"):
        trained_here(one)
    monkeypatch.undo()
    assert saves[-1] == 8
    assert torch.load(one.place / "state.pt", weights_only=True)["step"] == 4
    assert not list(one.place.glob("*.partial"))
    assert trained_here(one)[0] is RunStatus.DONE


def test_a_loss_that_is_no_number_ends_the_run_and_names_the_best_frame(tmp_path):
    one = made(trainings_in(tmp_path))

    class Broken(one_run.OneRun):
        def _between(self, run, row):
            if run.step == 20:
                run.loss = math.nan
            return super()._between(run, row)

    with one.lock().acquire(timeout=5), pytest.raises(UserMistake, match="step 20") as caught:
        (work := Broken(one)).train()
    best = caught.value.values["best"]
    assert 20 not in [row["step"] for row in one.curve()]
    # As the process that trains writes it; the model is the best frame, and no teacher is made of
    # a run that did not come to its end.
    write_state(one, work.state.with_status(RunStatus.FAILED))
    left = {row["step"]: row["excess"] for row in one.measured()}
    assert best == min(left, key=lambda step: (left[step], -step))
    assert one.model == one.frame(best)
    assert finished_run(one.place.parent, one.plan) is None


def test_a_folder_that_is_moved_away_ends_the_run_quietly(tmp_path, monkeypatch):
    one = made(trainings_in(tmp_path))
    wanted = one_run.OneRun._wanted

    def move(self):
        if self.run.step == 5:
            one.place.rename(tmp_path / "elsewhere")
        return wanted(self)

    monkeypatch.setattr(one_run.OneRun, "_wanted", move)
    with pytest.raises(FolderGone):
        trained_here(one)


def test_another_plan_in_its_folder_is_told_of(tmp_path, monkeypatch):
    one = made(trainings_in(tmp_path))
    with monkeypatch.context() as patched:
        paused_at(one, patched, 4)
        trained_here(one)
    (one.place / run_folder.ASKED).unlink()
    other = dataclasses.replace(PLAN, seed=2)
    text = (one.place / run_folder.PLAN).read_text()
    told = json.loads(text) | {"plan": other.to_json()}
    (one.place / run_folder.PLAN).write_text(json.dumps(told))
    with pytest.raises(UserMistake, match="its plan is another one now"):
        trained_here(one)


def test_a_damaged_state_is_told_of(tmp_path):
    one = made(trainings_in(tmp_path))
    (one.place / "state.pt").write_bytes(b"nonsense")
    with pytest.raises(MachineFault, match="can't be read"):
        trained_here(one)
