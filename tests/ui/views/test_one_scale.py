"""Two pages beside each other: what both measure alike has the same ends on both."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import BarAxis, BarRow
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line
from explorer.ui.charts.limits import limits_of
from explorer.ui.matrices.barred_tokens import BarredToken, BarredTokens
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens, ShadeBar
from explorer.ui.views.one_scale import on_one_scale


def chart(top, **axes):
    x = np.array([0.0, top])
    line = Line("one", x, x, "accent")
    return Chart("title", "words", (line,), **{"x": Axis("layer"), "y": Axis("nats"), **axes})


def matrix(**scale):
    values = np.zeros((2, 2), np.float32)
    content = HeatContent(values, ("a", "b"), ("a", "b"), scale=Scale(**scale))
    return MatrixBlock(Matrix(content), CellSize(10, 20, 1, 10, 20))


def both(own, other):
    """What becomes of each beside the other."""
    return on_one_scale([own], [other])[0], on_one_scale([other], [own])[0]


def test_charts_reach_as_far_as_the_larger_one_in_both_directions():
    small, large = both(ChartBlock((chart(2.0),)), ChartBlock((chart(7.0),)))
    assert limits_of(small.charts[0]) == limits_of(large.charts[0])
    assert limits_of(large.charts[0]) == limits_of(chart(7.0))


@pytest.mark.parametrize(
    "other", [Axis("bits"), Axis("nats", logarithmic=True), Axis("nats", words=("a", "b"))]
)
def test_axes_that_measure_something_else_stay(other):
    own = ChartBlock((chart(2.0, x=Axis("one")),))
    (beside,) = on_one_scale([own], [ChartBlock((chart(7.0, y=other, x=Axis("two")),))])
    assert beside is own


def test_colours_have_one_scale_where_both_are_of_one_kind():
    weak, strong = both(matrix(high=0.5), matrix(high=2.0))
    assert weak.matrix.content.scale == strong.matrix.content.scale == Scale(2.0)
    about_zero = matrix(high=9.0, diverging=True)
    assert on_one_scale([weak], [about_zero])[0] is weak


def test_bars_in_cards_have_the_longer_axis_with_what_is_written_there():
    def cards(axis):
        return Columns((Card((BarTable((BarRow("a"),), axis=axis),), "name"),))

    short, long = both(cards(BarAxis(0.5)), cards(BarAxis(1.0, top_said="all", low=-1.0)))
    axes = [one.cards[0].blocks[0].axis for one in (short, long)]
    assert axes == [BarAxis(1.0, top_said="all", low=-1.0)] * 2
    dots = cards(BarAxis(1.0, powers=3))
    assert on_one_scale([short], [dots])[0] is short


def test_bars_of_tokens_stand_for_as_much():
    tokens = (BarredToken("a", 0, 3.0), BarredToken("b", 1, 9.0))
    own, other = BarredTokens(tokens[:1], 1.0), BarredTokens(tokens, 1.0)
    assert on_one_scale([own], [other]) == [replace(own, least=9.0)]
    assert on_one_scale([other], [own])[0].least == 3.0, "its own bars are longer"


def test_tokens_have_the_colour_of_the_stronger_page_and_say_so():
    def scored(high, **fields):
        token = ScoredToken("a", 0, share=1.0, number=str(high))
        tokens = (token, ScoredToken("[SEP]", 1))
        return [ScoredTokens(tokens, high=high), ShadeBar(high, **fields)]

    weak, strong = scored(1.5), scored(6.0)
    tokens, bar = on_one_scale(weak, strong)
    assert [one.share for one in tokens.tokens] == [0.25, None]
    assert [one.number for one in tokens.tokens] == ["1.5", ""]
    assert (tokens.high, bar.high) == (6.0, 6.0)
    assert all(one is its for one, its in zip(on_one_scale(strong, weak), strong, strict=True))
    # Shares of no number, as probabilities of labels, mean the same on every page.
    labels = [ScoredTokens((ScoredToken("a", 0, share=0.5),))]
    assert on_one_scale(labels, strong)[0] is labels[0]
    assert on_one_scale(weak, scored(9.0, is_signed=False))[1] is weak[1]


def test_a_page_with_fewer_blocks_leaves_the_others_as_they_are():
    own = [matrix(high=0.5), matrix(high=0.1)]
    first, second = on_one_scale(own, [matrix(high=1.0)])
    assert first.matrix.content.scale.high == 1.0
    assert second is own[1]
    assert on_one_scale(own, []) == own
