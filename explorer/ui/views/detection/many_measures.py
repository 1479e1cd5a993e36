"""What is measured over many draws, as pictures: both distributions, ROC, places, errors."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.numerics.outcomes import Counts
from explorer.questions.detection.many_draws.question import DetectManyResult, Example
from explorer.ui.charts.description import Axis, Bars, Chart, Marker, Reference
from explorer.ui.sentence.token_layout import text_height, text_width
from explorer.ui.sentence.token_painting import draw_text
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.views.detection.loop_rows import shown_piece
from explorer.ui.views.detection.measures import Measure, charted, roc_plot
from explorer.ui.widgets.text_block import paint_block, wrapped

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
BINS = 20
HALF = 62.0
THRESHOLD_KEY = "threshold"
"""What the histogram tells when its threshold was dragged."""
PLACES = 24
ERRORS = 8


def about(result: DetectManyResult) -> str:
    """What was done, in sentences."""
    one = result.sentences == 1
    what = "of one sentence" if one else f"of {result.sentences:,} sentences"
    replaced = result.chosen - result.guessed
    said = (
        f"{result.draws:,} draws {what}: {result.chosen:,} tokens were masked, {replaced:,} of "
        f"them replaced; {result.guessed:,} draws hit the original and count as original. Mean "
        f"losses: generator {result.generator_loss:.3f} nats, discriminator "
        f"{result.discriminator_loss:.3f} nats."
    )
    if result.skipped:
        said += f" {result.skipped:,} sentences could not be corrupted and were passed over."
    return said


def histogram(result: DetectManyResult, threshold: float) -> Measure:
    """How the discriminator's probabilities lie: originals above the line, replaced below."""
    edges = np.linspace(0.0, 1.0, BINS + 1)
    shares = []
    for truth in (False, True):
        counts, _ = np.histogram(result.probability[result.truth == truth], edges)
        shares.append(counts / max(1, int(counts.sum())))
    originals, replaced = int((~result.truth).sum()), int(result.truth.sum())
    heights = [share / max(0.05, float(share.max())) for share in shares]
    spoken = f"{originals} originals, {replaced} replaced tokens, by probability"

    def readout(x: float) -> str:
        n = min(max(int(x * BINS), 0), BINS - 1)
        return (
            f"{edges[n]:.2f} to {edges[n + 1]:.2f}\n{shares[0][n]:.1%} of the originals\n"
            f"{shares[1][n]:.1%} of the replaced"
        )

    chart = Chart(
        "",
        "Each side's largest bar is as high as the other's; drag the threshold.",
        (
            Bars(edges[:-1], edges[1:], 0.0, heights[0], ("bar",)),
            Bars(edges[:-1], edges[1:], 0.0, -heights[1], ("bar_original",)),
        ),
        Axis("probability of replaced", 0.0, 1.0, ticks=(0.0, 0.5, 1.0)),
        Axis(
            "",
            -1.0,
            1.0,
            ticks=(-0.5, 0.0, 0.5),
            words=(f"{replaced:,} replaced", "", f"{originals:,} originals"),
        ),
        marker=Marker(threshold, "threshold", "text", THRESHOLD_KEY, "dash", 0.0, 1.0),
        references=(Reference((0.0, 0.0), (1.0, 0.0), "muted"),),
        height=2 * HALF,
        readout=readout,
        spoken=spoken,
    )
    return charted("What it says of both", chart, spoken)


def pooled_roc(result: DetectManyResult, threshold: float) -> Measure:
    """The ROC over all draws."""
    return roc_plot(result.curve, result.counts_at(threshold), threshold, result.area)


