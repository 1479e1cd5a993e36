"""Several masks filled together, beside what each of them says alone."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from explorer.api import Entry, Table
from explorer.document import Document, Mask
from explorer.operations.fill_jointly import (
    OPERATION,
    Filling,
    FillJointly,
    FillJointlyResult,
    Method,
)
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.painted import PaintedPage
from explorer.ui.blocks.shown import Pinned
from explorer.ui.blocks.text import Words
from explorer.ui.blocks.tokens import Sentence
from explorer.ui.controls.segmented import Segmented
from explorer.ui.gestures import Edit, Where, put_words
from explorer.ui.glossary import explain
from explorer.ui.theme import Theme
from explorer.ui.views.filling.dependence import DependenceTable
from explorer.ui.views.filling.fillings import (
    Before,
    Fillings,
    Row,
    before_of,
    compared_table,
    key_of,
)
from explorer.ui.views.filling.steps import Steps
from explorer.ui.views.filling.wording import (
    BARS,
    BARS_FROM_LEFT,
    METHODS,
    STEPS,
    STEPS_FROM_LEFT,
    TABLE,
    order_said,
    verdict,
)
from explorer.ui.views.mask_card_text import left_out_said
from explorer.ui.views.pinned_places import matched
from explorer.ui.views.view import View
from explorer.ui.widgets.bar_rows import drawn
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.pin_bar import compared_with
from explorer.ui.widgets.scrolling import scrolling

WIDTHS = (1, 4, 8, 16, 32)
MARGIN = 14
OTHER_MASKS = (
    "The pinned answer is of masks at other places, so its fillings are not compared with these."
)


class FillJointlyView(View):
    """A page: what came of it, the sentence, the fillings, two masks as a table, the steps."""

    of: ClassVar = OPERATION
    order = 12
    group = "Masking"
    glyph = "set-center"
    pinnable = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.method = QComboBox(self)
        self.method.setObjectName("jointMethod")
        self.method.setAccessibleName("How the masks are filled")
        for number, (one, (words, sentence)) in enumerate(METHODS.items()):
            self.method.addItem(words, one.value)
            self.method.setItemData(number, sentence, Qt.ItemDataRole.ToolTipRole)
        self.method.activated.connect(self._choose_method)
        self.method.hide()
        self.width_choice = Segmented("beamWidth", "Beam", [Entry(n, str(n)) for n in WIDTHS], self)
        self.width_choice.setToolTip(
            f"{explain('beam search')}\nHow many fillings are kept at every mask."
        )
        self.width_choice.chosen.connect(
            lambda width: self.option_changed.emit("fill_jointly.width", width)
        )
        self.width_choice.hide()
        self.page = PaintedPage("jointPage", self)
        self.page.setAccessibleName("Joint filling")
        self.page.chosen.connect(self._chosen)
        inside = QWidget(self)
        column = QVBoxLayout(inside)
        column.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area = scrolling(inside, "jointArea", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        self.set_document(Document())

    def request_of(self, document: Document) -> FillJointly | None:
        """Asked as soon as something is masked."""
        if not document.text.strip() or not (document.masks or document.literal_masks()):
            return None
        return FillJointly.of(document)

    def empty_hint(self, document: Document) -> str:
        """Say how to mask two words."""
        if not document.text.strip():
            return "Type a sentence, then click two words to mask them."
        return (
            "Click two or more words to mask them: a model fills each mask without a look at the "
            "others, and here you see what it would say if it looked."
        )

    def set_document(self, document: Document) -> None:
        """Show the method and the width that are asked for."""
        asked = FillJointly.of(document)
        with QSignalBlocker(self.method):
            self.method.setCurrentIndex(self.method.findData(asked.method.value))
        self.method.setToolTip(METHODS[asked.method][1])
        self.width_choice.set_choice(asked.width)
        self.width_choice.setEnabled(asked.method is Method.BEAM)

    def tools(self) -> list[QWidget]:
        """The method and the beam's width; the frame takes them over."""
        self.method.show()
        self.width_choice.show()
        return [self.method, self.width_choice]

    def refresh(self) -> None:
        """Paint what is held now."""
        self.page.show_page(self._page_at if self.result is not None else None)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        if self.result is None:
            return None
        return self._page_at(width).figure(theme)

    def table(self) -> Table | None:
        """The fillings; with a pinned answer, what each had there beside them."""
        plain = super().table()
        if plain is None or self.baseline is None:
            return plain
        known = known_fillings(self.result, self.document, self.baseline)
        return compared_table(plain, known or {})

    def caption(self) -> str:
        """With a pinned answer, what it was."""
        return super().caption() + compared_with(self.baseline)

    def _page_at(self, width: float) -> LaidPage:
        return joint_page(self.result, self.document, self.baseline, width)

    # ---- what the user does -----------------------------------------------------------------

    def _choose_method(self, index: int) -> None:
        self.option_changed.emit("fill_jointly.method", self.method.itemData(index))

    def _chosen(self, key: tuple[str, int]) -> None:
        kind, number = key
        if kind == "mask":
            self._put_next(number)
        else:
            self._put_words(shown_fillings(self.result)[number].filling)

    def _put_next(self, position: int) -> None:
        """Put a mask next in the order by hand; all in order, begin again with it."""
        result: FillJointlyResult = self.result
        mask = result.positions.index(position)
        count = len(result.order)

        def change(now: Document, _where: Where) -> Document:
            # The order of now: several masks may be clicked before an answer comes.
            asked = FillJointly.of(now)
            order = asked.order if asked.method is Method.BY_HAND else ()
            known = [one for one in order if one < count and one != mask]
            complete = len(known) + (mask in order) >= count
            after = [mask] if complete else [*known, mask]
            by_hand = now.with_option("fill_jointly.method", Method.BY_HAND.value)
            return by_hand.with_option("fill_jointly.order", after)

        seen = self.document or Document()
        self.edit_requested.emit(Edit(f"fill mask {mask + 1} next", seen, change))

    def _put_words(self, filling: Filling) -> None:
        """Put a filling into the sentence."""
        if self.document is None:
            return
        puts = []
        gaps = zip(self.result.gaps, gap_places(self.result), filling.words, strict=True)
        for gap, place, words in gaps:
            glued = filling.chosen[gap[0]].glue == "before"
            if glued and self.document.part(place.part)[: place.start].endswith(" "):
                puts.append((replace(place, start=place.start - 1), words))
            else:
                puts.append((place, words))
        self.edit_requested.emit(put_words(self.document, *puts))


