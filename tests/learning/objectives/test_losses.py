"""The losses of each objective beside a second computation from its formula."""

import pytest
import torch
from torch.nn import functional

from explorer.learning.models.span_boundary import PLACES
from explorer.learning.plan.choices import Norms, Objective, Tables
from explorer.objectives import IGNORED
from tests.learning.tiny_plans import begun


def _measured(run, batch, seed=5):
    torch.manual_seed(seed)
    with torch.no_grad():
        return {name: float(value) for name, value in run.recipe.losses(run.model, batch).items()}


@pytest.mark.parametrize("norms", [Norms.PRE, Norms.POST])
def test_the_next_piece_as_transformers_has_it(norms, quiet_loading):
    run = begun(objective=Objective.CAUSAL, norms=norms)
    batch = run.batches.batch(1)
    with torch.no_grad():
        expected = run.model(input_ids=batch["input_ids"], labels=batch["labels"]).loss
    assert _measured(run, batch)["loss_next"] == pytest.approx(float(expected), abs=1e-6)


def test_dropped_spans_as_transformers_has_them(quiet_loading):
    run = begun(objective=Objective.DROPPED, selected=0.3)
    batch = run.batches.batch(1)
    with torch.no_grad():
        expected = run.model(**batch).loss
    assert _measured(run, batch)["loss_spans"] == pytest.approx(float(expected), abs=1e-6)
    read = batch["input_ids"][0][batch["attention_mask"][0].bool()].tolist()
    told = batch["labels"][0][batch["labels"][0] != IGNORED].tolist()
    first = run.batches.sentinels[0]
    assert first in read, "a sentinel stands where a span was"
    assert told[0] == first
    assert read[-1] == told[-1] == run.batches.end


@pytest.mark.parametrize("weight", [50.0, 1.0])
@pytest.mark.parametrize("tables", list(Tables))
def test_replaced_tokens_by_the_papers_sum(tables, weight):
    run = begun(objective=Objective.REPLACED, tables=tables, detection_weight=weight)
    run.advance()
    batch = run.batches.batch(2)
    found = _measured(run, batch)
    generator, discriminator = run.model["generator"], run.model["discriminator"]
    asked = batch["labels"] != IGNORED
    rest = {name: batch[name] for name in ("attention_mask", "token_type_ids")}
    with torch.no_grad():
        scores = generator(batch["input_ids"], **rest).logits[asked]
        torch.manual_seed(5)
        drawn = torch.multinomial(scores.softmax(-1), 1)[:, 0]
        tokens = batch["input_ids"].clone()
        tokens[asked] = drawn
        original = torch.where(asked, batch["labels"], batch["input_ids"])
        logits = discriminator(tokens, **rest).logits
    real = batch["attention_mask"].bool()
    chance = torch.sigmoid(logits[real])
    replaced = (tokens != original)[real].float()
    detected = -(replaced * chance.log() + (1 - replaced) * (1 - chance).log()).mean()
    guessed = functional.cross_entropy(scores, batch["labels"][asked])
    assert found["mlm_loss"] == pytest.approx(float(guessed), abs=1e-5)
    assert found["rtd_loss"] == pytest.approx(float(detected), abs=1e-5)
    assert found["loss"] == pytest.approx(float(guessed + weight * detected), abs=1e-3)


def test_tables_are_shared_as_they_say():
    shared = begun(objective=Objective.REPLACED).model
    separate = begun(objective=Objective.REPLACED, tables=Tables.SEPARATE).model
    apart = begun(objective=Objective.REPLACED, tables=Tables.DISENTANGLED)

    def words(model, half):
        return model[half].electra.embeddings.word_embeddings

    assert words(shared, "generator") is words(shared, "discriminator")
    assert not torch.equal(
        words(separate, "generator").weight, words(separate, "discriminator").weight
    )
    run = apart
    table, delta = words(run.model, "generator"), words(run.model, "discriminator")
    assert torch.equal(delta.weight, table.weight), "delta begins at nothing"
    run.advance()
    discriminator = run.recipe.parts(run.model)["-discriminator"]
    written = discriminator.electra.embeddings.word_embeddings.weight
    assert torch.equal(written, table.weight + delta.delta)
    assert not torch.equal(written, table.weight)


def test_the_generator_is_as_wide_as_the_plan_says():
    model = begun(objective=Objective.REPLACED, generator=0.25, width=32).model
    assert model["generator"].config.hidden_size == 8
    assert model["generator"].config.embedding_size == 32, "it reads the discriminator's table"


def test_span_boundaries_by_their_formula():
    run = begun(objective=Objective.BOUNDARY, selected=0.3)
    batch = run.batches.batch(0)
    found = _measured(run, batch)
    model, losses = run.model, []
    with torch.no_grad():
        states = model.bert(
            batch["input_ids"],
            attention_mask=batch["attention_mask"],
            token_type_ids=batch["token_type_ids"],
        ).last_hidden_state
        for row, labels in enumerate(batch["labels"].tolist()):
            for place, truth in enumerate(labels):
                if truth == IGNORED:
                    continue
                left = max(at for at in range(place) if labels[at] == IGNORED)
                right = min(at for at in range(place, len(labels)) if labels[at] == IGNORED)
                number = torch.tensor([min(place - left - 1, PLACES - 1)])
                told = model.sbo(
                    states[row, [left]],
                    states[row, [right]],
                    number,
                    model.get_input_embeddings().weight,
                )
                losses.append(-float(told.log_softmax(-1)[0, truth]))
    assert found["loss_sbo"] == pytest.approx(sum(losses) / len(losses), abs=1e-5)
    assert "loss_mlm" in found
