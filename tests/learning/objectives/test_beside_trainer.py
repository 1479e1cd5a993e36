"""A run beside transformers' own Trainer, which is given the same batches."""

import contextlib
import io
import itertools

import pytest
import torch

from explorer.learning.batches.chunked import TrainingBatches
from explorer.learning.plan.choices import Objective, PairObjective
from explorer.learning.training import rate
from explorer.objectives import IGNORED
from tests.learning.tiny_plans import begun

STEPS = 12


class _Read(TrainingBatches):
    """Batches that both read; transformers' loss of pairs is no number where there are none."""

    def __init__(self, batches, *, pairs):
        every = (dict(batches.batch(step)) for step in range(64))
        paired = (
            one for one in every if not pairs or (one["next_sentence_label"] != IGNORED).any()
        )
        self.read = list(itertools.islice(paired, STEPS))

    def batch(self, step):
        return self.read[step]


def _of_trainer(run, folder):
    """Trainer's losses: its own loop, AdamW, decay and clipping; the rates are the plan's."""
    from transformers import Trainer, TrainingArguments

    schedule = run.recipe.schedule
    batches = run.batches.read
    args = TrainingArguments(
        output_dir=str(folder),
        max_steps=STEPS,
        per_device_train_batch_size=1,
        learning_rate=schedule.peak_rate,
        weight_decay=schedule.weight_decay,
        adam_beta1=schedule.betas[0],
        adam_beta2=schedule.betas[1],
        adam_epsilon=1e-6,
        max_grad_norm=schedule.clip,
        logging_steps=1,
        logging_nan_inf_filter=False,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
        dataloader_pin_memory=False,
        optim="adamw_torch",
    )
    trainer = Trainer(
        model=run.model,
        args=args,
        train_dataset=batches,
        data_collator=lambda rows: rows[0],
    )
    trainer._get_train_sampler = lambda *_: torch.utils.data.SequentialSampler(batches)
    # It would divide by the number of labels, the first ones among them, that nobody predicts.
    trainer.model_accepts_loss_kwargs = False
    trainer.create_optimizer()
    trainer.lr_scheduler = torch.optim.lr_scheduler.LambdaLR(
        trainer.optimizer, lambda step: rate(schedule, STEPS, step) / schedule.peak_rate
    )
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        trainer.train()
    return [row["loss"] for row in trainer.state.log_history if "loss" in row]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"pairs": PairObjective.ORDER},
        {"objective": Objective.CAUSAL},
        {"objective": Objective.DROPPED},
    ],
    ids=["masked", "pairs", "causal", "dropped"],
)
def test_losses_are_those_of_trainer(changed, tmp_path, quiet_loading):
    own, other = (begun(steps=STEPS, rate=0.01, **changed) for _ in range(2))
    own.batches = other.batches = _Read(own.batches, pairs="pairs" in changed)
    if own.recipe.rate_scales:
        own.recipe.rate_scales = {}
        own.__post_init__()
    theirs = _of_trainer(other, tmp_path)
    ours = [
        sum(value for name, value in own.advance().items() if name.startswith("loss"))
        for _ in range(STEPS)
    ]
    assert len(theirs) == STEPS
    assert ours == pytest.approx(theirs, abs=1e-4)
    assert sum(ours[-4:]) < sum(ours[:4]) - 0.2, "it has learnt something"
