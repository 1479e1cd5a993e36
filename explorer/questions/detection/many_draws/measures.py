"""What is measured over many verdicts, on cards: both distributions, confusion, places, errors."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from explorer.numerics.evaluation.outcomes import Counts, Outcome
from explorer.questions.detection.confusion import Confusion
from explorer.questions.detection.many_draws.question import Example, Place
from explorer.questions.detection.many_draws.sentence_line import SentenceLine
from explorer.questions.detection.replaced_tokens.options import THRESHOLD
from explorer.questions.detection.replaced_tokens.picture.rows import shown_piece
from explorer.questions.detection.wording import percent
from explorer.text import _
from explorer.text.formatting import numbers
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis as ChartAxis
from explorer.ui.charts.description import Bars, Chart, Marker, Reference

BINS = 20
HALF = 90.0
PLACES = 24
ERRORS = 8
NOTHING: Mapping[Outcome, str] = MappingProxyType({})


def histogram_card(
    probability: NDArray[np.float32], truth: NDArray[np.bool_], threshold: float, alone: bool
) -> Card:
    """How the discriminator's probabilities lie: originals above the line, replaced below.

    Args:
        probability: Of having been replaced, by token.
        truth: Whether it was.
        threshold: From where a token counts as replaced.
        alone: It is drawn for a picture, in which nothing can be dragged.
    """
    edges = np.linspace(0.0, 1.0, BINS + 1)
    shares = []
    for replaced in (False, True):
        counts, _edges = np.histogram(probability[truth == replaced], edges)
        shares.append(counts / max(1, int(counts.sum())))
    originals, replaced_count = int((~truth).sum()), int(truth.sum())
    heights = [share / max(0.05, float(share.max())) for share in shares]

    def readout(x: float) -> str:
        n = min(max(int(x * BINS), 0), BINS - 1)
        return _(
            "{low} to {high}\n{originals} of the originals\n{replaced} of the replaced",
            low=f"{edges[n]:.2f}",
            high=f"{edges[n + 1]:.2f}",
            originals=numbers.percent(float(shares[0][n]), 1),
            replaced=numbers.percent(float(shares[1][n]), 1),
        )

    about = (
        _("Each side's largest bar is as high as the other's.")
        if alone
        else _("Each side's largest bar is as high as the other's; drag the threshold.")
    )
    chart = Chart(
        "",
        about,
        (
            Bars(edges[:-1], edges[1:], 0.0, heights[0], ("bar",)),
            Bars(edges[:-1], edges[1:], 0.0, -heights[1], ("bar_original",)),
        ),
        ChartAxis(_("probability of replaced"), 0.0, 1.0, ticks=(0.0, 0.5, 1.0)),
        ChartAxis(
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
        marker=Marker(threshold, _("threshold"), "text", THRESHOLD.key, "dash", 0.0, 1.0),
        references=(Reference((0.0, 0.0), (1.0, 0.0), "muted"),),
        height=2 * HALF,
        readout=readout,
        spoken=_(
            "{originals} originals, {replaced} replaced tokens, by probability",
            originals=originals,
            replaced=replaced_count,
        ),
    )
    title = _("Probabilities of originals and replaced tokens")
    return Card((heading(title), ChartBlock((chart,)), note(about)), title)


def confusion_card(
    counts: Counts, threshold: float, intervals: Mapping[Outcome, str] = NOTHING
) -> Card:
    """The four outcomes as a matrix, and precision, recall and accuracy."""
    title = _("Confusion matrix at {threshold}", threshold=f"{threshold:.2f}")
    shares = (
        Number(
            percent(counts.precision),
            _("precision"),
            _("Of the tokens called replaced, the share that was."),
        ),
        Number(
            percent(counts.recall),
            _("recall"),
            _("Of the replaced tokens, the share that is called so."),
        ),
        Number(percent(counts.accuracy), _("accuracy"), _("The share that is judged rightly.")),
    )
    return Card((heading(title), Confusion(counts, intervals), Numbers(shares)), title)


def places_card(found: Sequence[tuple[Place, Counts]]) -> Card:
    """Where it errs: a row for every token of the sentence, or for the pieces with most errors."""
    rows = [(place.position, shown_piece(place.piece), counts) for place, counts in found]
    of_a_file = any(position is None for position, _word, _counts in rows)
    if of_a_file:
        rows.sort(key=lambda row: -(row[2].misses + row[2].false_alarms))
    more = len(rows) - PLACES
    title = _("Pieces with the most errors") if of_a_file else _("By place in the sentence")
    blocks: list[Block] = [
        heading(title),
        BarTable(
            [_place(*row) for row in rows[:PLACES]],
            (
                Column(_("hits"), words=_("Of the replaced tokens, those that are called so.")),
                Column(_("false alarms"), words=_("Originals that are called replaced.")),
            ),
            Axis(1.0, titled=False),
            title=title,
            bold=False,
            track=True,
        ),
    ]
    if more > 0:
        blocks.append(note(_("and {count} more", count=more)))
    return Card(blocks, title)


def _place(position: int | None, word: str, counts: Counts) -> Row:
    hits = _("{hits} of {replaced}", hits=counts.hits, replaced=counts.replaced)
    words = _(
        "{word}: {hits} of {replaced} found, false alarms {alarms}",
        word=word,
        hits=counts.hits,
        replaced=counts.replaced,
        alarms=counts.false_alarms,
    )
    return Row(
        word,
        (hits if counts.replaced else "–", f"{counts.false_alarms:,}"),
        (None if counts.recall is None else Bar(counts.recall, "positive"),),
        words=words,
        inks=("muted", "danger" if counts.false_alarms else "muted"),
        anchor=position,
    )


def errors_card(title: str, examples: Sequence[Example], nothing: str) -> Card:
    """The worst errors of a kind, each in its sentence."""
    return Card((heading(title), *_errors(examples, nothing)), title)


def _errors(examples: Sequence[Example], nothing: str) -> Iterator[Block]:
    if not examples:
        yield note(nothing)
    for example in examples[:ERRORS]:
        yield SentenceLine(
            tuple(shown_piece(piece) for piece in example.corrupted),
            example.index,
            shown_piece(example.original) if example.replaced else "",
            example.probability,
        )
