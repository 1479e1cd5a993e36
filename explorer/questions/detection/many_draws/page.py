"""Replaced-token detection over many draws of a sentence, or over a file of sentences."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.detection.many_draws.question import OPERATION, DetectMany
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.detection import corruption_option as options
from explorer.ui.views.detection import many_measures
from explorer.ui.views.detection.loop_figure import measures_figure
from explorer.ui.views.detection.many_controls import ManyControls
from explorer.ui.views.detection.measure_card import MeasureCard
from explorer.ui.views.detection.measures import Measure
from explorer.ui.views.detection.outcome_bar import OutcomeBar
from explorer.ui.views.detection.pair_of_models import NEEDS_A_DISCRIMINATOR, Pair
from explorer.ui.views.state_pages import label
from explorer.ui.views.view import View
from explorer.ui.widgets.column_flow import ColumnFlow
from explorer.ui.widgets.figure import Figure

DRAWS = "many_draws.draws"
SEED = "many_draws.seed"
PATH = "many_draws.path"
LIMIT = "many_draws.limit"
QUICK = 20_000_000
"""Parameters of both models, times the draws by 100, up to which a sentence is asked at once."""

CARDS = ("histogram", "pooledRoc", "places", "misses", "falseAlarms")


class DetectManyView(View):
    """The pooled outcomes: distributions, ROC, places, and the errors that remain."""

    of: ClassVar = OPERATION
    order = 32
    group = "Detection"
    glyph = "chart-scatter-plot"
    elsewhere = NEEDS_A_DISCRIMINATOR
    second_model_hint = (
        "Draws need a generator. Load one beside the discriminator: its own, which the library "
        "loads along with it, or any masked language model of the same vocabulary."
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pair = Pair({}, "A")
        self._cards: Mapping[str, ModelCard] = {}
        self._now = Document()
        self.controls = ManyControls(self)
        self.about = label("manyAbout", "small", self)
        self.cards = {name: MeasureCard(f"{name}Card", self) for name in CARDS}
        self.bar = OutcomeBar(self)
        self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> None:
        board = QWidget(self)
        flow = ColumnFlow(board, narrowest=270, widest=520, gap=12)
        flow.setContentsMargins(14, 4, 14, 14)
        for card in self.cards.values():
            flow.addWidget(card)
        self.area = QScrollArea(self)
        self.area.setObjectName("manyArea")
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidget(board)
        top = QVBoxLayout()
        top.setContentsMargins(14, 0, 14, 2)
        top.setSpacing(4)
        top.addWidget(self.controls)
        top.addWidget(self.about)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.bar)

    def _connect(self) -> None:
        controls = self.controls
        controls.draws_changed.connect(lambda value: self.option_changed.emit(DRAWS, value))
        controls.seed_changed.connect(lambda value: self.option_changed.emit(SEED, value))
        controls.limit_changed.connect(lambda value: self.option_changed.emit(LIMIT, value))
        controls.file_chosen.connect(lambda path: self.option_changed.emit(PATH, path))
        controls.file_dropped.connect(lambda: self.option_changed.emit(PATH, None))
        self.bar.moved.connect(lambda value: self.option_moved.emit(options.THRESHOLD, value))
        self.cards["histogram"].picture.chosen.connect(
            lambda told: self.option_moved.emit(options.THRESHOLD, told[1])
        )

    # ---- models and question -----------------------------------------------------------------

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Find out who judges and who fills masks."""
        self._cards = cards
        self.pair = Pair(cards, active)

    def request_of(self, document: Document) -> DetectMany | None:
        """Asked of the sentence, or of the file."""
        path = self._path(document)
        if not (path or document.text.strip()) or not self.pair.generator:
            return None
        one = options.request_of(document, has_generator=True)
        return DetectMany(
            "" if path else document.text,
            None if path else document.pair,
            () if path else document.masks,
            path,
            draws=self._draws(document),
            limit=round(options.number(document, LIMIT, 500, 1, 100_000)),
            rate=one.rate,
            seed=round(options.number(document, SEED, 0, 0, 1e9)),
            temperature=one.temperature,
            greedy=one.greedy,
        )

    @staticmethod
    def _path(document: Document) -> str:
        path = document.option(PATH, "")
        return path if isinstance(path, str) else ""

    def _draws(self, document: Document) -> int:
        default = 1 if self._path(document) else 100
        return round(options.number(document, DRAWS, default, 1, 10_000))

    def on_demand(self, document: Document) -> bool:
        """Files and large models wait for the button."""
        parameters = sum(card.parameters for card in self._cards.values())
        many = self._draws(document) / 100
        return bool(self._path(document)) or parameters * many > QUICK

    def empty_hint(self, document: Document) -> str:
        """Say what it takes."""
        if not self.pair.generator and self.pair.notice:
            return self.pair.notice
        if self._path(document):
            return f"Corrupt every sentence of {Path(self._path(document)).name} and judge it."
        if document.text.strip():
            return "Corrupt this sentence many times and pool the verdicts."
        return "Type a sentence, or choose a file of sentences."

    def tools(self) -> list[QWidget]:
        """The choice of a file; the frame takes the button over."""
        self.controls.file.show()
        return [self.controls.file]

    def set_document(self, document: Document) -> None:
        """Show the options, and redraw what follows from the threshold."""
        self._now = document
        self.controls.show_options(
            draws=self._draws(document),
            seed=round(options.number(document, SEED, 0, 0, 1e9)),
            limit=round(options.number(document, LIMIT, 500, 1, 100_000)),
            path=self._path(document),
        )
        self._redraw()

    # ---- drawing -----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Draw what is held now."""
        self._redraw()

    def measures(self) -> tuple[Measure, ...]:
        """What is drawn now."""
        result, threshold = self.result, options.threshold_of(self._now)
        return (
            many_measures.histogram(result, threshold),
            many_measures.pooled_roc(result, threshold),
            many_measures.places(result, threshold),
            many_measures.errors(
                "Misses that look most original",
                result.misses,
                "Nothing was replaced: every draw hit the original.",
            ),
            many_measures.errors(
                "Originals that look most replaced", result.false_alarms, "There are none."
            ),
        )

    def _redraw(self) -> None:
        result = self.result
        self.about.setVisible(result is not None)
        if result is None:
            return
        threshold = options.threshold_of(self._now)
        self.about.setText(many_measures.about(result))
        for card, measure in zip(self.cards.values(), self.measures(), strict=True):
            card.show_measure(measure)
        self.bar.show_counts(result.counts_at(threshold), threshold)

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The outcomes and every card."""
        if self.result is None:
            return None
        counts = self.result.counts_at(options.threshold_of(self._now))
        said = many_measures.about(self.result)
        return measures_figure(self.measures(), counts, said, width, theme)


VIEW = DetectManyView