def places(result: DetectManyResult, threshold: float) -> Measure:
    """Where it errs: a row for every token of the sentence, or for the pieces with most errors."""
    rows = [
        (place.position, shown_piece(place.piece), counts)
        for place, counts in zip(result.places, result.counts_by_place(threshold), strict=True)
    ]
    over_file = any(position is None for position, _, _ in rows)
    if over_file:
        rows.sort(key=lambda row: -(row[2].misses + row[2].false_alarms))
    more = len(rows) - PLACES
    rows = rows[:PLACES]
    line = text_height("small") + 5
    heads = ("token", "found", "false alarms")
    counted = max((text_width("small", _of(counts)) for _, _, counts in rows), default=0.0) + 8

    def paint(painter: QPainter, theme: Theme, box: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        columns = _columns(box, [word for _, word, _ in rows])
        for words, place, align in zip(heads, columns, (LEFT, RIGHT, RIGHT), strict=True):
            head = QRectF(place[0], box.top(), place[1], line)
            draw_text(painter, head, words, "small", theme.muted, align)
        y = box.top() + line
        for _, word, counts in rows:
            cells = [QRectF(left, y, wide, line) for left, wide in columns]
            draw_text(painter, cells[0], word, "body", theme.text, LEFT)
            draw_text(painter, cells[1], _of(counts), "small", theme.muted, RIGHT)
            track = QRectF(cells[1].left(), y + line / 2 - 4, cells[1].width() - counted, 8)
            if counts.recall is not None and track.width() > 10:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.track)
                painter.drawRoundedRect(track, 2, 2)
                painter.setBrush(theme.positive)
                track.setWidth(track.width() * counts.recall)
                painter.drawRoundedRect(track, 2, 2)
            alarms = counts.false_alarms
            colour = theme.danger if alarms else theme.muted
            draw_text(painter, cells[2], str(alarms), "small", colour, RIGHT)
            y += line
        if more > 0:
            rest = QRectF(box.left(), y, box.width(), line)
            draw_text(painter, rest, f"and {more:,} more", "small", theme.muted, LEFT)

    title = "Pieces with the most errors" if over_file else "By place in the sentence"
    spoken = "; ".join(
        f"{word}: {counts.hits} of {counts.replaced} found, {counts.false_alarms} false alarms"
        for _, word, counts in rows
    )
    height = line * (len(rows) + 1 + (more > 0))
    return Measure(title, lambda _width: height, paint, spoken)


def _of(counts: Counts) -> str:
    return f"{counts.hits} of {counts.replaced}" if counts.replaced else "–"


def _columns(box: QRectF, words: Sequence[str]) -> list[tuple[float, float]]:
    """Left edge and width of token, found, false alarms."""
    gap = 12.0
    alarms = text_width("small", "false alarms") + 4
    rest = box.width() - alarms - 2 * gap
    word = min(max(text_width("body", one) for one in words) + 4, rest * 0.55)
    found = box.left() + word + gap
    return [(box.left(), word), (found, rest - word), (found + rest - word + gap, alarms)]


def errors(title: str, examples: Sequence[Example], nothing: str) -> Measure:
    """The worst errors of a kind, each in its sentence."""
    shown = list(examples[:ERRORS])
    line = text_height("small") + 4

    def height(width: float) -> float:
        if not shown:
            return len(wrapped("small", nothing, width)) * text_height("small") + 4
        return line * 2 * len(shown)

    def paint(painter: QPainter, theme: Theme, box: QRectF) -> None:
        if not shown:
            lines = wrapped("small", nothing, box.width())
            paint_block(painter, box, lines, "small", theme.muted)
            return
        y = box.top()
        for example in shown:
            head = QRectF(box.left(), y, box.width(), line)
            word = shown_piece(example.piece)
            said = (
                f"{word}, in the place of {shown_piece(example.original)}"
                if example.replaced
                else word
            )
            draw_text(painter, head.adjusted(0, 0, -44, 0), said, "strong", theme.text, LEFT)
            draw_text(painter, head, f"{example.probability:.2f}", "strong", theme.accent, RIGHT)
            _paint_words(
                painter, theme, QRectF(box.left(), y + line - 2, box.width(), line), example
            )
            y += 2 * line

    spoken = "; ".join(
        f"{one.piece} {one.probability:.2f} in {' '.join(one.corrupted)}" for one in shown
    )
    return Measure(title, height, paint, spoken or nothing)


def _paint_words(painter: QPainter, theme: Theme, box: QRectF, example: Example) -> None:
    """The corrupted sentence on one line, the word in question in sight and marked."""
    words = [shown_piece(piece) for piece in example.corrupted]
    role: FontRole = "small"
    space = text_width(role, " ") + 2
    widths = [text_width(role, word) for word in words]
    first = last = example.index
    room = box.width() - widths[example.index] - 20
    while first > 0 or last < len(words) - 1:
        left = widths[first - 1] + space if first > 0 else float("inf")
        right = widths[last + 1] + space if last < len(words) - 1 else float("inf")
        # Words come in by turns, so that the one in question stays in the middle.
        take_left = example.index - first <= last - example.index and left <= room
        if not take_left and right > room:
            take_left = left <= room
        if take_left:
            first, room = first - 1, room - left
        elif right <= room:
            last, room = last + 1, room - right
        else:
            break
    x = box.left()
    if first > 0:
        draw_text(painter, QRectF(x, box.top(), 12, box.height()), "…", role, theme.muted, LEFT)
        x += 12
    for i in range(first, last + 1):
        place = QRectF(x, box.top(), widths[i] + 1, box.height())
        colour = theme.muted
        if i == example.index:
            colour = theme.mask if example.replaced else theme.danger
        draw_text(painter, place, words[i], role, colour, LEFT)
        x += widths[i] + space
    if last < len(words) - 1:
        draw_text(painter, QRectF(x, box.top(), 12, box.height()), "…", role, theme.muted, LEFT)
