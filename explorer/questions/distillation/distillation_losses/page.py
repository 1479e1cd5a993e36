"""Every loss between a teacher and a student for this input, and their layers on each other."""

from typing import Any, ClassVar

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from explorer.api import Table
from explorer.document import Document
from explorer.numerics.layers import LAST, OWN, UNIFORM
from explorer.questions.distillation.distillation_losses.question import OPERATION, Distillation
from explorer.questions.distillation.distillation_losses.terms import (
    Term,
    layers_learnt,
    table_of,
    terms,
)
from explorer.ui.blocks.block import Laid, stack
from explorer.ui.blocks.text import Words
from explorer.ui.charts.block import LaidCharts
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.distilling import loss_options as options
from explorer.ui.views.distilling.curves import KEY, at_temperature, over_temperatures
from explorer.ui.views.distilling.layer_grid import layer_grid
from explorer.ui.views.distilling.loss_rows import LossRows
from explorer.ui.views.distilling.pair_view import PairView
from explorer.ui.views.distilling.roles import legend
from explorer.ui.views.distilling.settings_row import SettingsRow
from explorer.ui.widgets.figure import Figure

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


class DistillationView(PairView):
    """Settings, a page of losses, and a page of layers and of the gradient over the temperature."""

    of: ClassVar = OPERATION
    order = 42
    glyph = "function-variant"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self.map.activated.connect(lambda n: self._map_chosen(MAPS[n][0]))
        self.measure = QComboBox(self)
        self.measure.setObjectName("layerMeasure")
        self.measure.setAccessibleName("Likeness of the layers")
        for one in options.MEASURES:
            self.measure.addItem(one.title, one.key)
        self.measure.setToolTip("What the grid of layers shows")
        self.measure.activated.connect(
            lambda n: self.option_changed.emit(options.MEASURE, options.MEASURES[n].key)
        )
        choices = QWidget(self)
        row = QHBoxLayout(choices)
        row.setContentsMargins(0, 6, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.map)
        row.addWidget(self.measure)
        row.addStretch(1)
        self.losses = self.painted("lossesPage", "Losses of distillation")
        self.layers = self.painted("layersPage", "Layers on layers, and the gradient's size")
        self.layers.chosen.connect(self._chosen)
        self.choices = choices
        self.area = self.scrolling(
            "distillation_lossesArea", self.settings, self.losses, choices, self.layers
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.area)
        self.refresh()

    # ---- asking -----------------------------------------------------------------------------

    def request_of(self, document: Document) -> Distillation | None:
        """Asked as soon as there is text; losses of predictions need a mask besides."""
        if not document.text.strip():
            return None
        return Distillation(
            document.text,
            document.pair,
            document.masks,
            options.loss_temperature_of(document),
        )

    def empty_hint(self, _document: Document) -> str:
        """Say what is needed."""
        return "Type a sentence and mask a word in it to see the losses of distillation."

    def set_document(self, document: Document) -> None:
        """Take the options over and redraw what needs no new answer."""
        stale = self.take_options(document)
        settings = options.settings_of(document)
        self.settings.show_settings(settings, options.loss_temperature_of(document))
        with QSignalBlocker(self.map), QSignalBlocker(self.measure):
            self.map.setCurrentIndex(max(0, self.map.findData(settings.map_kind)))
            shown = options.measure_of(document)
            self.measure.setCurrentIndex(max(0, self.measure.findData(shown.key)))
        if stale:
            self.refresh()

    def _map_chosen(self, kind: str) -> None:
        """A kind of map; the user's own begins as the one that is shown."""
        value: Any = kind
        if kind == OWN:
            value = list(layers_learnt(self.result, options.settings_of(self.options)))
        self.option_changed.emit(options.MAP, None if kind == UNIFORM else value)

    def _chosen(self, key: tuple[str, Any]) -> None:
        """A cell was clicked: its student layer learns from its teacher layer; or T was dragged."""
        what, value = key
        if what == KEY:
            self.settings.temperature_changed.emit(value)
            return
        student, teacher = value
        mapped = layers_learnt(self.result, options.settings_of(self.options))
        own = options.with_mapped(mapped, student, teacher)
        self.option_changed.emit(options.MAP, own)

    # ---- drawing ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Draw the answer with the settings of now."""
        has_layers = self.result is not None and self.result.layers is not None
        self.choices.setVisible(has_layers)
        if self.result is None:
            self.losses.show_page(None)
            self.layers.show_page(None)
            return
        every = terms(self.result, options.settings_of(self.options))
        self.losses.show_page(lambda width: stack(self._loss_blocks(every, width), width))
        self.layers.show_page(lambda width: stack(self._other_blocks(width), width))

    def _loss_blocks(self, every: tuple[Term, ...], width: float) -> list[tuple[float, Laid]]:
        blocks: list[tuple[float, Laid]] = [(0, legend(self.pair()).at(width))]
        blocks += [(4, Words(note, width, "small", "muted")) for note in self.result.notes]
        return [*blocks, (10, LossRows(every, width))]

    def _other_blocks(self, width: float) -> list[tuple[float, Laid]]:
        return [*self._layer_blocks(width), *self._gradient_blocks(width)]

    def _layer_blocks(self, width: float) -> list[tuple[float, Laid]]:
        layers = self.result.layers
        if layers is None:
            return []
        measure = options.measure_of(self.options)
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
        mapped = layers_learnt(self.result, options.settings_of(self.options))
        grid = layer_grid(
            values,
            measure,
            mapped,
            width,
            with_embeddings=not measure.key.startswith("attention"),
        )
        return [(24, title), (4, Words(explained, width, "small", "muted")), (10, grid)]

    def _gradient_blocks(self, width: float) -> list[tuple[float, Laid]]:
        found = self.result.predictions
        if found is None:
            return []
        at = found.temperatures
        charts = (
            over_temperatures(
                "Gradient's size over T",
                "Length of the distillation loss's gradient with respect to the student's logits, "
                "averaged over the masks.",
                at,
                [
                    ("without T²", found.gradient_curve, "muted"),
                    ("with T²", found.gradient_curve * at**2, "bar"),
                ],
                logarithmic=True,
            ),
            over_temperatures(
                "KL(teacher ‖ student) over T (nats)",
                "The divergence with and without T squared, averaged over the masks.",
                at,
                [
                    ("without T²", found.kl_curve, "muted"),
                    ("with T²", found.kl_curve * at**2, "bar"),
                ],
                logarithmic=True,
            ),
        )
        return [
            (24, Words("Why T squared", width, "strong")),
            (4, Words(WHY_SQUARED, width, "small", "muted")),
            (10, LaidCharts(at_temperature(charts, self.result.temperature), width)),
        ]

    # ---- exporting --------------------------------------------------------------------------

    def table(self) -> Table | None:
        """Every loss in the settings of now."""
        if self.result is None:
            return None
        return table_of(self.result, options.settings_of(self.options))

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The page as it is on screen."""
        if self.result is None:
            return None
        every = terms(self.result, options.settings_of(self.options))
        page = stack([*self._loss_blocks(every, width), *self._other_blocks(width)], width)
        return page.figure(theme)


VIEW = DistillationView
