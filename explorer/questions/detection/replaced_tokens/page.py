"""Replaced-token detection in one screen: choose, mask, draw, put in, judge, compare."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.api import ModelCard, Table
from explorer.document import Document, Mask
from explorer.questions.detection.casting import ALONE
from explorer.questions.detection.replaced_tokens.question import (
    OPERATION,
    DetectReplaced,
    DetectReplacedResult,
)
from explorer.ui.document.gestures import toggle_mask
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import Theme
from explorer.ui.views.detection import corruption_option as options
from explorer.ui.views.detection import measures
from explorer.ui.views.detection.corruption_option import Corruption
from explorer.ui.views.detection.curves_page import CurvesPage
from explorer.ui.views.detection.draw_controls import DrawControls
from explorer.ui.views.detection.loop_canvas import LoopCanvas
from explorer.ui.views.detection.loop_figure import loop_figure
from explorer.ui.views.detection.loop_painting import LoopLook
from explorer.ui.views.detection.loop_rows import rows_of
from explorer.ui.views.detection.measure_card import MeasureCard
from explorer.ui.views.detection.outcome_bar import OutcomeBar
from explorer.ui.views.detection.pair_of_models import NEEDS_A_DISCRIMINATOR, Pair
from explorer.ui.views.detection.value_slider import ValueSlider
from explorer.ui.views.state_pages import label
from explorer.ui.views.view import View
from explorer.ui.widgets.column_flow import ColumnFlow
from explorer.ui.widgets.figure import Figure

WEIGHTS = (0.0, 100.0)


class DetectReplacedView(View):
    """The loop, and below it what is measured of it; the outcomes stay in sight."""

    of: ClassVar = OPERATION
    order = 30
    group = "Detection"
    glyph = "find-replace"
    elsewhere = NEEDS_A_DISCRIMINATOR
    pinnable = True

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pair = Pair({}, "A")
        self._now = Document()
        self.chooser = self._make_chooser()
        self.learned = self._make_learned()
        self.curves = CurvesPage(self)
        self.controls = DrawControls(self)
        self.notice = label("pairNotice", "small", self)
        self.load_partner = QPushButton(self)
        self.load_partner.setObjectName("loadPartner")
        self.load_partner.clicked.connect(
            lambda: self.load_requested.emit(self.pair.partner, self.pair.free)
        )
        self.canvas = LoopCanvas(self)
        self.losses = MeasureCard("lossCard", self)
        self.weight = ValueSlider("lossWeight", "λ", WEIGHTS, written="{:.0f}", parent=self)
        self.weight.setToolTip("Weight of the discriminator's loss: 50 in the paper")
        self.losses.add_below(self.weight)
        self.signals = MeasureCard("signalCard", self)
        self.roc = MeasureCard("rocCard", self)
        self.bar = OutcomeBar(self)
        self._lay_out()
        self._connect()
        self.refresh()

    def _make_chooser(self) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName("generatorChooser")
        box.setAccessibleName("Who replaces tokens")
        box.setToolTip("Who replaces tokens: a generator, or you alone")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.activated.connect(self._choose_generator)
        box.hide()
        return box

    def _make_learned(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("howItLearned")
        button.setText("How it learned")
        button.setIcon(icon("chart-line", "text"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setToolTip("Learning curves: ways to share embeddings, and RTD against masked LM")
        button.setCheckable(True)
        button.toggled.connect(self._turn_page)
        button.hide()
        return button

    def _lay_out(self) -> None:
        board = QWidget(self)
        cards = QWidget(board)
        flow = ColumnFlow(cards, narrowest=230, widest=420, gap=12)
        flow.setContentsMargins(0, 0, 0, 0)
        for card in (self.losses, self.signals, self.roc):
            flow.addWidget(card)
        column = QVBoxLayout(board)
        column.setContentsMargins(8, 4, 8, 12)
        column.setSpacing(12)
        column.addWidget(self.canvas)
        column.addWidget(cards)
        column.addStretch(1)
        self.area = QScrollArea(self)
        self.area.setObjectName("loopArea")
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(board)
        top = QHBoxLayout()
        top.setContentsMargins(14, 0, 14, 4)
        top.addWidget(self.controls, 1)
        self.comparison = label("pinnedComparison", "small", self)
        self.comparison.hide()
        told = QHBoxLayout()
        told.setContentsMargins(14, 0, 14, 0)
        told.addWidget(self.notice, 1)
        told.addWidget(self.load_partner)
        self.loop = QWidget(self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.loop)
        self.pages.addWidget(self.curves)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)
        layout = QVBoxLayout(self.loop)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addLayout(told)
        compared = QHBoxLayout()
        compared.setContentsMargins(14, 0, 14, 0)
        compared.addWidget(self.comparison)
        layout.addLayout(compared)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.bar)

    def _connect(self) -> None:
        self.controls.seed_changed.connect(self._draw_again)
        self.controls.temperature_moved.connect(
            lambda value: self.option_moved.emit(options.TEMPERATURE, value)
        )
        self.controls.greedy_changed.connect(
            lambda on: self.option_changed.emit(options.GREEDY, True if on else None)
        )
        self.controls.rate_changed.connect(
            lambda value: self.option_moved.emit(options.RATE, value)
        )
        self.controls.words_dropped.connect(self._drop_words)
        self.canvas.mask_toggled.connect(self._toggle_mask)
        self.canvas.word_put.connect(self._put_word)
        self.canvas.word_taken.connect(self._take_word)
        self.canvas.threshold_moved.connect(self._move_threshold)
        self.canvas.row_chosen.connect(self.select_requested)
        self.bar.moved.connect(self._move_threshold)
        self.weight.moved.connect(lambda value: self.option_moved.emit(options.WEIGHT, value))

    # ---- models and question -----------------------------------------------------------------

    def set_models(self, cards: Mapping[str, ModelCard], active: str) -> None:
        """Find out who judges and who may fill masks."""
        self.pair = Pair(cards, active)

    def _has_generator(self, document: Document) -> bool:
        """There is one, and it is wanted."""
        alone = document.option(ALONE, False) is True
        return bool(self.pair.generator) and not alone

    def request_of(self, document: Document) -> DetectReplaced | None:
        """Asked as soon as there is text."""
        if not document.text.strip():
            return None
        return options.request_of(document, has_generator=self._has_generator(document))

    def empty_hint(self, _document: Document) -> str:
        """Say what it takes."""
        return "Type a sentence to have some of its tokens replaced and looked for."

    def tools(self) -> list[QWidget]:
        """The learning curves' page and the choice of the generator; the frame takes them over."""
        self.learned.show()
        self.chooser.show()
        return [self.learned, self.chooser]

    def set_document(self, document: Document) -> None:
        """Show the options, and redraw what follows from those that ask nothing."""
        self._now = document
        kept = Corruption.of(document)
        has_generator = self._has_generator(document)
        self.controls.show_options(
            seed=kept.seed,
            temperature=options.temperature_of(document),
            greedy=document.option(options.GREEDY, False) is True,
            rate=options.rate_of(document),
            masks=len(document.masks),
            has_generator=has_generator,
            words=len(kept.words),
        )
        self._show_chooser(has_generator)
        self.weight.set_value(options.weight_of(document))
        self._redraw()

    def _show_chooser(self, has_generator: bool) -> None:
        name = self.pair.generator_title
        entries = [f"Generator: {name}" if name else "Generator: none is loaded", "My own words"]
        if [self.chooser.itemText(i) for i in range(self.chooser.count())] != entries:
            self.chooser.clear()
            self.chooser.addItems(entries)
        self.chooser.setCurrentIndex(0 if has_generator or not name else 1)
        self.chooser.setEnabled(bool(name))
        self.notice.setText(self.pair.notice)
        self.notice.setVisible(bool(self.pair.notice))
        self.load_partner.setVisible(bool(self.pair.partner))
        self.load_partner.setText(f"Load {self.pair.partner.rpartition('/')[2]}")

    # ---- what the user does ------------------------------------------------------------------

    def _turn_page(self, learned: bool) -> None:
        if learned:
            self.curves.fill()
        self.pages.setCurrentWidget(self.curves if learned else self.loop)

    def _choose_generator(self, index: int) -> None:
        self.option_changed.emit(ALONE, True if index == 1 else None)

    def _corrupt(self, kept: Corruption) -> None:
        self.option_changed.emit(options.CORRUPTION, kept.option())

    def _draw_again(self, seed: int) -> None:
        self._corrupt(Corruption(seed))

    def _drop_words(self) -> None:
        self._corrupt(Corruption(Corruption.of(self._now).seed))

    def _put_word(self, row: int, word: str, piece: str) -> None:
        self.edit_requested.emit(options.put_word(self._seen(), self._place(row), word, piece))

    def _take_word(self, row: int) -> None:
        self.edit_requested.emit(options.take_word(self._seen(), self._place(row)))

    def _toggle_mask(self, row: int) -> None:
        self.edit_requested.emit(toggle_mask(self._seen(), self._place(row)))

    def _place(self, row: int) -> Mask:
        """The characters of a row's token."""
        token = self.canvas.rows[row].token
        return Mask(token.start, token.end, token.part)

    def _seen(self) -> Document:
        """The text that the rows are of; masks come and go without an answer."""
        return replace(self.document or Document(), masks=self._now.masks)

    def _move_threshold(self, value: float) -> None:
        self.option_moved.emit(options.THRESHOLD, value)

    def show_position(self, position: int | None) -> None:
        """Follow the token that is chosen elsewhere."""
        self.canvas.show_position(position)

    # ---- drawing -----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Draw what is held now."""
        self._redraw()

    def look(self) -> LoopLook:
        """Names and threshold, as drawn now."""
        result = self.result
        return LoopLook(
            options.threshold_of(self._now),
            "" if result is None else result.model.id,
            "" if result is None or result.other is None else result.other.id,
        )

    def measures(self) -> tuple[measures.Measure, ...]:
        """Losses, training signal and ROC, as drawn now."""
        result, threshold = self.result, options.threshold_of(self._now)
        tokens, masked = result.signals
        return (
            measures.losses(result.losses, options.weight_of(self._now), masked, tokens),
            measures.signals(tokens, masked),
            measures.roc_plot(result.curve, result.counts_at(threshold), threshold),
        )

    def _redraw(self) -> None:
        result = self.result
        if result is None:
            self.canvas.show_rows((), self.look(), can_mask=False)
            return
        look = self.look()
        rows = rows_of(result, self._pinned())
        self.canvas.show_rows(rows, look, can_mask=result.other is not None)
        self.comparison.setText(self._compared(look.threshold))
        self.comparison.setVisible(self.baseline is not None)
        cards = (self.losses, self.signals, self.roc)
        for card, measure in zip(cards, self.measures(), strict=True):
            card.show_measure(measure)
        self.bar.show_counts(result.counts_at(look.threshold), look.threshold)

    # ---- the pinned answer -------------------------------------------------------------------

    def _pinned(self) -> DetectReplacedResult | None:
        return None if self.baseline is None else self.baseline.result

    def _compared(self, threshold: float) -> str:
        """What the pinned answer and that of now found."""
        pinned = self._pinned()
        if pinned is None or self.result is None:
            return ""

        def found(result: DetectReplacedResult) -> str:
            by = "by hand" if result.other is None else result.other.id
            counts = result.counts_at(threshold)
            alarms = "alarm" if counts.false_alarms == 1 else "alarms"
            return (
                f"{by}: {counts.hits} of {counts.replaced} found, {counts.false_alarms} false "
                f"{alarms}, loss {result.losses.discriminator:.3f}"
            )

        said = f"Pinned {found(pinned)}. Now {found(self.result)}."
        if pinned.original != self.result.original:
            said += " The sentences differ, so tokens are not compared."
        return said

    def table(self) -> Table | None:
        """A row a token; with a pinned answer, what that said and by how much it changed."""
        plain = super().table()
        pinned = self._pinned()
        if plain is None or pinned is None:
            return plain
        rows = zip(plain.rows, rows_of(self.result, pinned), strict=True)
        return Table(
            (*plain.columns, "pinned_probability", "difference"),
            tuple(
                (*row, one.pinned, None if one.pinned is None else one.probability - one.pinned)
                for row, one in rows
            ),
        )

    def caption(self) -> str:
        """What decides the picture beside the sentence: who drew how, and the threshold."""
        said = super().caption()
        if self.result is None or not said:
            return said
        corrupted = " ".join(row.corrupted for row in rows_of(self.result) if not row.special)
        parts = [f"Corrupted: “{corrupted}”.", f"Threshold {self.look().threshold:.2f}."]
        if self.result.other is not None:
            how = "argmax"
            if self._now.option(options.GREEDY, False) is not True:
                how = f"drawn at temperature {options.temperature_of(self._now):g}"
            parts.append(f"Generator: {self.result.other.id}, {how}.")
        if self.baseline is not None:
            parts.append(self._compared(self.look().threshold))
        return " ".join((said, *parts))

    def figure(self, width: float, theme: Theme) -> Figure | None:
        """The loop, the outcomes and the measures."""
        if self.result is None:
            return None
        counts = self.result.counts_at(self.look().threshold)
        rows = rows_of(self.result, self._pinned())
        return loop_figure(rows, self.look(), counts, self.measures(), width, theme)


VIEW = DetectReplacedView
