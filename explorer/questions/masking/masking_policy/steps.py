"""One draw on the sentence: the text, what the model sees of it, and where there is a loss."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.questions.masking.masking_policy.question import Chosen, Draw, Fate
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible, word_or_piece
from explorer.ui.blocks.block import Spot
from explorer.ui.blocks.page import Select
from explorer.ui.sentence.pieces import Piece
from explorer.ui.sentence.tokens.layout import MASK_LABEL, text_height, text_width
from explorer.ui.sentence.tokens.lines import lines_of
from explorer.ui.sentence.tokens.painting import draw_text
from explorer.ui.theme.schemes import FontRole, Theme
from explorer.ui.theme.shapes import rounded

PAD = 6.0
BAR = 34.0
WIDEST_BAR = 24.0
LINE_GAP = 16.0
LABEL_GAP = 10.0
LEAST_TOP = 3.0
"""Nats at the end of the longest bar, at least."""
LABELS = (N_("text"), N_("model sees"), N_("loss"))
FATES = {
    Fate.MASKED: N_("“{text}” was chosen and hidden behind a mask."),
    Fate.RANDOM: N_("“{text}” was chosen and replaced by a random token: {seen}."),
    Fate.UNCHANGED: N_("“{text}” was chosen and left as it is, but predicted all the same."),
}


FATE_COLOURS = {
    Fate.MASKED: ("mask", "mask_fill"),
    Fate.RANDOM: ("danger", "surface"),
    Fate.UNCHANGED: ("positive", "surface"),
}
"""Edge and ground of a chosen token, by their names in the theme."""


@dataclass(frozen=True)
class _Column:
    """One token's place."""

    piece: Piece
    chosen: Chosen | None
    x: float
    wide: float
    top: float


class Steps:
    """A block: lines of tokens in three rows.

    Args:
        pieces: The input before anything is masked.
        draw: What became of it.
        width: In pixels.
    """

    def __init__(self, pieces: Sequence[Piece], draw: Draw, width: float) -> None:
        self._chosen = {one.position: one for one in draw.chosen}
        self._top = max([LEAST_TOP, *(one.loss for one in draw.chosen)])
        self._token = text_height("token") + 8
        self._small = text_height("small")
        self._label = max(text_width("small", _(label)) for label in LABELS) + LABEL_GAP
        if width < 300:
            self._label = 0.0
        wides = [self._wide(piece) for piece in pieces]
        lines = lines_of(pieces, wides, width - self._label)
        self._columns: list[_Column] = []
        self._tops: list[tuple[float, bool]] = []
        y = 0.0
        for line in lines:
            some = [self._chosen.get(piece.position or 0) for piece, _unused, _unused in line]
            tall = 2 * self._token + 6
            longest = max((self._tall(one) for one in some if one is not None), default=0.0)
            if longest:
                tall += 6 + longest + 2 * (self._small + 1)
            self._tops.append((y, any(some)))
            for (piece, x, wide), one in zip(line, some, strict=True):
                self._columns.append(_Column(piece, one, self._label + x, wide, y))
            y += tall + LINE_GAP
        self.height = max(0.0, y - LINE_GAP)
        self.spots = tuple(self._make_spots())

    def _tall(self, one: Chosen) -> float:
        return max(1.5, one.loss / self._top * BAR)

    def _wide(self, piece: Piece) -> float:
        one = self._chosen.get(piece.position or 0)
        widest = text_width("small" if piece.special else "token", piece.text or MASK_LABEL)
        if one is not None:
            widest = max(
                widest,
                text_width("token", seen_as(one)),
                text_width("small", visible(one.prediction.word)),
                text_width("small", f"{one.loss:.2f}"),
            )
        return widest + 2 * PAD

    def _make_spots(self) -> list[Spot]:
        spots = []
        for column in self._columns:
            one = column.chosen
            if one is None:
                continue
            high = 2 * self._token + 12 + self._tall(one) + 2 * (self._small + 1)
            words = _(
                "{chosen}\nThe model expects “{word}” ({in_digits}); the right token is number "
                "{rank}, and its loss is {loss} nats.",
                chosen=_(FATES[one.fate], text=column.piece.text, seen=seen_as(one)),
                word=visible(one.prediction.word),
                in_digits=in_digits(one.prediction.probability),
                rank=one.rank,
                loss=decimal(one.loss, 3),
            )
            box = QRectF(column.x, column.top, column.wide, high)
            spots.append(Spot(box, ("token", one.position), words, words, Select(one.position)))
        return spots

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Names of the rows, then every token."""
        if self._label:
            for top, has_loss in self._tops:
                for row, label in enumerate(LABELS if has_loss else LABELS[:2]):
                    y = top + row * (self._token + 6)
                    high = self._token if row < 2 else self._small
                    box = QRectF(0, y, self._label - LABEL_GAP, high)
                    left = Qt.AlignmentFlag.AlignLeft
                    draw_text(painter, box, _(label), "small", theme.muted, left)
        for column in self._columns:
            self._paint(painter, theme, column)

    def _paint(self, painter: QPainter, theme: Theme, column: _Column) -> None:
        piece, one = column.piece, column.chosen
        text = piece.text or MASK_LABEL
        first = QRectF(column.x, column.top, column.wide, self._token)
        second = first.translated(0, self._token + 6)
        if piece.special or one is None:
            role: FontRole = "small" if piece.special else "token"
            draw_text(painter, first.adjusted(2, 0, -2, 0), text, role, theme.muted)
            if not piece.special:
                draw_text(painter, second.adjusted(2, 0, -2, 0), text, role, theme.muted)
            return
        chip(painter, first, theme.raised, None)
        draw_text(painter, first.adjusted(2, 0, -2, 0), text, "token", theme.text)
        edge, ground = map(theme.colour, FATE_COLOURS[one.fate])
        chip(painter, second, ground, edge)
        colour = edge if one.fate is not Fate.UNCHANGED else theme.text
        draw_text(painter, second.adjusted(2, 0, -2, 0), seen_as(one), "token", colour)
        self._paint_loss(painter, theme, column, one, second.bottom() + 6)

    def _paint_loss(
        self, painter: QPainter, theme: Theme, column: _Column, one: Chosen, top: float
    ) -> None:
        tall = self._tall(one)
        wide = min(WIDEST_BAR, column.wide - 8)
        bar = QRectF(column.x + (column.wide - wide) / 2, top, wide, tall)
        rounded(painter, bar, 2, theme.bar_original if one.rank > 1 else theme.bar)
        number = QRectF(column.x, top + tall + 1, column.wide, self._small)
        draw_text(painter, number, f"{one.loss:.2f}", "small", theme.muted)
        if one.rank > 1:
            word = number.translated(0, self._small + 1)
            draw_text(painter, word, visible(one.prediction.word), "small", theme.accent)


def chip(painter: QPainter, box: QRectF, ground: QColor, edge: QColor | None) -> None:
    """A token's ground, with an edge where it was chosen."""
    pen = QPen(edge, 1.4) if edge is not None else None
    rounded(painter, box.adjusted(1, 0.5, -1, -0.5), 5, ground, pen)


def seen_as(one: Chosen) -> str:
    """What the model sees in a chosen token's place."""
    return MASK_LABEL if one.fate is Fate.MASKED else word_or_piece(one.seen)
