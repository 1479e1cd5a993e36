"""What several methods begin with is computed once, and anew for another query."""

import numpy as np
import pytest

from explorer.attribution.explained import ExplainedAnswer
from explorer.attribution.known import own_methods
from explorer.attribution.methods.gradients.gradient import gradient
from explorer.attribution.methods.gradients.gradient_x_input import gradient_x_input
from explorer.attribution.removals import without
from explorer.attribution.scoring import ScoresAsked, scored
from explorer.hf.attention.ports import EagerAttentions
from tests.questions.cause.test_removals import Short

torch = pytest.importorskip("torch")


@pytest.fixture
def counted(monkeypatch):
    """Count the calls of a method, which still does what it does."""

    def count(owner, name):
        calls, whole = [], getattr(owner, name)

        def called(self, *args, **kwargs):
            calls.append(args)
            return whole(self, *args, **kwargs)

        monkeypatch.setattr(owner, name, called)
        return calls

    return count


def test_one_gradient_serves_all_methods_that_take_it_at_the_text(counted):
    short = Short()
    calls = counted(ExplainedAnswer, "gradients")
    length = gradient(short.explained, short.own, short.units)
    times = gradient_x_input(short.explained, short.own, short.units)
    assert len(calls) == 1
    slope = short.explained.gradients(short.own[None])[0]
    for given, expected in (
        (length, slope.norm(dim=-1)),
        (times, (slope * short.own.double()).sum(-1)),
    ):
        own = [float(expected[list(unit)].sum()) for unit in short.units]
        assert given == pytest.approx(own)


def test_other_vectors_have_a_gradient_of_their_own():
    short = Short()
    first = short.explained.gradient(short.own)
    second = short.explained.gradient(short.baseline)
    assert torch.equal(second, short.explained.gradients(short.baseline[None])[0])
    assert not torch.equal(first, second)


def test_attention_is_captured_once_for_a_query(counted):
    short = Short()
    calls = counted(EagerAttentions, "capture")
    ways = "attention", "last_attention", "rollout"
    asked = ScoresAsked(short.explained, short.own, short.baseline, short.units)
    scores = [scored(own_methods()[way], asked).scores for way in ways]
    assert len(calls) == 1
    assert not any(np.allclose(one, scores[0]) for one in scores[1:])
    shorter = without(short.explained, short.units[0])
    stack = next(iter(shorter.attention().values()))
    assert len(calls) == 2
    assert len(stack.queries) == len(short.encoded.tokens) - 1
