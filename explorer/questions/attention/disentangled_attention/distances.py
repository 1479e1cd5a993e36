"""What positions add to a score, against the distance between two tokens."""

from functools import partial

import numpy as np

from explorer.questions.attention.disentangled_attention.question import (
    DisentangledAttentionResult,
    part_name,
)
from explorer.text import _, ngettext
from explorer.text.formatting.numbers import signed
from explorer.text.formatting.short import number, short
from explorer.ui.blocks import Axis, Chart, Line, Reference

PLOT = 190.0
"""Height of the axes, in pixels."""
COLOURS = {"c2p": "bar", "p2c": "bar_original"}
PALE = 0.27
"""Opacity of the layer's other heads."""


def reach_of(result: DisentangledAttentionResult, *, whole: bool) -> int:
    """The largest distance that is drawn: of all that the model tells apart, or of this text."""
    reach = int(result.distances.max(initial=0))
    return reach if whole else min(reach, max(len(result.tokens) - 1, 8))


def distance_chart(result: DisentangledAttentionResult, *, whole: bool) -> Chart:
    """The chart.

    Args:
        result: With biases.
        whole: All distances that the model tells apart; else those that this text has.
    """
    reach, head = reach_of(result, whole=whole), result.head
    middle = len(result.distances) // 2
    cut = slice(middle - reach, middle + reach + 1)
    distances = result.distances[cut].astype(float)
    shown = [abs(one.mean[:, cut]) for one in result.biases]
    shown += [abs(one.mean[head, cut]) + one.deviation[head, cut] for one in result.biases]
    largest = max([float(one.max(initial=0.0)) for one in shown] or [0.0]) or 1.0
    thin = [
        Line("", distances, one.mean[other, cut], COLOURS[one.part], width=1.0, opacity=PALE)
        for one in result.biases
        for other in range(len(one.mean))
        if other != head
    ]
    bold = [
        Line(
            f"{one.part}, {part_name(one.part)}",
            distances,
            one.mean[head, cut],
            COLOURS[one.part],
            width=2.2,
            band=(
                one.mean[head, cut] - one.deviation[head, cut],
                one.mean[head, cut] + one.deviation[head, cut],
            ),
            marked=False,
        )
        for one in result.biases
    ]
    ends = largest * 1.06
    return Chart(
        "",
        _("What positions add to a score, against the distance between query and key."),
        (*thin, *bold),
        Axis(
            _("position of the key minus position of the query"),
            float(-reach),
            float(max(reach, 1)),
            whole=True,
            written=partial(signed, places=0, nought=""),
            strokes=_buckets(result, cut),
        ),
        Axis(
            "",
            -ends,
            ends,
            ticks=(-largest, 0.0, largest),
            written=short,
            grid=True,
            strong=(0.0,),
        ),
        references=(Reference((0.0, -ends), (0.0, ends), "muted", "dot"),),
        remark=_("thin: the layer's other heads; band: the deviation over the text's tokens"),
        height=PLOT,
        readout=lambda distance: words_at(result, round(distance)),
        frame=True,
    )


def _buckets(result: DisentangledAttentionResult, cut: slice) -> tuple[float, ...]:
    """Where a bucket of distances begins; none where each distance is one of its own."""
    buckets, distances = result.buckets[cut], result.distances[cut]
    if not len(distances) or (buckets == distances).all():
        return ()
    starts = np.flatnonzero(buckets[1:] != buckets[:-1])
    return tuple(float(distances[at] + distances[at + 1]) / 2 for at in starts)


def words_at(result: DisentangledAttentionResult, distance: int) -> str:
    """What is said of a distance."""
    at = distance + len(result.distances) // 2
    bucket = int(result.buckets[at])
    first = _where(distance)
    if bucket != distance:
        same = result.distances[result.buckets == bucket]
        first = _(
            "{where} (bucket {bucket}: {first} to {last})",
            where=first,
            bucket=str(bucket),
            first=str(int(same.min())),
            last=str(int(same.max())),
        )
    lines = [first]
    for one in result.biases:
        mean = float(one.mean[result.head, at])
        deviation = float(one.deviation[result.head, at])
        lines.append(f"{one.part}: {number(mean, signed=True)} ± {number(deviation)}")
    return "\n".join(lines)


def _where(distance: int) -> str:
    if not distance:
        return _("The token itself")
    if distance > 0:
        return ngettext(
            "Key {count} token to the right", "Key {count} tokens to the right", distance
        )
    return ngettext("Key {count} token to the left", "Key {count} tokens to the left", -distance)
