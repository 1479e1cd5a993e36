"""Fine-tuning comes to what thirty lines of plain transformers and of peft come to."""

import dataclasses
import warnings

import numpy as np
import pytest
import torch

from explorer.api.question import UserMistake
from explorer.learning.runs.beginning import begun as started
from explorer.learning.training import rate
from explorer.learning.tuning.choices import ReadLayer, Tuned
from explorer.learning.tuning.judged import judge
from explorer.learning.tuning.models import merged
from explorer.learning.tuning.plan import TuningPlan
from explorer.paths import own_resources

BERT = str(own_resources() / "models" / "bert-miniature")
PLAN = TuningPlan(base=BERT, examples=40, epochs=2, batch=8, length=32)


def begun(**changed):
    return started(dataclasses.replace(PLAN, **changed))


def trained(run):
    losses = []
    while run.step < run.steps:
        losses.append(run.advance()["loss_classes"])
    return losses


def first_held_out(run, count):
    """The task with so many texts to be judged by."""
    texts = run.recipe.texts
    return dataclasses.replace(texts, held_out=texts.held_out[:count])


def plain_losses(model, tokenizer, run, plan):
    """The loop as anybody writes it."""
    texts = run.recipe.chosen
    decayed = [p for p in model.parameters() if p.requires_grad and p.ndim >= 2]
    others = [p for p in model.parameters() if p.requires_grad and p.ndim < 2]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}],
        lr=plan.rate,
        betas=(0.9, 0.98),
        eps=1e-6,
    )
    losses, step = [], 0
    for epoch in range(plan.epochs):
        order = np.random.default_rng((plan.seed, epoch)).permutation(len(texts))
        for start in range(0, len(order), plan.batch):
            chosen = [texts[at] for at in order[start : start + plan.batch]]
            read = tokenizer([one.text for one in chosen], padding=True, return_tensors="pt")
            for group in optimizer.param_groups:
                group["lr"] = rate(run.recipe.schedule, run.steps, step)
            torch.manual_seed(plan.seed * 1_000_003 + step)
            model.train()
            loss = model(**read, labels=torch.tensor([one.label for one in chosen])).loss
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            losses.append(loss.item())
            step += 1
    return losses


def plain_model():
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(PLAN.seed)
    model = AutoModelForSequenceClassification.from_pretrained(BERT, num_labels=2, dtype="float32")
    return model, AutoTokenizer.from_pretrained(BERT)


def test_a_run_equals_plain_transformers():
    run = begun()
    model, tokenizer = plain_model()
    # The same head, whatever transformers drew before it.
    model.load_state_dict(run.model.state_dict())
    wanted = plain_losses(model, tokenizer, run, PLAN)
    assert trained(run) == pytest.approx(wanted, abs=1e-3)
    shown = first_held_out(run, 50)
    texts, found = shown.held_out, judge(run.model, run.tokenizer, shown, 32)
    model.eval()
    with torch.no_grad():
        read = tokenizer([one.text for one in texts], padding=True, return_tensors="pt")
        told = model(**read).logits.softmax(-1).numpy()
    assert np.array(found.said) == pytest.approx(told, abs=1e-3)
    assert found.accuracy == np.mean(told.argmax(-1) == [one.label for one in texts])


def test_lora_equals_pefts_own():
    from peft import LoraConfig, TaskType, get_peft_model

    run = begun(tuned=Tuned.LORA, rank=4)
    model, tokenizer = plain_model()
    how = LoraConfig(
        task_type=TaskType.SEQ_CLS, r=4, lora_alpha=8, target_modules=["query", "value"],
        modules_to_save=["classifier"],
    )  # fmt: skip
    with warnings.catch_warnings(action="ignore"):
        model = get_peft_model(model, how)
    model.load_state_dict(run.model.state_dict())
    changed = {name for name, one in run.model.named_parameters() if one.requires_grad}
    assert changed == {name for name, one in model.named_parameters() if one.requires_grad}
    assert trained(run) == pytest.approx(plain_losses(model, tokenizer, run, PLAN), abs=1e-3)
    texts = first_held_out(run, 20)
    alone = judge(merged(run.model), run.tokenizer, texts, 32)
    together = judge(run.model, run.tokenizer, texts, 32)
    assert np.array(alone.said) == pytest.approx(np.array(together.said), abs=1e-5)
    assert type(merged(run.model)).__name__ == "BertForSequenceClassification"


