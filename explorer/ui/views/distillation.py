"""Every loss between a teacher and a student for this input, and their layers on each other."""

from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QScrollArea, QToolButton, QVBoxLayout, QWidget

from explorer.api import ModelCard, Table
from explorer.distillation.layers import LAST, OWN, UNIFORM
from explorer.distillation.terms import layers_learnt, table_of, terms
from explorer.document import Document
from explorer.operations.distillation import OPERATION, Distillation
from explorer.ui.icons import icon
from explorer.ui.theme import Theme, theme_signals
from explorer.ui.views.distilling import loss_options as options
from explorer.ui.views.distilling.curves import Chart, Charts, Series
from explorer.ui.views.distilling.layer_grid import LayerGrid
from explorer.ui.views.distilling.loss_rows import LossRows
from explorer.ui.views.distilling.roles import SWAPPED, Legend, pair_of, slots_of
from explorer.ui.views.distilling.settings_row import SettingsRow
from explorer.ui.views.view import View
from explorer.ui.widgets.figure import Figure
from explorer.ui.widgets.painted_page import Block, Page, PaintedPage, Words, stack

SIDE = 14
MAPS = (
    (UNIFORM, "Uniform layer map", "Evenly over the teacher's layers, as in TinyBERT"),
    (LAST, "Last layers", "The teacher's last layers, one after the other"),
    (OWN, "Own layer map", "Click a cell to let a student's layer learn from a teacher's"),
)
WHY_SQUARED = (
    "Why T²: the gradient (q − p) / T of the distillation loss shrinks with the temperature, about "
    "as 1 / T² where T is high. Multiplied by T² it keeps its size, so the weights of the sum mean "
    "the same at every temperature."
)


