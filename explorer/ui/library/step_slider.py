"""The steps of a model's training beside its chip: one place a frame, and a button that plays."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QWidget,
)

from explorer.text import _, ngettext, said
from explorer.text.formatting.numbers import whole
from explorer.ui.controls.number_slider import CalmSlider
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.library.moments import ModelMoments
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import current_theme
from explorer.ui.theme.text_roles import in_role

WIDE = 88
"""Pixels of the slider."""
MARK, LEAST_APART = 4, 3
"""Pixels: how high a mark is, and how far from the next one; closer ones are left out."""


@guarded
class FrameSlider(CalmSlider):
    """A slider with a mark below each place, which style sheets leave out."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks, and what every slider has."""
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().muted)
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )
        room, last = self.width() - handle.width(), self.maximum()
        if 0 < last <= room // LEAST_APART:
            for place in range(last + 1):
                left = QStyle.sliderPositionFromValue(0, last, place, room) + handle.width() // 2
                painter.drawRect(left, self.height() - MARK, 1, MARK)
        painter.end()
        super().paintEvent(event)


@guarded
class StepSlider(QWidget):
    """Moves a slot's model through its frames; it is there where the model has some.

    Frames are as far apart as they come, which for steps at 10, 100, 1000 is by ratios. Left and
    Right go to the next one, Home and End to the first and the last, Space plays.

    Attributes:
        slider: A place for each frame that can be shown.
        button: Plays, and stops.
    """

    def __init__(self, slot: str, moments: ModelMoments, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"steps_{slot}")
        self._slot, self._moments = slot, moments
        self.slider = FrameSlider(Qt.Orientation.Horizontal, self)
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._slid)
        self.button = QToolButton(self)
        self.button.setObjectName(f"play_{slot}")
        self.button.setAutoRaise(True)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        icon_in_size(self.button, 14)
        self.button.clicked.connect(lambda: moments.play(slot))
        self._step = plain_label(self)
        in_role(self._step, "small")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 4, 0)
        row.setSpacing(4)
        for one in (self.button, self.slider, self._step):
            row.addWidget(one)
        self.setFocusProxy(self.slider)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        moments.changed.connect(self._show)
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space plays; the slider leaves that key to whoever it is in."""
        if event.key() == Qt.Key.Key_Space:
            self._moments.play(self._slot)
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        frames, place = self._moments.frames(self._slot), self._moments.place(self._slot)
        self.setVisible(len(frames) > 1 and place >= 0)
        if self.isHidden():
            return
        series, step = self._moments.series[self._slot], whole(frames[place].step)
        self.slider.setFixedWidth(zoomed(WIDE))
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, len(frames) - 1)
            if not self.slider.isSliderDown():
                self.slider.setValue(place)
        # As wide as its widest number, so that nothing moves while a film plays.
        widest = max(self._step.fontMetrics().horizontalAdvance(whole(one.step)) for one in frames)
        self._step.setMinimumWidth(widest + 2)
        self._step.setText(step)
        told = _("Step {step} of the training of {title}", step=step, title=series.title)
        self.slider.setAccessibleName(_("Step of the training of model {slot}", slot=self._slot))
        self.slider.setAccessibleDescription(told)
        lines = [told, ngettext("{count} frame", "{count} frames", len(frames))]
        lines += [said(frames[place].difference)] if frames[place].difference else []
        lines += [
            _("{name} is left out: {problem}", name=one.name, problem=said(one.problem))
            for one in series.frames
            if one.problem
        ]
        lines.append(_("Left and Right show the next one, Space plays them"))
        self.slider.setToolTip(plain_tip("\n".join(lines)))
        plays = self._slot in self._moments.playing
        self.button.setIcon(icon("pause" if plays else "play"))
        words = _("Stop the film") if plays else _("Play the film of the training")
        self.button.setToolTip(plain_tip(words))
        self.button.setAccessibleName(words)

    def _slid(self, place: int) -> None:
        self._moments.show(self._slot, place)
