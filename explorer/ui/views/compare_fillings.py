"""Models A and B at the same masks, aligned by word."""

from typing import ClassVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.api import FIRST, SECOND
from explorer.document import Document
from explorer.operations.compare_fillings import (
    OPERATION,
    ComparedMask,
    CompareFillings,
    CompareFillingsResult,
)
from explorer.ui.theme import Theme
from explorer.ui.views.filling.pairs import Pair, Pairs
from explorer.ui.views.filling.sentence import Sentence
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.painted_page import Block, Page, PaintedPage, Words, stack
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14


class CompareFillingsView(View):
    """A table of words for every mask, a blue bar for A and a green one for B."""

    of: ClassVar = OPERATION
    order = 11
    group = "Masking"
    glyph = "compare-horizontal"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.page = PaintedPage("comparePage", self)
        self.page.setAccessibleName("Two models")
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area = scrolling(inside, "compareArea", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)

    def request_of(self, document: Document) -> CompareFillings | None:
        """Asked as soon as something is masked."""
        if not document.text.strip() or not (document.masks or document.literal_masks()):
            return None
        return CompareFillings.of(document)

    def empty_hint(self, document: Document) -> str:
        """Say how to mask."""
        if not document.text.strip():
            return "Type a sentence, then click a word to mask it."
        return "Click a word to mask it, to see what each of the two models expects there."

    def refresh(self) -> None:
        """Paint what is held now."""
        self.page.show_page(self._page_at if self.result is not None else None)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page with the sentence, which on screen stands above it."""
        if self.result is None:
            return None
        return compared_page(self.result, width, alone=True).figure(theme)

    def _page_at(self, width: float) -> Page:
        return compared_page(self.result, width)


def alignment_said(result: CompareFillingsResult) -> str:
    """How the two vocabularies were brought together."""
    if result.same_vocabulary:
        return f"Both models have the same vocabulary of {result.first_words:,} words."
    aside = ", capital letters aside," if result.folded else ""
    return (
        "The vocabularies differ, so the models are compared word by word: the first has "
        f"{result.first_words:,} words as one piece, the second {result.second_words:,}, and "
        f"{result.shared_words:,}{aside} are in both."
    )


def mask_said(mask: ComparedMask) -> str:
    """How far the two are apart at one mask."""
    said = "Both expect the same word first. " if mask.agree else "They expect different words. "
    said += f"{mask.total_variation * 100:.1f} % of the belief lies on other words"
    kl = "infinite" if mask.kl is None else f"{mask.kl:.3f} nats"
    back = "infinite" if mask.kl_back is None else f"{mask.kl_back:.3f}"
    said += f" (KL divergence first to second {kl}, second to first {back})."
    if min(mask.first_covered, mask.second_covered) < 0.9995:
        said += (
            f" Words that both have hold {mask.first_covered * 100:.1f} % of the first's belief "
            f"and {mask.second_covered * 100:.1f} % of the second's; the rest counts as one word."
        )
    return said


def compared_page(result: CompareFillingsResult, width: float, *, alone: bool = False) -> Page:
    """The whole page at a width.

    Args:
        result: What is shown.
        width: In pixels.
        alone: It is to be understood without the window: with the sentence.
    """
    names = f"First, blue: {result.model.id}. Second, green: {result.other.id}."
    blocks: list[tuple[float, Block]] = [(0, Words(names, width, "strong"))]
    said = " ".join(part for part in (alignment_said(result), result.note) if part)
    blocks.append((3, Words(said, width, "small", "muted")))
    numbered = len(result.masks) > 1
    notes = {
        mask.position: f"mask {number}"
        for number, mask in enumerate(result.masks, start=1)
        if numbered
    }
    # One mask stands for a whole word here, so characters of the document are not its tokens'.
    if alone or notes:
        blocks.append((8, Sentence(result.tokens, None, width, notes, {})))
    for number, mask in enumerate(result.masks, start=1):
        if numbered:
            blocks.append((16, Words(f"Mask {number}", width, "title")))
        blocks.append((6, Words(mask_said(mask), width)))
        words = [
            Pair(one.word, one.first, one.first_rank, one.second, one.second_rank)
            for one in mask.words
        ]
        blocks.append((6, Pairs(words, width, (FIRST, SECOND))))
    return stack(blocks, width)


VIEW = CompareFillingsView
