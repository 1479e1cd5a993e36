import numpy as np
import pytest
import torch

from explorer.numerics.evaluation.link_prediction import Ranks, rank_of
from explorer.numerics.triples import Triples
from explorer.objectives.knowledge.transe import (
    Vectors,
    corrupted,
    distance,
    evaluate,
    margin_ranking_loss,
    train,
)

JOBS = Triples.of(
    [
        *((f"person {n}", "works as", f"job {n % 4}") for n in range(20)),
        *((f"job {n}", "uses", f"tool {n}") for n in range(4)),
    ]
)


def test_names_are_numbered_in_the_order_in_which_they_come():
    facts = Triples.of([("a", "likes", "b"), ("b", "sees", "a"), ("c", "likes", "b")])
    assert facts.entities == ("a", "b", "c")
    assert facts.relations == ("likes", "sees")
    assert facts.facts.tolist() == [[0, 0, 1], [1, 1, 0], [2, 0, 1]]
    assert len(Triples.of([])) == 0


@pytest.mark.parametrize("norm", [1, 2])
def test_a_distance_is_that_of_the_step_from_head_to_tail(norm):
    rng = np.random.default_rng(0)
    entities, relations = rng.normal(size=(5, 3)), rng.normal(size=(2, 3))
    facts = np.array([[0, 1, 4], [3, 0, 3]])
    plain = [
        np.linalg.norm(entities[h] + relations[r] - entities[t], ord=norm) for h, r, t in facts
    ]
    found = distance(*map(torch.tensor, (entities, relations, facts)), norm)
    assert found.numpy() == pytest.approx(np.array(plain))
    vectors = Vectors(entities.astype("f4"), relations.astype("f4"), norm)
    assert vectors.distances(0, 1, None)[4] == pytest.approx(plain[0], rel=1e-5)
    assert vectors.distances(None, 1, 4)[0] == pytest.approx(plain[0], rel=1e-5)


def test_the_loss_is_that_of_pytorch_and_zero_a_margin_apart():
    true, false = torch.tensor([1.0, 2.0, 0.5]), torch.tensor([3.0, 2.5, 0.1])
    theirs = torch.nn.functional.margin_ranking_loss(
        false, true, torch.ones(3), margin=1.0, reduction="sum"
    )
    assert margin_ranking_loss(true, false, 1.0).item() == pytest.approx(theirs.item())
    assert margin_ranking_loss(true[:1], false[:1], 1.0).item() == 0.0


def test_a_corrupted_fact_differs_at_one_end_and_is_not_true():
    facts = np.repeat(JOBS.facts, 20, axis=0)
    made = corrupted(JOBS, facts, np.random.default_rng(1))
    changed = made != facts
    assert not changed[:, 1].any()
    assert (changed.sum(axis=1) == 1).all()
    assert not {tuple(row) for row in made.tolist()} & JOBS.known
    assert 0.4 < changed[:, 0].mean() < 0.6


def test_ranks_leave_out_what_is_true_too_and_share_ties():
    far = np.array([0.1, 0.2, 0.3, 0.3, 0.9])
    assert rank_of(far, 1) == 2
    assert rank_of(far, 1, np.array([True, True, False, False, False])) == 1
    assert rank_of(far, 2) == 3.5
    ranks = Ranks(np.array([1.0, 2.0, 20.0]))
    assert ranks.mean == pytest.approx(23 / 3)
    assert ranks.reciprocal == pytest.approx((1 + 0.5 + 0.05) / 3)
    assert (ranks.hits(), ranks.hits(1)) == (pytest.approx(2 / 3), pytest.approx(1 / 3))


def test_training_puts_true_facts_first_and_is_the_same_again():
    losses = []
    vectors = train(
        JOBS, width=16, passes=150, batch=8, seed=3, told=lambda _, loss: losses.append(loss)
    )
    ranks = evaluate(vectors, JOBS, JOBS.facts)
    # By chance the mean rank is about half of the 28 entities.
    assert ranks.mean < 2
    assert ranks.hits() == 1.0
    assert losses[-1] < losses[0] / 5
    assert np.allclose(np.linalg.norm(vectors.entities, axis=1), 1, atol=1e-5)
    again = train(JOBS, width=16, passes=150, batch=8, seed=3)
    assert (again.entities == vectors.entities).all()
