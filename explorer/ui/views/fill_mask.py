"""What the model expects at every mask: a card each, with its predictions as bars."""

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from explorer.api import Entry, Table
from explorer.document import Document
from explorer.operations.fill_mask import OPERATION, FillMask
from explorer.ui.controls.segmented import Segmented
from explorer.ui.gestures import put_words
from explorer.ui.theme import Theme
from explorer.ui.views.mask_card import MaskCard
from explorer.ui.views.mask_card_text import common_rows, common_scale, notes_of
from explorer.ui.views.mask_figure import mask_figure
from explorer.ui.views.pinned_masks import (
    PinnedMask,
    compared_table,
    pinned_masks,
)
from explorer.ui.views.pinned_places import places_of
from explorer.ui.views.view import View
from explorer.ui.widgets.column_flow import ColumnFlow
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.pin_bar import compared_with
from explorer.ui.widgets.state_pages import label

TOP_K = (5, 10, 20, 50)


class FillMaskView(View):
    """Cards in as many columns as the width holds."""

    of: ClassVar = OPERATION
    order = 10
    group = "Masking"
    glyph = "card-search-outline"
    pinnable = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.top_k = Segmented("topK", "Top", [Entry(n, str(n)) for n in TOP_K], self)
        self.top_k.hide()
        self.top_k.setToolTip("How many predictions each mask gets")
        self.top_k.set_choice(Document().top_k)
        self.top_k.chosen.connect(lambda count: self.option_changed.emit("top_k", count))
        self.notice = QFrame(self)
        self.notice.setObjectName("truncationNotice")
        self.notice_label = label("truncationText", "body", self.notice)
        inside = QHBoxLayout(self.notice)
        inside.setContentsMargins(10, 6, 10, 6)
        inside.addWidget(self.notice_label)
        self.independence = label("independenceNote", "small", self)
        self._cards: list[MaskCard] = []
        self._board = QWidget(self)
        self._flow = ColumnFlow(self._board)
        self._flow.setContentsMargins(14, 4, 14, 14)
        self.area = QScrollArea(self)
        self.area.setObjectName("maskCards")
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self._board)
        notes = QVBoxLayout()
        notes.setContentsMargins(14, 0, 14, 0)
        notes.addWidget(self.notice)
        notes.addWidget(self.independence)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(notes)
        layout.addWidget(self.area, 1)
        self.refresh()

    @property
    def cards(self) -> tuple[MaskCard, ...]:
        """One a mask, in the order of the input."""
        return tuple(card for card in self._cards if not card.isHidden())

    def request_of(self, document: Document) -> FillMask | None:
        """Asked as soon as something is masked."""
        if not document.text.strip() or not (document.masks or document.literal_masks()):
            return None
        return FillMask.of(document)

    def empty_hint(self, document: Document) -> str:
        """Say how to mask."""
        if not document.text.strip():
            return "Type a sentence, then click a word to mask it."
        return "Click a word to mask it, or drag over several. M masks the token in focus."

    def set_document(self, document: Document) -> None:
        """Show how many predictions are asked for."""
        self.top_k.set_choice(document.top_k)

    def tools(self) -> list[QWidget]:
        """The choice of k; the frame takes it over."""
        self.top_k.show()
        return [self.top_k]

    def refresh(self) -> None:
        """Fill the cards that are there, and make or hide some."""
        result = self.result
        masks = result.masks if result is not None else ()
        notes = notes_of(result) if result is not None else ()
        left_out = bool(result is not None and result.left_out is not None)
        self.notice.setVisible(left_out)
        self.notice_label.setText(notes[0] if left_out else "")
        told = len(masks) > 1 or bool(result is not None and result.note)
        self.independence.setVisible(told)
        self.independence.setText(notes[-1] if told else "")
        while len(self._cards) < len(masks):
            card = MaskCard(self._board)
            card.chosen.connect(self._choose)
            self._cards.append(card)
            self._flow.addWidget(card)
        pins = self._pins()
        scale = common_scale(result, pins) if result is not None else 1.0
        peers = common_rows(result, pins) if result is not None else ()
        for index, card in enumerate(self._cards):
            if index < len(masks):
                pin = pins[index]
                card.show_mask(masks[index], result.tokens, self.document, scale, peers, pin)
            card.setVisible(index < len(masks))
        self._flow.invalidate()

    def show_position(self, position: int | None) -> None:
        """Scroll to the card of a mask."""
        for card in self.cards:
            if card.position == position:
                self.area.ensureWidgetVisible(card, 0, 12)

    def _pins(self) -> tuple[PinnedMask | None, ...]:
        if self.result is None:
            return ()
        return pinned_masks(self.result, self.document, self.baseline)

    def table(self) -> Table | None:
        """The predictions; with a pinned answer, what each word had there beside them."""
        if self.result is None or self.baseline is None:
            return super().table()
        return compared_table(self.result, self._pins())

    def caption(self) -> str:
        """With a pinned answer, what it was."""
        return super().caption() + compared_with(self.baseline)

    def _choose(self, position: int, word: str) -> None:
        if self.document is not None:
            (place,) = places_of(self.result.tokens, [position])
            self.edit_requested.emit(put_words(self.document, (place, word)))

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The sentence and every card."""
        if self.result is None or self.document is None:
            return None
        return mask_figure(self.result, self.document, width, theme, self._pins())


VIEW = FillMaskView
