"""One mask's card: its context, how unsure the model is, and the predictions."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from explorer.api import Token
from explorer.document import Document
from explorer.operations.fill_mask import MaskPredictions
from explorer.ui.glossary import explain
from explorer.ui.guarded import guarded
from explorer.ui.theme import Theme, current_theme, theme_signals
from explorer.ui.views.mask_card_text import (
    Context,
    about_original,
    context_of,
    unsureness,
)
from explorer.ui.views.pinned_masks import PinnedMask, before_of
from explorer.ui.widgets.bar_rows import Row
from explorer.ui.widgets.probability_bars import ProbabilityBars
from explorer.ui.widgets.state_pages import label
from explorer.ui.widgets.token_layout import MASK_LABEL, text_height, text_width
from explorer.ui.widgets.token_painting import draw_text


def fitting(words: str, room: float, *, from_right: bool) -> str:
    """As many whole words as there is room for, an ellipsis in the place of the others.

    Args:
        words: A line.
        room: In pixels.
        from_right: Keep the last words; else the first.
    """
    if text_width("body", words) <= room:
        return words
    kept = words.split()
    while kept:
        kept = kept[1:] if from_right else kept[:-1]
        line = " ".join(["…", *kept] if from_right else [*kept, "…"])
        if text_width("body", line) <= room:
            return line.replace("… …", "…")
    return "…"


def paint_context(painter: QPainter, theme: Theme, box: QRectF, context: Context) -> None:
    """One line: the words before, the mask as a chip, the words after.

    What does not fit is left out at the far ends, so that the mask is always in sight.
    """
    gap = 6.0
    chip = text_width("strong", MASK_LABEL) + 12
    before, after = text_width("body", context.before), text_width("body", context.after)
    room = max(box.width() - chip - 2 * gap, 40.0)
    before_room = max(room / 2, room - after)
    left = fitting(context.before, before_room, from_right=True)
    right = fitting(context.after, max(room / 2, room - before), from_right=False)
    x = box.left()
    if left:
        wide = text_width("body", left)
        place = QRectF(x, box.top(), wide, box.height())
        draw_text(painter, place, left, "body", theme.text, Qt.AlignmentFlag.AlignLeft)
        x += wide + gap
    mark = QRectF(x, box.top() + 1, chip, box.height() - 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.mask)
    painter.setBrush(theme.mask_fill)
    painter.drawRoundedRect(mark, 4, 4)
    draw_text(painter, mark, MASK_LABEL, "strong", theme.mask)
    x += chip + (2 if right[:1] in {".", ",", ";", ":", "!", "?"} else gap)
    place = QRectF(x, box.top(), text_width("body", right), box.height())
    draw_text(painter, place, right, "body", theme.text, Qt.AlignmentFlag.AlignLeft)


@guarded
class ContextLine(QWidget):
    """The mask between the words around it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("maskContext")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.context = Context("", "")
        theme_signals().changed.connect(self._theme_changed)

    def _theme_changed(self, _theme: object) -> None:
        self.updateGeometry()
        self.update()

    def set_context(self, context: Context) -> None:
        """Show other words."""
        self.context = context
        whole = f"{context.before} {MASK_LABEL} {context.after}".strip()
        self.setAccessibleName(whole)
        self.setToolTip(whole)
        self.update()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(240, int(text_height("body")) + 8)

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(120, int(text_height("body")) + 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the line."""
        paint_context(QPainter(self), current_theme(), QRectF(self.rect()), self.context)


class MaskCard(QFrame):
    """A mask and what the model expects there.

    Signals:
        chosen: Position of the mask, and the word that was clicked.
    """

    chosen = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("maskCard")
        self.position = -1
        self.context_line = ContextLine(self)
        self.entropy = label("maskEntropy", "small", self)
        self.entropy.setToolTip(
            f"{explain('entropy')}\n{explain('perplexity')}\nCounted over the whole vocabulary."
        )
        self.original = label("maskOriginal", "small", self)
        self.original.setToolTip(f"{explain('original')}\n{explain('rank')}")
        self.pinned = label("maskPinned", "small", self)
        self.pinned.setToolTip(f"{explain('KL divergence')}\n{explain('total variation')}")
        self.bars = ProbabilityBars(self)
        self.bars.chosen.connect(lambda word, _id: self.chosen.emit(self.position, word))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 8, 10)
        layout.setSpacing(3)
        layout.addWidget(self.context_line)
        layout.addSpacing(2)
        layout.addWidget(self.entropy)
        layout.addWidget(self.original)
        layout.addWidget(self.pinned)
        layout.addSpacing(4)
        layout.addWidget(self.bars)
        layout.addStretch(1)

    def show_mask(
        self,
        mask: MaskPredictions,
        tokens: tuple[Token, ...],
        document: Document | None,
        scale: float,
        peers: tuple[Row, ...] = (),
        pinned: PinnedMask | None = None,
    ) -> None:
        """Show another mask; scale and peers are what its bars have in common with others'."""
        self.position = mask.position
        context = context_of(tokens, mask.position, document)
        self.context_line.set_context(context)
        self.setAccessibleName(f"Mask at position {mask.position}")
        self.entropy.setText(unsureness(mask))
        about = about_original(mask)
        self.original.setText(about)
        self.original.setVisible(bool(about))
        self.pinned.setText(pinned.said() if pinned is not None else "")
        self.pinned.setVisible(pinned is not None)
        self.bars.set_rows(mask.predictions, mask.original, scale, peers, before_of(pinned))
        self.bars.setAccessibleName(f"Predictions for the mask at position {mask.position}")
