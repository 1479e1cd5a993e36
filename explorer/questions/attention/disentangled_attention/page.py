"""DeBERTa's attention taken apart: the parts of a head's scores, and what each of them is for."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.attention.disentangled_attention.question import (
    ABSOLUTE,
    OPERATION,
    Disentangle,
    DisentangleResult,
)
from explorer.questions.masking.mask_card_text import left_out_said
from explorer.ui.blocks.block import Laid, LaidPage, stack
from explorer.ui.blocks.painted import PaintedPage
from explorer.ui.blocks.text import Words
from explorer.ui.document.gestures import set_options
from explorer.ui.matrices.heat_painting import heat_figure
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.state_pages import label
from explorer.ui.views.taking_apart.beside import Inner, Make, Picture, beside
from explorer.ui.views.taking_apart.changes import change_blocks, verdict_said
from explorer.ui.views.taking_apart.distance_plot import distance_plot
from explorer.ui.views.taking_apart.head_cells import Heads, head_cells
from explorer.ui.views.taking_apart.map_board import MapBoard, TitledMap
from explorer.ui.views.taking_apart.part_switches import PartSwitches, off_words
from explorer.ui.views.taking_apart.parts_of_scores import (
    DISTANCES,
    SHARES,
    labels_of,
    maps_of,
    pair_said,
    place_of_row,
    place_said,
    share_grids,
    sum_said,
)
from explorer.ui.views.taking_apart.place_controls import PlaceControls, shape_of
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.scrolling import scrolling

MARGIN = 14
MASKED_LM = "masked_lm"
"""The head for which the enhanced mask decoder runs."""
ALL_DISTANCES = "disentangled_attention.all_distances"
"""Option: the distances that this text does not have, too; only how the answer is drawn."""
PAIR = "disentangled_attention.pair"
"""Option: [query, key], positions of a pair that stays marked; only how the answer is drawn."""


class DisentangleView(View):
    """Switches, the maps of one head, predictions, shares of all heads, bias by distance."""

    of: ClassVar = OPERATION
    order = 60
    group = "Attention"
    glyph = "puzzle-outline"
    elsewhere = "DeBERTa keeps content and position apart: load one from the library."

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shape: tuple[int, int] | None = None
        self._decodes = True
        self._pair: object = None
        self.place = PlaceControls("disentanglePlace", self)
        self.place.hide()
        self.place.layer_moved.connect(
            lambda n: self.option_moved.emit("disentangled_attention.layer", n)
        )
        self.place.head_moved.connect(
            lambda n: self.option_moved.emit("disentangled_attention.head", n)
        )
        self.place.stack_chosen.connect(
            lambda step: self.option_changed.emit("disentangled_attention.step", step or None)
        )
        self.switches = PartSwitches(self)
        self.switches.changed.connect(
            lambda off: self.option_changed.emit("disentangled_attention.off", off or None)
        )
        self.check = label("sumCheck", "small", self)
        self.verdict = label("offVerdict", "body", self)
        self.pair_line = label("pairLine", "body", self)
        self.board = MapBoard(self)
        self.board.pointed.connect(self._look_at)
        self.board.clicked.connect(lambda *cell: self.option_changed.emit(PAIR, list(cell)))
        self.page = PaintedPage("disentangled_attentionPage", self)
        self.page.setAccessibleName("Predictions, shares of the parts, bias by distance")
        self.page.chosen.connect(self._chosen)
        self.whole = QToolButton(self)
        self.whole.setObjectName("allDistances")
        self.whole.setText("All distances")
        self.whole.setCheckable(True)
        self.whole.setToolTip("Draw the distances that this text does not have, too")
        self.whole.clicked.connect(
            lambda on: self.option_changed.emit(ALL_DISTANCES, True if on else None)
        )
        self.whole.hide()
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        board = QWidget(self)
        inside = QVBoxLayout(board)
        inside.setContentsMargins(MARGIN, 2, MARGIN, MARGIN)
        inside.setSpacing(8)
        for widget in (self.check, self.pair_line, self.board, self.page):
            inside.addWidget(widget)
        inside.addStretch(1)
        self.area = scrolling(board, "disentangled_attentionArea", self)
        above = QVBoxLayout()
        above.setContentsMargins(MARGIN, 0, MARGIN, 0)
        above.addWidget(self.switches)
        above.addWidget(self.verdict)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(above)
        layout.addWidget(self.area, 1)

    # ---- what is asked ----------------------------------------------------------------------

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Know how many layers and heads there are, and whether masked tokens are decoded."""
        card = cards.get(active)
        self._shape = shape_of(card)
        self._decodes = card is None or any(
            head.name == MASKED_LM and head.present for head in card.heads
        )

    def request_of(self, document: Document) -> Disentangle | None:
        """Asked as soon as there is text; a layer that another model had becomes the last one."""
        if not document.text.strip():
            return None
        asked = Disentangle.of(document)
        if self._shape is None:
            return asked
        layers, heads = self._shape
        off = tuple(
            one
            for one in asked.off
            if (one.layer or 0) < layers
            and (one.head or 0) < heads
            and (self._decodes or one.part != ABSOLUTE)
        )
        return replace(
            asked,
            layer=min(asked.layer, layers - 1),
            head=min(asked.head, heads - 1),
            step=asked.step if self._decodes else 0,
            off=off,
        )

    def empty_hint(self, _document: Document) -> str:
        """Say what is needed."""
        return "Type a sentence to see what content and position add to DeBERTa's attention."

    def set_document(self, document: Document) -> None:
        """Show the place and the switches that are asked for."""
        asked = self.request_of(document) or Disentangle.of(document)
        if self._shape is not None:
            self.place.set_shape(*self._shape)
        self.place.set_place(asked.layer, asked.head)
        self.place.layer.setEnabled(asked.step == 0)
        self.switches.set_off(asked.off, asked.layer, asked.head)
        whole, pair = bool(document.option(ALL_DISTANCES, False)), document.option(PAIR)
        if whole != self.whole.isChecked() or pair != self._pair:
            self.whole.setChecked(whole)
            self._pair = pair
            self.refresh()

    def tools(self) -> list[QWidget]:
        """The place and the range of distances; the frame takes them over."""
        self.place.show()
        self.whole.show()
        return [self.whole, self.place]

    # ---- what is shown ----------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what is held now."""
        result: DisentangleResult | None = self.result
        self.switches.setVisible(result is not None)
        if result is None:
            self.verdict.hide()
            self.board.show_maps(())
            self.page.show_page(None)
            return
        stacks = [(0, "Encoder")]
        stacks += [(step, f"Mask decoder, step {step}") for step in range(1, result.steps + 1)]
        self.place.set_stacks(stacks, result.step)
        self.place.set_shape(result.layers, result.heads)
        there = [part.name for part in result.parts] + ([ABSOLUTE] if result.steps else [])
        self.switches.set_parts(there)
        self.check.setText(" ".join(filter(None, (sum_said(result), result.note))))
        self.verdict.setVisible(bool(result.off))
        done = verdict_said(result.changes) if result.changes is not None else ""
        self.verdict.setText(f"Off: {off_words(result.off)}. {done}".strip())
        self.board.show_maps(maps_of(result, self.document))
        self._look_at(None)
        self.page.show_page(self._below_at)

    @property
    def pair(self) -> tuple[int, int] | None:
        """The pair of tokens that stays marked, where this text has it."""
        pair, count = self._pair, len(self.result.tokens)
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(n, int) for n in pair):
            return (pair[0], pair[1]) if min(pair) >= 0 and max(pair) < count else None
        return None

    def _look_at(self, cell: tuple[int, int] | None) -> None:
        """Add up the pair under the mouse; without it, the one that was clicked."""
        if self.result is None:
            return
        if cell is None and self.pair is not None:
            self.board.point_at(self.pair)
            cell = self.pair
        labels = labels_of(self.result, self.document)
        self.pair_line.setText(pair_said(self.result, labels, cell))

    def _below_at(self, width: float) -> LaidPage:
        """What stands below the maps."""
        return stack(self._blocks(width), width)

    def _blocks(self, width: float) -> list[tuple[float, Laid]]:
        result: DisentangleResult = self.result
        blocks: list[tuple[float, Laid]] = []
        if result.changes is not None:
            off = off_words(result.off)
            title = "Predictions before and after" if off else "Predictions"
            blocks.append((8, Words(title, width, "title")))
            said = f"Off: {off}." if off else "Nothing is switched off: before and after are one."
            blocks.append((2, Words(said, width, "small", "muted")))
            blocks += change_blocks(result.changes, self.document, width)
        elif left_out_said(result.left_out):
            blocks.append((4, Words(left_out_said(result.left_out), width, "small", "warning")))
        blocks.append((18, Words("Share of each part", width, "title")))
        blocks.append((2, Words(SHARES, width, "small", "muted")))
        grids = [_grid_maker(heads) for heads in share_grids(result)]
        blocks.append((8, beside(grids, width, 190.0, 380.0)))
        if result.biases:
            blocks.append((18, Words("Bias against distance", width, "title")))
            blocks.append((2, Words(DISTANCES, width, "small", "muted")))
            plot = distance_plot(result, width, whole=self.whole.isChecked())
            blocks.append((8, plot))
        return blocks

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """Everything, the maps included, one below the other."""
        if self.result is None:
            return None
        result: DisentangleResult = self.result
        said = f"{place_said(result)}. {sum_said(result)} {result.note}".strip()
        maps = [_map_maker(one, theme) for one in maps_of(result, self.document)]
        blocks: list[tuple[float, Laid]] = [
            (0, Words(said, width, "small", "muted")),
            (10, beside(maps, width, 280.0, 460.0)),
        ]
        return stack([*blocks, *self._blocks(width)], width).figure(theme)

    def _chosen(self, key: tuple[Any, ...]) -> None:
        """A head was clicked in one of the grids of shares."""
        _, what, row, *rest = key
        if what != "head":
            return
        layer, step = place_of_row(self.result, row)
        values = {
            "disentangled_attention.step": step or None,
            "disentangled_attention.head": rest[0],
        }
        if not step:
            values["disentangled_attention.layer"] = layer
        self.edit_requested.emit(set_options(self.document or Document(), values, "choose a head"))


def _grid_maker(heads: Heads) -> Make:
    return lambda width: head_cells(heads, width)


def _map_maker(one: TitledMap, theme: Theme) -> Make:
    def make(width: float) -> Laid:
        page = stack(
            [
                (0, Words(one.title, width, "strong")),
                (1, Words(one.about, width, "small", "muted")),
                (4, Picture(lambda t: heat_figure(one.content, width, t), theme)),
            ],
            width,
        )
        return Inner(page)

    return make


VIEW = DisentangleView
