"""Every token hidden in turn: how much each surprises the model, and the sentence as a whole."""

from collections.abc import Mapping
from typing import ClassVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from explorer.api import ModelCard
from explorer.document import Document, Mask
from explorer.operations.sweep import MASKING, OPERATION, Method, Surprise, Sweep, SweepResult
from explorer.ui.gestures import put_words
from explorer.ui.theme import Theme
from explorer.ui.views.mask_card_text import left_out_said
from explorer.ui.views.sweeping.numbers import Numbers
from explorer.ui.views.sweeping.strip import Strip
from explorer.ui.views.sweeping.wording import (
    LIKELIHOOD,
    METHODS,
    NATS,
    PSEUDO,
    UNITS,
    about_token,
    how_to_read,
    numbers_of,
    verdict,
)
from explorer.ui.views.view import View
from explorer.ui.widgets import pieces as of
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.painted_page import Block, Page, PaintedPage, Words, stack
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14
DEAR = 4e11
"""Multiplications above which the question waits for the Run button: some seconds on a CPU."""


class SweepView(View):
    """A page: the sentence in numbers, a bar under every token, how to read it."""

    of: ClassVar = OPERATION
    order = 16
    group = "Masking"
    glyph = "chart-bar"
    pinnable = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parameters = 0
        self.method = self._choice("sweepMethod", "What is hidden with a token")
        for number, one in enumerate(MASKING):
            self.method.addItem(METHODS[one][0], one.value)
            self.method.setItemData(number, METHODS[one][1], Qt.ItemDataRole.ToolTipRole)
        self.method.activated.connect(
            lambda index: self.option_changed.emit("sweep.method", self.method.itemData(index))
        )
        self.unit = self._choice("sweepUnit", "The unit of surprise")
        for name in UNITS:
            self.unit.addItem(name, name)
        self.unit.setToolTip("Nats are natural logarithms; one bit is 0.69 nats.")
        self.unit.activated.connect(
            lambda index: self.option_changed.emit("sweep.unit", self.unit.itemData(index))
        )
        self.page = PaintedPage("sweepPage", self)
        self.page.setAccessibleName("Surprise of every token")
        self.page.chosen.connect(self._chosen)
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area = scrolling(inside, "sweepArea", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        self._unit = NATS

    def _choice(self, name: str, spoken: str) -> QComboBox:
        made = QComboBox(self)
        made.setObjectName(name)
        made.setAccessibleName(spoken)
        made.hide()
        return made

    def request_of(self, document: Document) -> Sweep | None:
        """Asked as soon as there is text."""
        return Sweep.of(document) if document.text.strip() else None

    def empty_hint(self, document: Document) -> str:
        """Say what will be seen."""
        if not document.text.strip():
            return "Type a sentence to see how much each of its words surprises the model."
        return (
            "Every token of the sentence is hidden in turn, which takes this model a while. Press "
            "Run to see how much each of them surprises it."
        )

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Know how dear a question is."""
        card = cards.get(active)
        self._parameters = card.parameters if card is not None else 0

    def on_demand(self, document: Document) -> bool:
        """A long text in a large model takes many passes."""
        tokens = 1.5 * len((document.text + " " + (document.pair or "")).split())
        return self._parameters * tokens * tokens > DEAR

    def set_document(self, document: Document) -> None:
        """Show the method and the unit."""
        asked = Sweep.of(document)
        with QSignalBlocker(self.method):
            self.method.setCurrentIndex(self.method.findData(asked.method.value))
        self.method.setToolTip(METHODS[asked.method][1])
        name = document.option("sweep.unit", "nats")
        unit = UNITS.get(name, NATS) if isinstance(name, str) else NATS
        with QSignalBlocker(self.unit):
            self.unit.setCurrentIndex(self.unit.findData(unit.name))
        if unit is not self._unit:
            self._unit = unit
            self.refresh()

    def tools(self) -> list[QWidget]:
        """The method and the unit; the frame takes them over."""
        self.method.show()
        self.unit.show()
        return [self.method, self.unit]

    def refresh(self) -> None:
        """Paint what is held now."""
        result: SweepResult | None = self.result
        from_left = result is not None and not result.is_pseudo
        self.method.setEnabled(not from_left)
        if from_left:
            self.method.setToolTip(METHODS[Method.LEFT_TO_RIGHT][1])
        self.page.show_page(self._page_at if result is not None else None)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        return self._page_at(width).figure(theme) if self.result is not None else None

    def _page_at(self, width: float) -> Page:
        result: SweepResult = self.result
        unit = self._unit
        pinned: SweepResult | None = self.baseline.result if self.baseline is not None else None
        pieces = of.of_tokens(result.tokens, self.document)
        blocks: list[tuple[float, Block]] = []
        missing = left_out_said(result.left_out)
        if missing:
            blocks.append((0, Words(missing, width, "small", "warning")))
        blocks.append((6, Words(verdict(result), width)))
        blocks.append((12, Numbers(numbers_of(result, unit, pinned), width)))
        strip = Strip(
            pieces,
            result.surprises,
            width,
            unit,
            {
                one.position: better_word(one)
                for one in result.surprises
                if one.rank > 1 and one.predictions
            },
            {
                one.position: about_token(pieces[one.position].text, one, unit)
                for one in result.surprises
            },
            aligned(pinned, result),
        )
        blocks.append((18, strip))
        if pinned is not None:
            same = bool(aligned(pinned, result))
            said = (
                "A line across a bar is where the pinned answer's bar ends."
                if same
                else "The pinned answer has other tokens, so only the sums are compared."
            )
            blocks.append((8, Words(said, width, "small", "muted")))
        if result.note:
            blocks.append((8, Words(result.note, width, "small", "warning")))
        if self.document is not None and self.document.masks:
            lifted = "The masks of the sentence are lifted here: every token is hidden in its turn."
            blocks.append((8, Words(lifted, width, "small", "muted")))
        blocks.append((14, Words(how_to_read(unit), width, "small", "muted")))
        blocks.append((6, Words(METHODS[result.method][1], width, "small", "muted")))
        why = PSEUDO if result.is_pseudo else LIKELIHOOD
        blocks.append((6, Words(why, width, "small", "muted")))
        return stack(blocks, width)

    def _chosen(self, key: tuple[str, int]) -> None:
        kind, position = key
        if kind == "token":
            self.select_requested.emit(position)
            return
        if self.document is None:
            return
        one = next(s for s in self.result.surprises if s.position == position)
        token, best = self.result.tokens[position], one.predictions[0]
        start, word = token.start, best.word
        text = self.document.part(token.part)
        if token.joined and best.glue != "before":
            word = f" {word}"
        elif not token.joined and best.glue == "before" and text[:start].endswith(" "):
            start -= 1
        place = Mask(start, token.end, token.part)
        self.edit_requested.emit(put_words(self.document, (place, word)))


def better_word(one: Surprise) -> str:
    """The most probable piece as it is drawn; dots where the rest of its word would be."""
    best = one.predictions[0]
    word = of.visible(best.word) or best.token
    return f"…{word}" if best.glue == "before" else f"{word}…" if best.glue == "after" else word


def aligned(pinned: SweepResult | None, result: SweepResult) -> dict[int, float]:
    """The pinned answer's surprises by position, where both have the same tokens."""
    if pinned is None or [t.text for t in pinned.tokens] != [t.text for t in result.tokens]:
        return {}
    return {one.position: one.nats for one in pinned.surprises}


VIEW = SweepView
