"""The sentence as tokens, its masks to be clicked, and words under them."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.api import Token
from explorer.document import Document
from explorer.ui.theme import Theme
from explorer.ui.widgets import pieces as of
from explorer.ui.widgets.painted_page import Spot
from explorer.ui.widgets.token_layout import MARGIN, arrange
from explorer.ui.widgets.token_painting import Look, paint_tokens


class Sentence:
    """A block: the tokens as the strip draws them.

    Args:
        tokens: The input.
        document: Whose characters they show.
        width: In pixels.
        notes: Words under tokens, by position.
        words: Tooltips of the tokens that can be clicked, by position.
    """

    def __init__(
        self,
        tokens: tuple[Token, ...],
        document: Document | None,
        width: float,
        notes: Mapping[int, str],
        words: Mapping[int, str],
    ) -> None:
        self._pieces = of.of_tokens(tokens, document)
        self._notes = notes
        self._at = arrange(self._pieces, width + 2 * MARGIN, notes)
        self.height = self._at.height - 2 * MARGIN
        self.spots = tuple(
            Spot(
                self._at.boxes[position].translated(-MARGIN, -MARGIN).adjusted(-1, -1, 1, 1),
                ("mask", position),
                text,
                f"Mask at position {position}. {text}",
            )
            for position, text in words.items()
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The tokens and their notes."""
        painter.translate(-MARGIN, -MARGIN)
        paint_tokens(painter, theme, self._pieces, self._at, Look(notes=self._notes))


def swatch(painter: QPainter, box: QRectF, theme: Theme, *, filled: bool) -> None:
    """A bar: filled for what the model says of words together, an outline for each alone."""
    painter.setPen(theme.muted if not filled else theme.bar)
    painter.setBrush(theme.bar if filled else theme.track)
    painter.drawRoundedRect(box, 2, 2)
