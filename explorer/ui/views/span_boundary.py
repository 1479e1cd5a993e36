"""SpanBERT's span-boundary predictions beside those of its masked-LM head."""

from typing import ClassVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.document import Document
from explorer.operations.span_boundary import (
    OPERATION,
    Span,
    SpanBoundary,
    SpanBoundaryResult,
    SpanToken,
)
from explorer.ui.theme import Theme
from explorer.ui.views.filling.pairs import Pair, Pairs
from explorer.ui.views.filling.sentence import Sentence
from explorer.ui.views.mask_card_text import left_out_said
from explorer.ui.views.view import View
from explorer.ui.widgets import pieces as of
from explorer.ui.widgets.bar_rows import TAG
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.painted_page import Block, Page, PaintedPage, Words, stack
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14
ABOUT = (
    "SpanBERT learned to tell each word of a masked span from the two tokens beside the span and "
    "the word's place in it, without a look at the masked tokens themselves (span-boundary "
    "objective; blue). Its masked-LM head reads the masked token's own state, as every BERT does "
    "(green)."
)


class SpanBoundaryView(View):
    """A table of words for every token of every span, with two bars each."""

    of: ClassVar = OPERATION
    order = 13
    group = "Masking"
    glyph = "arrow-expand-horizontal"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page = PaintedPage("spanPage", self)
        self.page.setAccessibleName("Span boundary")
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area = scrolling(inside, "spanArea", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)

    def request_of(self, document: Document) -> SpanBoundary | None:
        """Asked as soon as something is masked."""
        if not document.text.strip() or not (document.masks or document.literal_masks()):
            return None
        return SpanBoundary.of(document)

    def empty_hint(self, document: Document) -> str:
        """Say how to mask a span."""
        if not document.text.strip():
            return "Type a sentence, then drag over several words to mask them as a span."
        return "Drag over several words to mask them as a span."

    def refresh(self) -> None:
        """Paint what is held now."""
        self.page.show_page(self._page_at if self.result is not None else None)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        if self.result is None:
            return None
        return self._page_at(width).figure(theme)

    def _page_at(self, width: float) -> Page:
        return span_page(self.result, self.document, width)


def span_said(result: SpanBoundaryResult, span: Span, document: Document | None) -> str:
    """Between which tokens a span lies."""
    pieces = of.of_tokens(result.tokens, document)
    left, right = pieces[span.left].text, pieces[span.right].text
    count = span.right - span.left - 1
    tokens = "1 masked token" if count == 1 else f"{count} masked tokens"
    said = f"{tokens} between “{left}” and “{right}”"
    return f"{said}. {span.problem}" if span.problem else said


def token_said(token: SpanToken) -> str:
    """Which place it is, and how unsure each head is there."""
    said = f"Place {token.place}: entropy {token.boundary_entropy:.2f} nats from the boundary"
    if token.masked_lm_entropy is not None:
        said += f", {token.masked_lm_entropy:.2f} from the masked token"
    return said


def span_page(result: SpanBoundaryResult, document: Document | None, width: float) -> Page:
    """The whole page at a width."""
    blocks: list[tuple[float, Block]] = []
    missing = left_out_said(result.left_out)
    if missing:
        blocks.append((0, Words(missing, width, "small", "warning")))
    blocks.append((0, Words(ABOUT, width, "small", "muted")))
    notes = {
        token.position: f"place {token.place}" for span in result.spans for token in span.tokens
    }
    for span in result.spans:
        notes.update({span.left: "boundary", span.right: "boundary"})
    blocks.append((8, Sentence(result.tokens, document, width, notes, {})))
    for span in result.spans:
        words = span_said(result, span, document)
        blocks.append((16, Words(words[:1].upper() + words[1:], width, "title")))
        for token in span.tokens:
            blocks.append((8, Words(token_said(token), width, "small", "muted")))
            rows = [
                Pair(
                    one.word,
                    one.boundary,
                    one.boundary_rank,
                    one.masked_lm,
                    one.masked_lm_rank,
                    TAG if one.is_original else "",
                )
                for one in token.words
            ]
            blocks.append((2, Pairs(rows, width, ("boundary", "masked LM"))))
    return stack(blocks, width)


VIEW = SpanBoundaryView
