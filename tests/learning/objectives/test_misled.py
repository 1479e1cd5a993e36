"""The virtual adversarial loss of a plan, beside a second computation from its formula."""

import pytest
import torch
from torch.nn import functional

from explorer.learning.plan.choices import Fate, ModelFamily, Objective, PairObjective
from explorer.objectives import IGNORED
from tests.learning.tiny_plans import begun

STEP = 0.3


def _losses(run, batch):
    torch.manual_seed(5)
    return run.recipe.losses(run.model, batch)


def _by_hand(model, batch):
    """The loss of BERT from its tables on: no hook, and the change by a gradient of its own."""
    embeddings, asked = model.bert.embeddings, batch["labels"] != IGNORED
    places = torch.arange(batch["input_ids"].shape[1])
    tables = (
        embeddings.word_embeddings(batch["input_ids"])
        + embeddings.position_embeddings(places)
        + embeddings.token_type_embeddings(batch["token_type_ids"])
    )
    mean = tables.mean(-1, keepdim=True)
    own = (tables - mean) / (tables.var(-1, unbiased=False, keepdim=True) + 1e-7).sqrt()
    seen = batch["attention_mask"][:, None, None, :].bool()

    def log_shares(embedded):
        states = model.bert.encoder(embeddings.LayerNorm(embedded), seen).last_hidden_state
        return model.cls.predictions(states[asked]).log_softmax(-1)

    def apart(some, others):
        return ((some.exp() - others.exp()) * (some - others)).sum(-1).mean()

    torch.manual_seed(5)
    generator = torch.Generator().manual_seed(int(torch.randint(2**31, ())))
    begins = (torch.randn(own.shape, generator=generator) * 0.01).clamp(-0.02, 0.02)
    change = begins.clone().requires_grad_(True)
    clean = log_shares(own)
    apart(log_shares(own.detach() + change), clean.detach()).backward(inputs=[change])
    largest = change.grad.abs().amax(-1, keepdim=True)
    change = begins + STEP * change.grad / (largest + 1e-6 * largest.max())
    return apart(log_shares(own + change.detach()), clean)


def test_it_is_the_symmetric_divergence_where_embeddings_mislead(quiet_loading):
    run = begun(adversarial=2.0, adversarial_step=STEP, fate=Fate.MASK)
    batch = run.batches.batch(1)
    found = _losses(run, batch)["loss_adversarial"]
    found.backward()
    table = run.model.bert.embeddings.word_embeddings.weight
    gradient = table.grad.clone()
    run.model.zero_grad()
    expected = 2.0 * _by_hand(run.model, batch)
    expected.backward()
    assert float(found.detach()) == pytest.approx(float(expected.detach()), rel=1e-4)
    assert float(found.detach()) > 1e-3
    assert torch.allclose(gradient, table.grad, atol=1e-5)


def test_what_is_learnt_besides_is_the_same(quiet_loading):
    plain, told = (begun(pairs=PairObjective.ORDER, adversarial=one) for one in (0.0, 1.0))
    batch = plain.batches.batch(1)
    alone, both = _losses(plain, batch), _losses(told, batch)
    assert set(both) - set(alone) == {"loss_adversarial"}
    assert {name: float(both[name].detach()) for name in alone} == pytest.approx(
        {name: float(one.detach()) for name, one in alone.items()}, abs=1e-5
    )


@pytest.mark.parametrize("family", [ModelFamily.ALBERT, ModelFamily.ELECTRA])
def test_other_families_learn_so_too(family, quiet_loading):
    run = begun(family=family, adversarial=1.0)
    measured = [run.advance()["loss_adversarial"] for _step in range(2)]
    assert all(one > 0 for one in measured)


def test_a_change_that_misleads_moves_more_than_a_random_one(quiet_loading):
    from explorer.learning.batches.losses import encode, selected_states
    from explorer.objectives.adversarial.scale_invariant import symmetric_divergence

    run = begun(adversarial=1.0)
    batch, model = run.batches.batch(1), run.model
    norm, scores = model.bert.embeddings.LayerNorm, run.recipe.encoder().scores

    def answer(moved):
        def embed(_norm, inputs):
            own = functional.layer_norm(inputs[0], inputs[0].shape[-1:], eps=1e-7)
            drawn = torch.randn(own.shape, generator=torch.Generator().manual_seed(1))
            largest = drawn.abs().amax(-1, keepdim=True)
            return (own + moved * drawn / largest,)

        hook = norm.register_forward_pre_hook(embed)
        states = selected_states(encode(model, batch).last_hidden_state, batch)
        hook.remove()
        return scores(model, states)

    at_random = symmetric_divergence(answer(STEP), answer(0.0)).detach()
    misled = _losses(run, batch)["loss_adversarial"].detach()
    assert float(misled) > 2 * float(at_random)


def test_objectives_that_have_no_such_loss_leave_it_out(quiet_loading):
    run = begun(objective=Objective.REPLACED, adversarial=1.0)
    assert "loss_adversarial" not in run.advance()
