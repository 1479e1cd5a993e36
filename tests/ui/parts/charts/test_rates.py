"""The ROC and the reliability curve as parts, and what the answers of a file say as parts."""

import numpy as np
import pytest

from explorer.api.question import Amount, Amounts, Calibration, Pool, Roc
from explorer.api.question.parts.part import summary_of
from explorer.document import Document
from explorer.numerics.evaluation.calibration import reliability
from explorer.numerics.evaluation.roc import RocPoint, area_under, roc
from explorer.questions import all_questions
from explorer.text import N_, NN_
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Line, Points
from explorer.ui.parts.drawing import blocks_of
from explorer.ui.parts.looking import Looking

TEXT = Document("the chef cooked")


@pytest.fixture
def looking():
    question = all_questions()["many_draws"]
    return Looking(question, Shown(None, TEXT, TEXT))


@pytest.fixture
def curve():
    return roc([0.9, 0.8, 0.4, 0.1], [True, False, True, False])


def test_a_roc_has_a_row_a_threshold_and_its_area_in_the_summary(curve):
    part = Roc(curve, area_under(curve), N_("false alarms"), N_("hits"), "")
    assert part.table().columns == ("threshold", "false_alarm_rate", "hit_rate")
    assert part.table().rows[0][1:] == (0.0, 0.0)
    assert part.table().rows[-1][1:] == (1.0, 1.0)
    assert part.summary() == {"roc_area": pytest.approx(0.75)}


def test_a_roc_is_drawn_with_a_point_at_the_threshold_of_now(qapp, looking, curve):
    now = RocPoint(0.5, 0.5, 0.25)
    with_now = Roc(curve, 0.75, N_("false alarms"), N_("hits"), "", now, "Here")
    (block,) = blocks_of(with_now, looking)
    assert isinstance(block, ChartBlock)
    line, point = block.charts[0].series
    assert isinstance(line, Line)
    assert isinstance(point, Points)
    assert line.y.tolist() == [one.hit_rate for one in curve]
    assert (float(point.x[0]), float(point.y[0]), point.words) == (0.5, 0.25, ("Here",))
    (block,) = blocks_of(Roc(curve, 0.75, N_("false alarms"), N_("hits"), ""), looking)
    assert len(block.charts[0].series) == 1


def test_a_reliability_curve_says_of_each_bin_how_many_and_how_often(qapp, looking):
    found = reliability(np.array([0.95, 0.97, 0.61]), np.array([1.0, 0.0, 1.0]))
    part = Calibration(
        found, N_("confidence"), N_("accuracy"), NN_("{count} pair", "{count} pairs"), ""
    )
    rows = part.table().rows
    assert [row[2:] for row in rows] == [(1, 0.61, 1.0), (2, pytest.approx(0.96), 0.5)]
    (block,) = blocks_of(part, looking)
    points = next(one for one in block.charts[0].series if isinstance(one, Points))
    assert points.words[1] == "2 pairs from 0.93 to 1.00\nconfidence 0.960\naccuracy 0.500"
    assert points.words[0].startswith("1 pair from 0.60")


def test_what_a_file_says_together_follows_from_its_parts():
    def parts(found, threshold=0.5):
        return (Amounts((Amount("above", N_("above"), sum(one > threshold for one in found)),)),)

    pool = Pool(lambda _result: {}, (), list, parts=parts)
    assert pool.told_of([0.2, 0.6]) == {"above": 1}
    assert pool.told_of([0.2, 0.6], 0.1) == {"above": 2}
    assert summary_of(pool.parts_of([0.2, 0.6], {"threshold": 0.1, "top_k": 3})) == {"above": 2}
    numbers = Pool(lambda _result: {}, (), list, lambda found: {"all": len(found)}, parts=parts)
    assert numbers.told_of([0.2, 0.6]) == {"all": 2}
