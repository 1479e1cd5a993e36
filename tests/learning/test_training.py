import dataclasses
import math

import pytest
import torch

from explorer.learning.recipe import Schedule
from explorer.learning.training import CheckpointError, TrainingCurve, TrainingRun, rate


def new_run(recipe, tokenizer, texts, steps=12, seed=3):
    torch.manual_seed(seed)
    model = recipe.make_model(tokenizer)
    return TrainingRun(recipe, model, recipe.make_batches(tokenizer, texts, seed), steps, seed)


def test_a_few_steps_lower_the_loss(small_recipe, tokenizer, texts):
    run = new_run(small_recipe, tokenizer, texts, steps=24)
    losses = [run.advance()["loss_mlm"] for _ in range(24)]
    assert losses[0] == pytest.approx(math.log(len(tokenizer)), abs=1.0), "uniform at first"
    assert sum(losses[-4:]) / 4 < losses[0] - 0.7


def test_a_resumed_run_has_the_weights_of_one_that_never_stopped(
    small_recipe, tokenizer, texts, tmp_path, capsys
):
    whole = new_run(small_recipe, tokenizer, texts)
    whole.curve.every = 3
    whole.train()
    assert "min left" in capsys.readouterr().err

    first = new_run(small_recipe, tokenizer, texts)
    first.curve.every = 3
    first.checkpoint = tmp_path / "run.pt"
    first.train(until=5)
    second = new_run(small_recipe, tokenizer, texts)
    second.curve.every = 3
    second.checkpoint = first.checkpoint
    second.resume()
    assert second.step == 5
    second.train()

    assert whole.step == second.step == 12
    for (name, one), other in zip(
        whole.model.state_dict().items(), second.model.state_dict().values(), strict=True
    ):
        assert torch.equal(one, other), name
    assert whole.curve.rows == second.curve.rows


def test_a_checkpoint_of_another_run_is_refused(small_recipe, tokenizer, texts, tmp_path):
    run = new_run(small_recipe, tokenizer, texts)
    run.checkpoint = tmp_path / "run.pt"
    with pytest.raises(CheckpointError, match="No checkpoint"):
        run.resume()
    run.save()
    other = new_run(small_recipe, tokenizer, texts, seed=4)
    other.checkpoint = run.checkpoint
    with pytest.raises(CheckpointError, match="seed is 3"):
        other.resume()


def test_rate_warms_up_and_falls_to_nothing():
    schedule = Schedule(steps=100, examples=1, documents=1, peak_rate=2.0, warmup=0.1)
    rates = [rate(schedule, 100, step) for step in range(100)]
    assert rates[0] == pytest.approx(0.2)
    assert max(rates) == rates[9] == rates[10] == 2.0
    assert rates[55] == pytest.approx(1.0, abs=0.02)
    assert rates[99] < 0.01
    assert rates[:10] == sorted(rates[:10])
    assert rates[10:] == sorted(rates[10:], reverse=True)


def test_cycles_follow_each_other_and_keep_their_shares():
    first = Schedule(steps=60, examples=1, documents=1, peak_rate=2.0, warmup=0.1)
    schedule = dataclasses.replace(first, steps=100, restarts=((60, 1.0),))
    rates = [rate(schedule, 100, step) for step in range(100)]
    assert rates[:60] == [rate(first, 60, step) for step in range(60)]
    assert max(rates[60:]) == 1.0
    shorter = [rate(schedule, 10, step) for step in range(10)]
    assert max(shorter[:6]) == 2.0
    assert max(shorter[6:]) == 1.0


def test_curve_rows_are_means():
    curve = TrainingCurve(every=2)
    assert curve.add(1, {"loss": 4.0, "extra": 1.0}) is None
    assert curve.add(2, {"loss": 2.0}) == {"step": 2.0, "loss": 3.0, "extra": 1.0}
    assert curve.add(3, {"loss": 1.0}) is None
    assert curve.add(4, {"loss": 1.0}) == {"step": 4.0, "loss": 1.0}
