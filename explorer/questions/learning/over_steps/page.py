"""Curves over steps on screen: a point puts the model to its step."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from explorer.api.question import Entry, ModelCard
from explorer.document import Document
from explorer.questions.learning.over_steps.casting import asked_of, offered_by, question_asked
from explorer.questions.learning.over_steps.drawing import (
    StepAxis,
    StepDrawing,
    StepPanel,
    axis_of,
    panels_of,
)
from explorer.questions.learning.over_steps.options import ALIKE, ASKED_QUESTION, AXIS, BAND, SHOWN
from explorer.questions.learning.over_steps.question import QUESTION, OverStepsResult
from explorer.text import _, said
from explorer.text.formatting.numbers import significant, whole
from explorer.ui.blocks import (
    Block,
    Chart,
    ChartBlock,
    Load,
    Marker,
    Offer,
    Page,
    Points,
    Shown,
    page_of_parts,
)

RADIUS = 3.5
"""Of a point, in pixels."""


def offers_of(
    document: Document, cards: Mapping[str, ModelCard], active: str
) -> Mapping[str, Offer]:
    """The questions that the loaded models answer."""
    known = ((name, question_asked(name)) for name in offered_by(cards, active))
    entries = tuple(
        Entry(name, _(one.title), _(one.asks)) for name, one in known if one is not None
    )
    question = asked_of(document)
    return {ASKED_QUESTION.key: Offer(entries, None if question is None else question.name)}


def blocks(shown: Shown) -> Iterator[Block]:
    """Of the parts, with points on the curves."""
    result: OverStepsResult = shown.result
    drawing = StepDrawing(
        *(shown.value(one) for one in (SHOWN, AXIS, ALIKE, BAND)),
    )
    for block in _OF_PARTS.blocks(shown):
        if isinstance(block, ChartBlock):
            panels = panels_of(result, drawing)
            axis = axis_of(panels, drawing.axis)
            charts = zip(block.charts, panels, strict=True)
            yield replace(
                block, charts=tuple(_pointed(chart, panel, axis, shown) for chart, panel in charts)
            )
        else:
            yield block


def _pointed(chart: Chart, panel: StepPanel, axis: StepAxis, shown: Shown) -> Chart:
    """A chart with a point at each measured step, and a line where the model is."""
    slot, now = _where(shown)
    x, y, words, colours, acts = [], [], [], [], []
    for curve in panel.curves:
        name = said(curve.name)
        for n, (at, value) in enumerate(zip(axis.at(curve.steps), curve.values, strict=True)):
            x.append(float(at))
            y.append(float(value))
            colours.append(curve.colour)
            step, number = whole(int(curve.steps[n])), significant(float(value), 4)
            told = _("{name}\nstep {step}: {number}", name=name, step=step, number=number)
            if curve.band is not None:
                low, high = (significant(float(end[n]), 4) for end in curve.band)
                told += "\n" + _("from {low} to {high}", low=low, high=high)
            words.append(told)
            acts.append(Load(curve.ids[n], slot))
    points = Points(
        np.array(x),
        np.array(y),
        ("",) * len(x),
        tuple(words),
        tuple(colours),
        radius=RADIUS,
        acts=() if shown.alone else tuple(acts),
    )
    lines = []
    for line, curve in zip(chart.lines, panel.curves, strict=True):
        here = now is not None and now in curve.steps
        value = float(curve.values[list(curve.steps).index(now)]) if here else None
        after = "" if value is None else f"  {significant(value, 3)}"
        lines.append(replace(line, after=after, marked=here))
    marker = None
    if now is not None and any(now in curve.steps for curve in panel.curves):
        place = float(axis.at(np.array([now]))[0])
        marker = Marker(place, _("training step"), colour="muted", dash="dot")
    told = "" if marker is None or now is None else _("At step {step}", step=whole(now))
    return replace(chart, series=(*lines, points), marker=marker, remark=told)


def _where(shown: Shown) -> tuple[str, int | None]:
    """The slot whose model is a frame of one of the series, and its step; None for none."""
    steps = {
        one: step
        for series in reversed(shown.result.series)
        for step, one in zip(series.steps, series.ids, strict=True)
    }
    own = set(shown.result.series[0].ids) if shown.result.series else set()
    cards = sorted(shown.cards.items(), key=lambda each: each[1].stamp.id not in own)
    for slot, card in cards:
        if card.stamp.id in steps:
            return slot, steps[card.stamp.id]
    return next(iter(shown.cards), "A"), None


def goes_on(result: OverStepsResult, card: ModelCard) -> bool:
    """The slider may move meanwhile: the other frame is of the same series."""
    return bool(result.series) and card.stamp.id in result.series[0].ids


_OF_PARTS = page_of_parts(QUESTION, looks_first=True)
PAGE: Page = replace(_OF_PARTS, blocks=blocks, is_live=True, offers_of=offers_of, goes_on=goes_on)
