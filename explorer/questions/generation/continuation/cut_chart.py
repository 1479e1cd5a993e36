"""Where the cuts lie in a step's distribution: probability by rank, before and after them."""

import numpy as np

from explorer.numerics.distributions.kept_ranks import kept_ranks
from explorer.questions.generation.continuation.question import Cut, WrittenToken
from explorer.questions.generation.continuation.wording import FIRST
from explorer.text import _
from explorer.text.formatting.numbers import whole
from explorer.ui.blocks import Axis, Chart, ChartBlock, Dash, Line

BELOW = 1000.0
"""The axis goes to this part of the least probable token that was left, and ends there."""
DASHES: tuple[Dash, ...] = ("dash", "dot", "dash dot", "solid")
NO_EDGE = ("temperature", "barred", "rules")
"""They cut nothing, or what is anywhere among the ranks."""


def cut_chart(token: WrittenToken) -> ChartBlock | None:
    """The distribution with an edge a cut; None where nothing was cut, or in older answers."""
    cuts = [one for one in token.cuts if one.name not in NO_EDGE]
    if not token.by_rank or not cuts:
        return None
    ranks = np.array(kept_ranks(token.size), dtype=np.float64)
    own, shares = np.array(token.by_rank).T
    left = shares > 0
    low = max(float(own[left].min()) / BELOW, float(own.min()), 1e-12)
    lines = [
        Line(
            _("drawn with"),
            ranks[left],
            shares[left],
            "bar_second",
            filled=True,
            opacity=0.9,
        ),
        Line(_("the model’s probability"), ranks, np.maximum(own, low), "bar"),
        *(
            edge
            for one, dash in zip(cuts, DASHES, strict=False)
            for edge in _edges(one, dash, low, token.size)
        ),
    ]
    return ChartBlock(
        (
            Chart(
                _("Where it is truncated"),
                _(
                    "Each token's probability by its rank, and what tokens were drawn with after "
                    "temperature and truncation. A line marks the last rank that a truncation "
                    "kept."
                ),
                tuple(lines),
                Axis(_("rank"), 0.8, float(token.size), logarithmic=True),
                Axis(_("probability"), low, 1.0, logarithmic=True, grid=True),
                height=150,
            ),
        ),
    )


def _edges(cut: Cut, dash: Dash, low: float, size: int) -> list[Line]:
    """Behind the last rank that a cut left, and before the first where that is not 1."""
    name = _("{name}: to rank {last}", name=_(FIRST[cut.name]), last=whole(cut.last))
    if cut.first > 1:
        name = _(
            "{name}: ranks {first} to {last}",
            name=_(FIRST[cut.name]),
            first=whole(cut.first),
            last=whole(cut.last),
        )
    at = [cut.last + 0.5 if cut.last < size else float(size)]
    if cut.first > 1:
        at.append(cut.first - 0.5)
    return [
        Line(
            name if number == 0 else "",
            np.array([place, place]),
            np.array([low, 1.0]),
            "text",
            dash=dash,
            width=1.4,
            marked=False,
            after="",
        )
        for number, place in enumerate(at)
    ]
