"""How tokens are chosen and drawn: the line above the loop."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QSpinBox, QToolButton, QWidget

from explorer.ui.theme.icons import icon
from explorer.ui.views.detection.value_slider import ValueSlider

HEIGHT = 28
"""Of every part of the line, so that they stand on one."""

MOST_SEEDS = 999_999
TEMPERATURES = (0.1, 10.0)


class DrawControls(QWidget):
    """The draw's number, temperature, argmax, and the share that is chosen.

    Signals:
        seed_changed: Another draw.
        temperature_moved: Another temperature.
        greedy_changed: Take the most probable, or draw.
        rate_changed: Another share of the tokens.
        words_dropped: Take every word of the user's back.
    """

    seed_changed = Signal(int)
    temperature_moved = Signal(float)
    greedy_changed = Signal(bool)
    rate_changed = Signal(float)
    words_dropped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("drawControls")
        self.another = _button("anotherDraw", "Another draw", "dice-multiple-outline", self)
        self.another.setToolTip("Draw again with the next seed; words of your own are taken back")
        self.another.clicked.connect(self._draw_another)
        self.seed = QSpinBox(self)
        self.seed.setObjectName("drawSeed")
        self.seed.setAccessibleName("Seed of the draw")
        self.seed.setToolTip("The same seed draws the same")
        self.seed.setRange(0, MOST_SEEDS)
        self.seed.setPrefix("seed ")
        self.seed.setFixedWidth(92)
        self.seed.setKeyboardTracking(False)
        self.seed.valueChanged.connect(self.seed_changed)
        self.temperature = ValueSlider(
            "temperature",
            "T",
            TEMPERATURES,
            logarithmic=True,
            written="{:.2g}",
            parent=self,
        )
        self.temperature.setToolTip(
            "The generator's logits are divided by it before a token is drawn: below 1 likely "
            "tokens become likelier, above 1 all become more alike"
        )
        self.temperature.slider.setAccessibleName("Temperature of the draw")
        self.temperature.setFixedWidth(122)
        self.temperature.moved.connect(self.temperature_moved)
        self.greedy = QCheckBox("Argmax", self)
        self.greedy.setObjectName("drawGreedy")
        self.greedy.setToolTip("Take the generator's most probable token instead of drawing one")
        self.greedy.toggled.connect(self.greedy_changed)
        self.rate = QSpinBox(self)
        self.rate.setObjectName("drawRate")
        self.rate.setAccessibleName("Share of the tokens that is replaced, in per cent")
        self.rate.setToolTip("15 % in the paper. Click tokens to choose them yourself")
        self.rate.setRange(1, 100)
        self.rate.setSuffix(" %")
        self.rate.setKeyboardTracking(False)
        self.rate.valueChanged.connect(lambda value: self.rate_changed.emit(value / 100))
        self.drop = _button("dropWords", "Undo words", "undo-variant", self)
        self.drop.setToolTip("Take back the words you put in yourself")
        self.drop.clicked.connect(self.words_dropped)
        # Imported where it is used: superqt takes longer than all other modules of the views.
        from superqt import QFlowLayout

        row = QFlowLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setHorizontalSpacing(6)
        row.setVerticalSpacing(6)
        parts = (self.another, self.seed, self.temperature, self.greedy, self.rate)
        self._parts: tuple[QWidget, ...] = (*parts, self.drop)
        for widget in self._parts:
            widget.setFixedHeight(HEIGHT)
        self._row = row

    def _draw_another(self) -> None:
        self.seed_changed.emit(self.seed.value() + 1)

    def show_options(
        self,
        *,
        seed: int,
        temperature: float,
        greedy: bool,
        rate: float,
        masks: int,
        has_generator: bool,
        words: int,
    ) -> None:
        """Show what is set, without telling.

        Args:
            seed: Of the draw.
            temperature: Of the draw.
            greedy: Argmax instead of a draw.
            rate: Share of the tokens.
            masks: How many ranges the user masked; the rate is not used with any.
            has_generator: Without one only words can be put in by hand.
            words: How many words of the user's stand there.
        """
        held = (self.seed, self.greedy, self.rate)
        for widget in held:
            widget.blockSignals(True)
        self.seed.setValue(seed)
        self.greedy.setChecked(greedy)
        self.rate.setValue(round(100 * rate))
        for widget in held:
            widget.blockSignals(False)
        self.temperature.set_value(temperature)
        drawing = has_generator and not greedy
        for one in (self.another, self.seed):
            one.setVisible(has_generator)
            one.setEnabled(drawing or masks == 0)
        self.temperature.setVisible(has_generator)
        self.greedy.setVisible(has_generator)
        self.rate.setVisible(has_generator and not masks)
        self.drop.setVisible(bool(words))
        self.drop.setText("Undo word" if words == 1 else "Undo words")
        # The flow leaves a gap for a part that is hidden, so it holds only those that are not.
        while self._row.count():
            self._row.takeAt(0)
        shown = [part for part in self._parts if not part.isHidden()]
        for part in shown:
            self._row.addWidget(part)
        self.setVisible(bool(shown))


def _button(name: str, words: str, glyph: str, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setObjectName(name)
    button.setText(words)
    button.setIcon(icon(glyph, "text"))
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setProperty("raised", "true")
    return button
