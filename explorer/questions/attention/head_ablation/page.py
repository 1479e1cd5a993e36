"""Heads switched off by a click, and what the model still predicts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.attention.head_ablation.question import (
    OPERATION,
    HeadEffects,
    SwitchOff,
    SwitchOffResult,
)
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.painted import PaintedPage
from explorer.ui.blocks.text import Words
from explorer.ui.document.gestures import Edit, Where
from explorer.ui.matrices.block import LaidMatrix
from explorer.ui.matrices.scale import Scale, number, short
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.taking_apart.beside import Inner, Make, left_and_right
from explorer.ui.views.taking_apart.changes import change_blocks
from explorer.ui.views.taking_apart.head_cells import WIDEST, Heads, head_cells
from explorer.ui.views.taking_apart.place_controls import shape_of
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14
TITLES = {
    "encoder": "Encoder",
    "decoder": "Decoder",
    "cross": "From the decoder to the encoder",
}
SMALL = 20_000_000
"""Parameters up to which a model's heads are measured without the Run button."""

EFFECT_OF_MASKS = (
    "Each cell is one head switched off alone: how the logarithm of the hidden word's probability "
    "changes (in nats; the mean over the masks; where nothing is hidden, of the word that was most "
    "probable). Blue: without the head the word is less probable."
)
EFFECT_OF_TOKENS = (
    "Each cell is one head switched off alone: how far the probabilities that tokens were replaced "
    "move, the mean over all tokens."
)
HOW = (
    "Click a head to switch it off, and again to switch it on; a layer's number takes all its "
    "heads. A head that is off adds nothing to what its layer hands on."
)


