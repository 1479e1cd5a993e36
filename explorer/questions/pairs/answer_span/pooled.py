"""The page of a file of questions: what all answers say together."""

from collections.abc import Iterator

import numpy as np

from explorer.questions.pairs.answer_span.options import THRESHOLD
from explorer.questions.pairs.answer_span.pooling import Answerable
from explorer.text import _
from explorer.text.formatting.numbers import decimal, percent, whole
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Chart, Line, shares_chart


def pooled(found: Answerable, shown: Shown) -> Iterator[Block]:
    """How many answers are right, and whether questions without one are told from the others."""
    numbers = [
        Number(
            percent(found.exact, 1),
            _("exact match"),
            _("Without capitals, punctuation and articles (Rajpurkar et al. 2016, section 6.1)."),
        ),
        Number(
            percent(found.f1, 1),
            _("F1"),
            _("Over words; over characters where the right answers are Korean."),
        ),
        Number(whole(found.questions - found.without), _("questions with an answer")),
        Number(whole(found.without), _("without")),
    ]
    if found.area is None:
        yield Numbers(numbers)
        return
    share = found.right_at(float(shown.value(THRESHOLD)))
    numbers += [
        Number(decimal(found.area, 3), _("area under the ROC"), _("Chance has 0.5.")),
        Number(percent(share or 0.0, 1), _("told rightly to have an answer or none")),
    ]
    about = _("Unanswerable questions found, against answerable ones refused, at any threshold.")
    yield Columns(
        (
            Card((Numbers(numbers),), _("Right answers")),
            Card((ChartBlock((_curve(found, found.area, about),)), note(about)), _("ROC")),
        ),
        framed=False,
    )


def _curve(found: Answerable, area: float, about: str) -> Chart:
    alarms = np.array([point.false_alarm_rate for point in found.curve])
    hits = np.array([point.hit_rate for point in found.curve])
    return shares_chart(
        about,
        (Line("", alarms, hits, "bar", filled=True, marked=False),),
        _("answerable ones refused"),
        _("unanswerable ones found"),
        height=220.0,
        spoken=_("area under the curve {area}", area=decimal(area, 3)),
    )
