import math

import pytest

from explorer.learning.curves.names import OBJECTIVES
from explorer.published.training_figures import figures_of, training_figures


def test_each_figure_has_its_source_and_is_of_what_curves_are_of():
    for one in training_figures():
        assert one.objective in OBJECTIVES
        assert one.quantity in {"perplexity", "accuracy"}
        assert one.value > 1 if one.quantity == "perplexity" else 0 < one.value < 1
        assert one.source
        assert "checked" not in one.source
        year, month = map(int, one.date.split("-"))
        assert 2018 <= year <= 2026
        assert 1 <= month <= 12
    assert {one.is_checked for one in training_figures()} == {True, False}


def test_a_perplexity_is_a_loss_too():
    (one,) = figures_of([("perplexity", "next_word")])
    assert math.exp(one.loss) == pytest.approx(18.4)
    assert figures_of([("accuracy", "next_word")]) == ()