class DistillationView(View):
    """Settings above a page of losses, a grid of layers and the gradient over the temperature."""

    of: ClassVar = OPERATION
    order = 42
    group = "Distillation"
    glyph = "function-variant"
    second_model_hint = (
        "Losses are between two models: load a teacher as A and its student as B. For a bundled "
        "student, right-click it in the library and choose “Compare with its teacher”."
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards: Mapping[str, ModelCard] = {}
        self._options = Document()
        self.swap = QToolButton(self)
        self.swap.setObjectName("swapModels")
        self.swap.setAccessibleName("Swap teacher and student")
        self.swap.setToolTip("Swap teacher and student: B teaches and A learns, or back")
        self.swap.setIcon(icon("swap-horizontal", "text"))
        self.swap.setCheckable(True)
        self.swap.hide()
        self.swap.clicked.connect(lambda on: self.option_changed.emit(SWAPPED, on or None))
        self.settings = SettingsRow(self)
        self.settings.temperature_changed.connect(
            lambda t: self.option_moved.emit(options.TEMPERATURE, t)
        )
        self.settings.weights_changed.connect(
            lambda weights: self.option_moved.emit(options.WEIGHTS, list(weights))
        )
        self.settings.squared_changed.connect(
            lambda on: self.option_changed.emit(options.SQUARED, None if on else False)
        )
        self.settings.distil_changed.connect(
            lambda kind: self.option_changed.emit(options.DISTIL, kind)
        )
        self.map = QComboBox(self)
        self.map.setObjectName("layerMap")
        self.map.setAccessibleName("Layer map")
        for key, title, tip in MAPS:
            self.map.addItem(title, key)
            self.map.setItemData(self.map.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.map.setToolTip("Which of the teacher's layers each of the student's learns from")
        self.map.activated.connect(lambda n: self.option_changed.emit(options.MAP, MAPS[n][0]))
        self.measure = QComboBox(self)
        self.measure.setObjectName("layerMeasure")
        self.measure.setAccessibleName("Likeness of the layers")
        for one in options.MEASURES:
            self.measure.addItem(one.title, one.key)
        self.measure.setToolTip("What the grid of layers shows")
        self.measure.activated.connect(
            lambda n: self.option_changed.emit(options.MEASURE, options.MEASURES[n].key)
        )
        self.page = PaintedPage("distillationPage", self)
        self.page.setAccessibleName("Losses of distillation")
        self.page.chosen.connect(self._chosen)
        self.area = QScrollArea(self)
        self.area.setObjectName("distillationArea")
        self._lay_out()
        theme_signals().changed.connect(lambda _: self.page.update())
        self.refresh()

    def _lay_out(self) -> None:
        inside = QWidget(self.area)
        column = QVBoxLayout(inside)
        column.setContentsMargins(SIDE, 4, SIDE, 18)
        column.addWidget(self.page)
        column.addStretch(1)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inside)
        choices = QHBoxLayout()
        choices.setSpacing(8)
        choices.addWidget(self.map)
        choices.addWidget(self.measure)
        choices.addStretch(1)
        top = QVBoxLayout()
        top.setContentsMargins(SIDE, 0, SIDE, 4)
        top.setSpacing(6)
        top.addWidget(self.settings)
        top.addLayout(choices)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addWidget(self.area, 1)

    # ---- asking -----------------------------------------------------------------------------

    def slots(self, document: Document) -> tuple[str, ...]:
        """Both models; the teacher answers."""
        return slots_of(document)

    def set_models(self, cards: Mapping[str, ModelCard], _active: str) -> None:
        """Keep the titles."""
        self._cards = dict(cards)

    def request_of(self, document: Document) -> Distillation | None:
        """Asked as soon as there is text; losses of predictions need a mask besides."""
        if not document.text.strip():
            return None
        teacher, student = slots_of(document)
        return Distillation(
            document.text,
            document.pair,
            document.masks,
            teacher,
            student,
            options.loss_temperature_of(document),
        )

    def empty_hint(self, _document: Document) -> str:
        """Say what is needed."""
        return "Type a sentence and mask a word in it to see the losses of distillation."

    def set_document(self, document: Document) -> None:
        """Take the options over and redraw what needs no new answer."""
        before, self._options = self._options, document
        settings = options.settings_of(document)
        self.settings.show_settings(settings, options.loss_temperature_of(document))
        with (
            QSignalBlocker(self.swap),
            QSignalBlocker(self.map),
            QSignalBlocker(self.measure),
        ):
            self.swap.setChecked(document.option(SWAPPED, False) is True)
            self.map.setCurrentIndex(max(0, self.map.findData(settings.map_kind)))
            shown = options.measure_of(document)
            self.measure.setCurrentIndex(max(0, self.measure.findData(shown.key)))
        if self.result is not None and before.options != document.options:
            self.refresh()

    def tools(self) -> list[QWidget]:
        """The swap; the frame takes it over."""
        self.swap.show()
        return [self.swap]

    def _chosen(self, key: tuple[str, Any]) -> None:
        """A cell was clicked: its student layer learns from its teacher layer."""
        _, (student, teacher) = key
        mapped = layers_learnt(self.result, options.settings_of(self._options))
        own = options.with_mapped(mapped, student, teacher)
        self.option_changed.emit(options.OWN_MAP, own)
        self.option_changed.emit(options.MAP, OWN)

    # ---- drawing ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Draw the answer with the settings of now."""
        self.page.show_page(None if self.result is None else self._maker())

    def _maker(self) -> Any:
        result = self.result
        settings = options.settings_of(self._options)
        every = terms(result, settings)
        pair = pair_of(result.model.id, result.other.id, self._cards, self._options)

        def make(width: float) -> Page:
            blocks: list[tuple[float, Block]] = [(0, Legend(pair, width))]
            blocks += [(4, Words(note, width, "small", "muted")) for note in result.notes]
            blocks.append((10, LossRows(every, width)))
            blocks += self._layer_blocks(width)
            blocks += self._gradient_blocks(width)
            return stack(blocks, width)

        return make

    def _layer_blocks(self, width: float) -> list[tuple[float, Block]]:
        layers = self.result.layers
        if layers is None:
            return []
        measure = options.measure_of(self._options)
        values = options.values_of(layers, measure)
        title = Words(
            f"Every student layer against every teacher layer: {measure.title.lower()}"
            if values is None
            else f"Every layer against every other. {measure.title}",
            width,
            "strong",
        )
        if values is None:
            why = "The models have different numbers of heads, so attention can't be compared."
            return [(24, title), (4, Words(why, width, "small", "muted"))]
        explained = f"{measure.words} Framed: the layer map, which the losses above follow."
        if layers.fits_exactly and measure.key in ("mse", "cosine"):
            explained += " Here least squares fits exactly: look at CKA instead."
        mapped = layers_learnt(self.result, options.settings_of(self._options))
        grid = LayerGrid(
            values,
            measure,
            mapped,
            width,
            with_embeddings=not measure.key.startswith("attention"),
        )
        return [(24, title), (4, Words(explained, width, "small", "muted")), (10, grid)]

    def _gradient_blocks(self, width: float) -> list[tuple[float, Block]]:
        found = self.result.predictions
        if found is None:
            return []
        at = found.temperatures
        charts = (
            Chart(
                "Gradient's size over T",
                "Length of the distillation loss's gradient with respect to the student's logits, "
                "averaged over the masks.",
                at,
                (
                    Series("without T²", found.gradient_curve, "muted", dashed=True),
                    Series("with T²", found.gradient_curve * at**2, "bar"),
                ),
                logarithmic=True,
            ),
            Chart(
                "KL(teacher ‖ student) over T (nats)",
                "The divergence with and without T squared, averaged over the masks.",
                at,
                (
                    Series("without T²", found.kl_curve, "muted", dashed=True),
                    Series("with T²", found.kl_curve * at**2, "bar"),
                ),
                logarithmic=True,
            ),
        )
        return [
            (24, Words("Why T squared", width, "strong")),
            (4, Words(WHY_SQUARED, width, "small", "muted")),
            (10, Charts(charts, self.result.temperature, width)),
        ]

    # ---- exporting --------------------------------------------------------------------------

    def table(self) -> Table | None:
        """Every loss in the settings of now."""
        if self.result is None:
            return None
        return table_of(self.result, options.settings_of(self._options))

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        if self.result is None:
            return None
        page: Page = self._maker()(width)
        return page.figure(theme)


VIEW = DistillationView