def gap_places(result: FillJointlyResult) -> tuple[Mask, ...]:
    """The characters under every gap."""
    at = [[result.tokens[result.positions[mask]] for mask in gap] for gap in result.gaps]
    return tuple(Mask(gap[0].start, gap[-1].end, gap[0].part) for gap in at)


def known_fillings(
    result: FillJointlyResult, document: Document | None, pinned: Pinned | None
) -> Mapping[tuple[str, ...], Before] | None:
    """The pinned fillings; None where nothing is pinned, or masks stand at other places there."""
    if pinned is None or document is None:
        return None
    then: FillJointlyResult = pinned.result
    numbers = matched(gap_places(result), document, gap_places(then), pinned.document)
    return before_of(then) if numbers == tuple(range(len(then.gaps))) else None


def shown_fillings(
    result: FillJointlyResult, known: Mapping[tuple[str, ...], Before] | None = None
) -> tuple[Row, ...]:
    """What the method found, and the words of each mask alone where they are not among it."""
    alone = result.independent

    def row(filling: Filling, rank: str) -> Row:
        before = known.get(key_of(filling), Before()) if known is not None else None
        is_alone = alone is not None and filling.words == alone.words and len(result.order) > 1
        return Row(filling, rank, is_alone, before)

    rows = [row(one, str(rank)) for rank, one in enumerate(result.fillings, start=1)]
    if alone is not None and not any(one.is_alone for one in rows) and len(result.order) > 1:
        rows.append(row(alone, "–"))
    return tuple(rows)


def mask_names(result: FillJointlyResult) -> tuple[str, ...]:
    """How the masks are called: by their number in the text."""
    return tuple(f"mask {number}" for number in range(1, len(result.order) + 1))


def joint_page(
    result: FillJointlyResult, document: Document | None, pinned: Pinned | None, width: float
) -> LaidPage:
    """The whole page at a width."""
    names = mask_names(result)
    blocks: list[tuple[float, Laid]] = []
    missing = left_out_said(result.left_out)
    if missing:
        blocks.append((0, Words(missing, width, "small", "warning")))
    blocks.append((6, Words(verdict(result), width)))
    when = {mask: step for step, mask in enumerate(result.order, start=1)}
    best = result.fillings[0]
    notes = {
        position: f"{when[mask]}. {drawn(best.chosen[mask])}"
        for mask, position in enumerate(result.positions)
    }
    hints = {
        position: f"{names[mask].capitalize()}, filled as number {when[mask]}. Click to put it "
        "next in an order of your own."
        for mask, position in enumerate(result.positions)
        if len(result.order) > 1
    }
    blocks.append((10, Sentence(result.tokens, document, width, notes, hints)))
    said = " ".join(part for part in (order_said(result, names), result.note) if part)
    if said:
        blocks.append((4, Words(said, width, "small", "muted")))
    known = known_fillings(result, document, pinned)
    if known is None and pinned is not None:
        blocks.append((8, Words(OTHER_MASKS, width, "small", "muted")))
    blocks.append((14, Fillings(shown_fillings(result, known), width)))
    about = BARS if result.independent is not None else BARS_FROM_LEFT
    blocks.append((4, Words(about, width, "small", "muted")))
    found = result.dependence
    if found is not None:
        first, second = names[found.first], names[found.second]
        heading = f"{second.capitalize()}, once {first} is filled"
        blocks.append((18, Words(heading, width, "title")))
        blocks.append((2, Words(TABLE.format(first=first, second=second), width, "small", "muted")))
        blocks.append((6, DependenceTable(found, width, first, second)))
    if len(result.steps) > 1:
        blocks.append((18, Words("Step by step", width, "title")))
        about = STEPS if result.alone else STEPS_FROM_LEFT
        blocks.append((2, Words(about, width, "small", "muted")))
        blocks.append((4, Steps(result, width, names)))
    return stack(blocks, width)


VIEW = FillJointlyView
