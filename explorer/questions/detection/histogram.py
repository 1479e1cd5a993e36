"""How a discriminator's probabilities lie: originals above the line, replaced tokens below."""

from collections.abc import Iterator

from explorer.questions.detection.cards import BINS, Histogram
from explorer.questions.detection.drawing import THRESHOLD
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks import (
    Axis,
    Bars,
    Block,
    Chart,
    ChartBlock,
    Looking,
    Marker,
    Reference,
    note,
)

HALF = 90.0


def blocks(part: Histogram, looking: Looking) -> Iterator[Block]:
    """The chart, in which the threshold is dragged."""
    edges = part.edges
    shares = [part.shares(replaced=replaced) for replaced in (False, True)]
    replaced_count = int(part.truth.sum())
    originals = len(part.truth) - replaced_count
    heights = [share / max(0.05, float(share.max())) for share in shares]

    def readout(x: float) -> str:
        n = min(max(int(x * BINS), 0), BINS - 1)
        return _(
            "{low} to {high}\n{originals} of the originals\n{replaced} of the replaced",
            low=f"{edges[n]:.2f}",
            high=f"{edges[n + 1]:.2f}",
            originals=percent(float(shares[0][n]), 1),
            replaced=percent(float(shares[1][n]), 1),
        )

    about = (
        _("Each side's largest bar is as high as the other's.")
        if looking.shown.alone
        else _("Each side's largest bar is as high as the other's; drag the threshold.")
    )
    chart = Chart(
        "",
        about,
        (
            Bars(edges[:-1], edges[1:], 0.0, heights[0], ("bar",)),
            Bars(edges[:-1], edges[1:], 0.0, -heights[1], ("bar_original",)),
        ),
        Axis(_("probability of replaced"), 0.0, 1.0, ticks=(0.0, 0.5, 1.0)),
        Axis(
            "",
            -1.0,
            1.0,
            ticks=(-0.5, 0.0, 0.5),
            words=(
                _("{count} replaced", count=replaced_count),
                "",
                _("{count} originals", count=originals),
            ),
        ),
        marker=Marker(part.threshold, _("threshold"), "text", THRESHOLD.key, "dash", 0.0, 1.0),
        references=(Reference((0.0, 0.0), (1.0, 0.0), "muted"),),
        height=2 * HALF,
        readout=readout,
        spoken=_(
            "{originals} originals, {replaced} replaced tokens, by probability",
            originals=originals,
            replaced=replaced_count,
        ),
    )
    yield ChartBlock((chart,))
    yield note(about)