class SwitchOffView(View):
    """Layers x heads to be clicked, and the predictions before and after."""

    of: ClassVar = OPERATION
    order = 58
    group = "Attention"
    glyph = "toggle-switch-off-outline"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._operations: frozenset[str] = frozenset({"masked_tokens"})
        self._large = False
        self._coloured = False
        self._shape: tuple[int, int] | None = None
        self._measured: tuple[object, tuple[HeadEffects, ...]] | None = None
        self.measure = QToolButton(self)
        self.measure.setText("Measure every head")
        self.measure.setObjectName("measureHeads")
        self.measure.setCheckable(True)
        self.measure.setToolTip(
            "Switch every head off once, alone, and colour the heads by what that does to the "
            "predictions"
        )
        self.measure.clicked.connect(
            lambda on: self.option_changed.emit("head_ablation.every", True if on else None)
        )
        self.all_on = QToolButton(self)
        self.all_on.setText("All on")
        self.all_on.setObjectName("allHeadsOn")
        self.all_on.setToolTip("Switch every head on again")
        self.all_on.clicked.connect(lambda: self.option_changed.emit("head_ablation.heads", None))
        for button in (self.measure, self.all_on):
            button.hide()
        self.page = PaintedPage("switchOffPage", self)
        self.page.setAccessibleName("Heads, and predictions before and after")
        self.page.chosen.connect(self._toggle)
        board = QWidget(self)
        inside = QVBoxLayout(board)
        inside.setContentsMargins(MARGIN, 4, MARGIN, MARGIN)
        inside.addWidget(self.page)
        inside.addStretch(1)
        self.area = scrolling(board, "switchOffArea", self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.addWidget(self.area)
        self.refresh()

    # ---- what is asked ----------------------------------------------------------------------

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Know whether the model fills masks, and whether it is large."""
        card = cards.get(active)
        if card is not None:
            self._operations = frozenset(card.operations)
            self._large = card.parameters > SMALL
        self._shape = shape_of(card)

    def request_of(self, document: Document) -> SwitchOff | None:
        """Asked as soon as there is something to predict; heads are measured once a text.

        Heads that were switched off in a larger model, and are not in this one, are left out.
        """
        masked = bool(document.masks or document.literal_masks())
        judges = "replaced_tokens" in self._operations
        if not document.text.strip() or not (masked or judges):
            return None
        asked = SwitchOff.of(document)
        if self._shape is not None:
            layers, heads = self._shape
            there = (one for one in asked.heads if one.layer < layers and one.head < heads)
            asked = replace(asked, heads=tuple(there))
        if asked.every and self._known(document) is not None:
            return replace(asked, every=False)
        return asked

    def on_demand(self, document: Document) -> bool:
        """A large model's heads are measured when the user says so."""
        asked = self.request_of(document)
        return asked is not None and asked.every and self._large

    def empty_hint(self, document: Document) -> str:
        """Say how to mask."""
        if not document.text.strip():
            return "Type a sentence, then click a word to mask it."
        return "Click a word to mask it: what the model expects there is compared."

    def set_document(self, document: Document) -> None:
        """Show which buttons are down."""
        asked = SwitchOff.of(document)
        self.measure.setChecked(asked.every)
        self.all_on.setEnabled(bool(asked.heads))
        if asked.every != self._coloured:
            # Heads that were measured before are coloured again without being asked about.
            self._coloured = asked.every
            self.page.show_page(self._page_at if self.result is not None else None)

    def tools(self) -> list[QWidget]:
        """Measuring, and switching all on; the frame takes them over."""
        self.measure.show()
        self.all_on.show()
        return [self.measure, self.all_on]

    def _known(self, document: Document) -> tuple[HeadEffects, ...] | None:
        """What measuring said of this text, where that is still known."""
        asked = (document.text, document.pair, document.masks)
        if self._measured is None or self.result is None:
            return None
        return self._measured[1] if self._measured[0] == (self.result.model, asked) else None

    # ---- what is shown ----------------------------------------------------------------------

    def refresh(self) -> None:
        """Paint what is held now."""
        if self.result is not None and self.document is not None and self.result.effects:
            asked = (self.document.text, self.document.pair, self.document.masks)
            self._measured = ((self.result.model, asked), self.result.effects)
        self.page.show_page(self._page_at if self.result is not None else None)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        return self._page_at(width).figure(theme) if self.result is not None else None

    @property
    def effects(self) -> tuple[HeadEffects, ...]:
        """Of this answer's text, where they were measured and are asked for."""
        if self.document is None or not self._coloured:
            return ()
        return self._known(self.document) or ()

    def _page_at(self, width: float) -> LaidPage:
        result: SwitchOffResult = self.result
        blocks: list[tuple[float, Laid]] = [
            (0, Words(said_of(result), width, "strong")),
            (2, Words(HOW, width, "small", "muted")),
        ]
        effects = {one.kind: one for one in self.effects}
        left: list[tuple[float, Make]] = [
            (10 if number else 0, self._grid(one, effects.get(one[0])))
            for number, one in enumerate(result.stacks)
        ]
        if effects:
            about = EFFECT_OF_MASKS if result.changes.masks else EFFECT_OF_TOKENS
            left.append((4, lambda wide: Words(about, wide, "small", "muted")))
        most = max(heads for _, _, heads in result.stacks)
        left_width = min(max(220.0, most * WIDEST + 50), 0.42 * width)
        right: list[tuple[float, Make]] = [(0, self._changes_at)]
        blocks.append((10, left_and_right(left, right, width, left_width)))
        return stack(blocks, width)

    def _changes_at(self, width: float) -> Laid:
        return Inner(stack(change_blocks(self.result.changes, self.document, width), width))

    def _grid(self, of: tuple[str, int, int], effects: HeadEffects | None) -> "_GridMaker":
        kind, layers, heads = of
        off = {(one.layer, one.head) for one in self.result.off if one.kind == kind}
        values = effects.values if effects is not None else None
        masked = bool(self.result.changes.masks)
        # One scale for all stacks, so that their heads can be compared.
        every = [one.values.reshape(-1) for one in self.effects]
        scale = Scale()
        if every:
            together = np.concatenate(every)
            scale = Scale.about_zero(together) if masked else Scale.from_zero(together)

        def words(layer: int, head: int) -> str:
            state = "off" if (layer, head) in off else "on"
            lines = [f"Layer {layer}, head {head}: {state}"]
            if values is not None:
                unit = " nats" if masked else ""
                lines.append(
                    f"Off alone: {number(float(values[layer, head]), signed=masked)}{unit}"
                )
            lines.append(f"Click to switch it {'on' if state == 'off' else 'off'}.")
            return "\n".join(lines)

        return _GridMaker(
            Heads(
                name=kind,
                title=TITLES[kind],
                rows=tuple(str(layer) for layer in range(layers)),
                heads=heads,
                words=words,
                values=values,
                scale=scale,
                written=_signed if masked else short,
                off=off,
                about_row=lambda layer: f"All heads of layer {layer}",
            )
        )

    def _toggle(self, key: tuple[Any, ...]) -> None:
        kind, what, layer, *rest = key
        heads = next(heads for name, _, heads in self.result.stacks if name == kind)
        named = range(heads) if what == "layer" else rest
        these = {(kind, layer, head) for head in named}

        def change(now: Document, _where: Where) -> Document:
            # The heads of now: several may be clicked before an answer comes.
            chosen = {(p.kind, p.layer, p.head) for p in SwitchOff.of(now).heads}
            chosen = chosen - these if these <= chosen else chosen | these
            written = [list(one) for one in sorted(chosen)]
            return now.with_option("head_ablation.heads", written or None)

        name = f"switch layer {layer}" if what == "layer" else f"switch head {layer}.{rest[0]}"
        self.edit_requested.emit(Edit(name, self.document or Document(), change))


class _GridMaker:
    """Makes a grid for a width."""

    def __init__(self, heads: Heads) -> None:
        self._heads = heads

    def __call__(self, width: float) -> LaidMatrix:
        return head_cells(self._heads, width)


def _signed(value: float) -> str:
    text = f"{value:+.2f}".replace("-", "−")
    return "0" if text in {"+0.00", "−0.00"} else text


def said_of(result: SwitchOffResult) -> str:
    """How many heads are off, and which."""
    total = sum(layers * heads for _, layers, heads in result.stacks)
    if not result.off:
        return f"All {total} heads are on."
    several = len(result.stacks) > 1
    named = "; ".join(filter(None, (_named(result, k, several) for k, _, _ in result.stacks)))
    are = "is" if len(result.off) == 1 else "are"
    return f"{len(result.off)} of {total} heads {are} off: {named}."


def _named(result: SwitchOffResult, kind: str, with_kind: bool) -> str:
    """The heads of a stack that are off, in words: "layer 1: 2, 3; layer 2: all"."""
    heads = next(heads for name, _, heads in result.stacks if name == kind)
    layers: dict[int, list[str]] = {}
    for one in result.off:
        if one.kind == kind:
            layers.setdefault(one.layer, []).append(str(one.head))
    said = [
        f"layer {layer}: {'all' if len(named) == heads else ', '.join(named)}"
        for layer, named in layers.items()
    ]
    if not said:
        return ""
    return f"{TITLES[kind].lower()} {'; '.join(said)}" if with_kind else "; ".join(said)


VIEW = SwitchOffView
