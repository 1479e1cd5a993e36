"""When a number has done half of its way."""

import math

import numpy as np
import pytest

from explorer.over_steps.half import half_of, half_step
from explorer.over_steps.numbers import FollowedNumber, NumberColumn
from explorer.text import Phrase
from explorer.text.phrase import NOTHING

STEPS = np.array([0, 1, 10, 100, 1000])


def values(*each):
    return np.array(each, float)


def test_a_loss_above_its_floor_is_half_learnt_where_half_of_it_is_gone_for_good():
    assert half_step(STEPS, values(4, 1.9, 3, 1.5, 1), 0.0) == 100
    assert half_step(STEPS, values(4, 4, 4, 4, 2.1), 0.0) is None


def test_of_any_other_number_it_is_half_of_the_way_to_where_it_came_to():
    assert half_step(STEPS, values(0.1, 0.1, 0.2, 0.6, 0.9), None) == 100
    assert half_step(STEPS, values(5, 5, 5, 5, 5), None) is None


def test_steps_without_it_are_left_out():
    assert half_step(STEPS, values(math.nan, 4, math.nan, 2, 1), 0.0) == 100
    assert half_step(STEPS, values(math.nan, 4, *[math.nan] * 3), 0.0) is None


def test_over_seeds_the_steps_are_averaged_by_their_ratios_with_an_interval():
    column = NumberColumn("excess", Phrase("excess loss"), NOTHING, 0.0)
    number = FollowedNumber("excess", column, NOTHING, values())
    late, early = values(4, 4, 4, 2, 1), values(4, 4, 2, 2, 1)
    found = half_of(number, [(STEPS, late), (STEPS, early), (STEPS, late)])
    assert found.steps == (100, 10, 100)
    assert found.step == pytest.approx(10 ** (5 / 3))
    assert found.low < 10 < found.step < 100 < found.high
    never = half_of(number, [(STEPS, late), (STEPS, values(4, 4, 4, 4, 3))])
    assert (never.step, never.steps) == (None, (100, None))