@pytest.mark.parametrize(
    ("tuned", "changes"),
    [
        (Tuned.FEATURES, ("classifier.",)),
        (Tuned.LAST, ("classifier.", "bert.encoder.layer.3.", "bert.pooler.")),
    ],
)
def test_only_what_is_said_to_change_changes(tuned, changes):
    run = begun(tuned=tuned)
    before = {name: one.detach().clone() for name, one in run.model.named_parameters()}
    run.advance()
    run.advance()
    moved = {
        name for name, one in run.model.named_parameters() if not torch.equal(one, before[name])
    }
    assert moved
    assert all(name.startswith(changes) for name in moved)


def test_a_head_on_a_lower_layer_reads_its_states():
    run = begun(layer=ReadLayer.FIRST)
    assert run.model.config.num_hidden_layers == 1
    read = run.batches.batch(0)
    read = {name: one for name, one in read.items() if name != "labels"}
    whole = begun().model.eval()
    with torch.no_grad():
        states = whole.bert(**read, output_hidden_states=True).hidden_states[1]
        wanted = run.model.classifier(whole.bert.pooler(states))
        assert run.model.eval()(**read).logits.numpy() == pytest.approx(wanted.numpy(), abs=1e-5)


def test_lower_layers_learn_slower():
    run = begun(layer_decay=0.5, head_rate=10.0)
    scales = run.recipe.rate_scales
    assert scales["classifier."] == 10.0
    assert scales["bert.encoder.layer.3."] == 1.0
    assert scales["bert.encoder.layer.1."] == 0.25
    assert scales["bert."] == 0.5**4
    run.advance()
    rates = {id(p): group["lr"] for group in run.optimizer.param_groups for p in group["params"]}
    model = run.model
    lowest = rates[id(model.bert.embeddings.word_embeddings.weight)]
    assert rates[id(model.classifier.weight)] == pytest.approx(160 * lowest)


def test_the_best_reader_of_a_task_is_no_better_than_the_floor_says():
    run = begun(examples=64)
    row = run.recipe.measures(run).row(())
    assert row["floor"] == pytest.approx(run.recipe.texts.least_loss)
    assert row["accuracy_low"] < row["accuracy"] < row["accuracy_high"]
    assert row["excess"] == pytest.approx(row["loss"] - row["floor"], abs=1e-5)


def test_shared_layers_have_no_last_one():
    plan = dataclasses.replace(PLAN, base=BERT.replace("bert-min", "albert-min"), tuned=Tuned.LAST)
    with pytest.raises(UserMistake, match="share their weights"):
        started(plan)


def test_a_model_without_a_head_for_classes_is_refused(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "vit"}', "utf-8")
    with pytest.raises(UserMistake, match="can’t be fine-tuned"):
        started(dataclasses.replace(PLAN, base=str(tmp_path)))


def test_training_ends_when_held_out_texts_are_lost_more_on():
    run = begun(patience=1, epochs=6, rate=0.02)
    ended = []
    while run.step < run.steps:
        run.advance()
        if run.recipe.is_over(run):
            ended.append(run.step)
            break
    assert ended
    assert ended[0] % 5 == 0
    assert run.totals["best_epoch"] == ended[0] // 5 - 1
    # Its last frame says of each text what it says, as that of a run of all steps.
    row = run.recipe.measures(run).row(())
    assert len(row["said"]) == row["texts"]
