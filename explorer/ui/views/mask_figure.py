"""The predictions of every mask as a picture."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.document import Document
from explorer.operations.fill_mask import FillMaskResult, MaskPredictions
from explorer.ui.theme import Theme
from explorer.ui.views.mask_card import paint_context
from explorer.ui.views.mask_card_text import (
    about_original,
    common_rows,
    common_scale,
    context_of,
    notes_of,
    unsureness,
)
from explorer.ui.views.pinned_masks import PinnedMask, before_of
from explorer.ui.widgets import pieces as of
from explorer.ui.widgets.bar_rows import arrange_rows, paint_rows, rows_of
from explorer.ui.widgets.column_flow import columns_for
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.text_block import paint_block, wrapped
from explorer.ui.widgets.token_layout import MARGIN, arrange, text_height
from explorer.ui.widgets.token_painting import Look, paint_tokens

GAP = 14.0
PAD = 14.0
NARROWEST = 340.0
WIDEST = 640.0


class CardPicture:
    """One mask's card at a width."""

    def __init__(
        self,
        result: FillMaskResult,
        mask: MaskPredictions,
        document: Document,
        width: float,
        pins: Sequence[PinnedMask | None] = (),
    ) -> None:
        self.width = width
        self.scale = common_scale(result, pins)
        pin = pins[result.masks.index(mask)] if pins else None
        self.context = context_of(result.tokens, mask.position, document)
        inner = width - 2 * PAD
        said = [unsureness(mask), about_original(mask), pin.said() if pin is not None else ""]
        self.lines = [line for text in said if text for line in wrapped("small", text, inner)]
        self.rows = rows_of(mask.predictions, mask.original, before_of(pin))
        self.columns = arrange_rows(self.rows, width - PAD, common_rows(result, pins))
        self.context_height = text_height("body") + 8
        self.words_height = len(self.lines) * text_height("small")
        self.height = 2 * PAD + self.context_height + 6 + self.words_height + 6
        self.height += self.columns.height

    def paint(self, painter: QPainter, theme: Theme, height: float) -> None:
        """Paint the card with its corner at (0, 0), as tall as its row."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.border, 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(0.5, 0.5, self.width - 1, height - 1), 8, 8)
        inner = self.width - 2 * PAD
        y = PAD
        paint_context(painter, theme, QRectF(PAD, y, inner, self.context_height), self.context)
        y += self.context_height + 6
        words = QRectF(PAD, y, inner, self.words_height)
        paint_block(painter, words, self.lines, "small", theme.muted)
        y += self.words_height + 6
        painter.save()
        painter.translate(PAD / 2, y)
        paint_rows(painter, theme, self.rows, self.columns, self.scale)
        painter.restore()


def mask_figure(
    result: FillMaskResult,
    document: Document,
    width: float,
    theme: Theme,
    pins: Sequence[PinnedMask | None] = (),
) -> Figure:
    """The sentence as tokens, what must be known of the answer, and a card for every mask."""
    pieces = of.of_tokens(result.tokens, document)
    tail = of.tail_note(result.left_out, document)
    tokens_at = arrange(pieces, width + 2 * MARGIN, tail=tail)
    count, wide = columns_for(width, len(result.masks), NARROWEST, WIDEST, GAP)
    cards = [CardPicture(result, mask, document, wide, pins) for mask in result.masks]
    rows = [cards[i : i + count] for i in range(0, len(cards), count)]
    notes = [line for note in notes_of(result) for line in wrapped("small", note, width)]
    strip_height = tokens_at.height - 2 * MARGIN
    notes_height = len(notes) * text_height("small") + (8.0 if notes else 0.0)
    cards_height = sum(max(card.height for card in row) + GAP for row in rows) - GAP

    def paint(painter: QPainter) -> None:
        painter.save()
        painter.translate(-MARGIN, -MARGIN)
        paint_tokens(painter, theme, pieces, tokens_at, Look(tail=tail))
        painter.restore()
        y = strip_height + GAP
        block = QRectF(0, y, width, notes_height)
        paint_block(painter, block, notes, "small", theme.muted)
        y += notes_height
        for row in rows:
            tall = max(card.height for card in row)
            for column, card in enumerate(row):
                painter.save()
                painter.translate(column * (wide + GAP), y)
                card.paint(painter, theme, tall)
                painter.restore()
            y += tall + GAP

    return Figure(width, strip_height + GAP + notes_height + cards_height, paint)
