import math

import pytest

from explorer.learning.measured.learnt import learnt_first, step_learnt

STEPS = (0, 10, 20, 40, 80, 160)


def test_the_first_step_from_which_on_little_is_left():
    assert step_learnt(STEPS, (5.0, 4.0, 1.0, 0.5, 0.3, 0.2)) == 40
    assert step_learnt(STEPS, (5.0, 0.1, 0.1, 0.1, 0.1, 0.1)) == 10
    assert step_learnt(STEPS, (5.0, 4.0, 1.0, 0.5, 0.3, 0.2), share=0.05) == 160


def test_a_dip_that_does_not_last_does_not_count():
    assert step_learnt(STEPS, (5.0, 0.2, 1.0, 0.6, 0.4, 0.3)) == 80


def test_what_is_never_learnt_or_was_known_has_no_step():
    assert step_learnt(STEPS, (5.0, 4.0, 3.0, 2.0, 1.0, 0.6)) is None
    assert step_learnt(STEPS, (0.0,) * 6) is None


@pytest.mark.parametrize("excess", [(), (1.0, 2.0)])
def test_a_value_is_needed_at_every_step(excess):
    with pytest.raises(ValueError, match="each of one or more steps"):
        step_learnt(STEPS if excess else (), excess)


def falling(half):
    return [5.0 * 0.5 ** (step / half) for step in STEPS]


def test_rules_come_in_the_order_in_which_they_are_learnt():
    run = STEPS, {"slow": falling(40), "quick": falling(3), "never": falling(1000)}
    found = learnt_first([run])
    assert [one.rule for one in found] == ["quick", "slow", "never"]
    assert [one.steps for one in found] == [(10,), (160,), (None,)]
    assert [one.step for one in found] == pytest.approx([10, 160, None])
    assert all(one.low is None and one.high is None for one in found)


def test_several_seeds_have_an_interval_unless_one_never_learns():
    runs = [(STEPS, {"a": falling(half), "b": falling(late)}) for half, late in
            ((3, 40), (6, 40), (12, 1000))]  # fmt: skip
    first, second = learnt_first(runs)
    assert first.steps == (10, 20, 40)
    assert first.step == pytest.approx(20.0)
    # Student's t of two degrees of freedom, at 95 %.
    reach = 4.302653 * math.log(2.0) / math.sqrt(3)
    assert first.low == pytest.approx(20.0 * math.exp(-reach), rel=1e-4)
    assert first.high == pytest.approx(20.0 * math.exp(reach), rel=1e-4)
    assert second.steps == (160, 160, None)
    assert (second.step, second.low, second.high) == (None, None, None)


def test_the_same_step_in_every_run_is_a_point():
    (only,) = learnt_first([(STEPS, {"a": falling(3)})] * 3)
    assert (only.step, only.low, only.high) == pytest.approx((10, 10, 10))
