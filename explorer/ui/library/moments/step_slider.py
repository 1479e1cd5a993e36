"""The steps of a model's training beside its chip: one place a frame, and a button that plays."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.series.loss_curve import LossCurve
from explorer.series.series import CheckpointSeries, Frame
from explorer.text import _, ngettext, said
from explorer.text.formatting.numbers import decimal, whole
from explorer.ui.controls.buttons.menu_button import MenuButton
from explorer.ui.controls.options.number_slider import CalmSlider
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.library.moments.film_menu import fill_film_menu
from explorer.ui.library.moments.loss_line import LossLine
from explorer.ui.library.moments.moments import ModelMoments
from explorer.ui.theme.chrome import zoomed
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import current_theme
from explorer.ui.theme.text_roles import in_role

WIDE, WIDE_ON_STAGE = 96, 240
"""Pixels of the slider."""
LOSS, LOSS_ON_STAGE = 18, 34
"""Pixels of height that the loss has above it."""
LOW = 18
"""Pixels of height of the slider below a loss."""
ARROW = 22
"""Pixels of the step's button beside its number."""
MARK, LEAST_APART = 4, 3
"""Pixels: how high a mark is, and how far from the next one; closer ones are left out."""


@guarded
class FrameSlider(CalmSlider):
    """A slider with a mark below each place, which style sheets leave out."""

    def places(self) -> tuple[float, float]:
        """Where the first place is, and how far from it the last one, in pixels."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )
        return handle.width() / 2, float(self.width() - handle.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The marks, and what every slider has."""
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().muted)
        (first, wide), last = self.places(), self.maximum()
        if 0 < last <= wide // LEAST_APART:
            for place in range(last + 1):
                left = QStyle.sliderPositionFromValue(0, last, place, int(wide)) + int(first)
                painter.drawRect(left, self.height() - MARK, 1, MARK)
        painter.end()
        super().paintEvent(event)


@guarded
class StepSlider(QWidget):
    """Moves a slot's model through its frames; it is there where the model has some.

    Frames are as far apart as they come, which for steps at 10, 100, 1000 is by ratios. Left and
    Right go to the next one, Home and End to the first and the last, Space plays.

    Args:
        slot: The model's.
        moments: Of the models.
        parent: In which it stands.
        is_on_stage: It is seen from far away: larger, and with a word beside the number.

    Attributes:
        slider: A place for each frame that can be shown.
        button: Plays, and stops.
        step: The step that is shown; its menu compares it with others, and sets the film's speed.
        losses: The loss above the slider, where the series has one.
    """

    def __init__(
        self, slot: str, moments: ModelMoments, parent: QWidget, *, is_on_stage: bool = False
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"stage_steps_{slot}" if is_on_stage else f"steps_{slot}")
        self._slot, self._moments, self._is_on_stage = slot, moments, is_on_stage
        self.losses = LossLine(LOSS_ON_STAGE if is_on_stage else LOSS, self)
        self.losses.chosen.connect(self._slid)
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
        self.step = MenuButton(self)
        self.step.setObjectName(f"step_{slot}")
        self.step.setAutoRaise(True)
        self.step.setIcon(icon("menu-down", "muted"))
        icon_in_size(self.step)
        self.step.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.step.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        in_role(self.step, "title" if is_on_stage else "small")
        menu = QMenu(self.step)
        menu.setObjectName("film_menu")
        # Its button has the arrow at the right; the menu reads as any other one.
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        menu.aboutToShow.connect(lambda: fill_film_menu(menu, moments, slot))
        self.step.opens(menu)
        above = QVBoxLayout()
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(self.losses)
        above.addWidget(self.slider)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 2, 0)
        row.setSpacing(2)
        row.addWidget(self.button)
        row.addLayout(above)
        row.addWidget(self.step)
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The loss is above the places of the slider."""
        super().resizeEvent(event)
        self.losses.stand_above(*self.slider.places())

    def _show(self) -> None:
        frames, place = self._moments.frames(self._slot), self._moments.place(self._slot)
        self.setVisible(len(frames) > 1 and place >= 0)
        if self.isHidden():
            return
        series = self._moments.series[self._slot]
        self._show_places(frames, place, series.losses)
        self._say(series, frames, place)
        plays = self._slot in self._moments.playing
        self.button.setIcon(icon("pause" if plays else "play"))
        words = _("Stop the film") if plays else _("Play the film of the training")
        self.button.setToolTip(plain_tip(words))
        self.button.setAccessibleName(words)

    def _show_places(self, frames: tuple[Frame, ...], place: int, losses: LossCurve | None) -> None:
        self.slider.setFixedWidth(zoomed(WIDE_ON_STAGE if self._is_on_stage else WIDE))
        if losses is not None:
            self.slider.setFixedHeight(zoomed(LOW))
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, len(frames) - 1)
            if not self.slider.isSliderDown():
                self.slider.setValue(place)
        self.losses.setVisible(losses is not None)
        self.losses.show_curve(losses, [one.step for one in frames], place)
        self.losses.stand_above(*self.slider.places())
        # As wide as its widest number, so that nothing moves while a film plays.
        metrics = self.step.fontMetrics()
        widest = max(metrics.horizontalAdvance(self._called(one)) for one in frames)
        self.step.setText(self._called(frames[place]))
        self.step.setMinimumWidth(widest + zoomed(ARROW))

    def _called(self, frame: Frame) -> str:
        step = whole(frame.step)
        if not self._is_on_stage:
            return step
        told = _("Step {step}", step=step)
        return f"{self._slot} · {told}" if len(self._moments.series) > 1 else told

    def _say(self, series: CheckpointSeries, frames: tuple[Frame, ...], place: int) -> None:
        frame = frames[place]
        told = _(
            "Step {step} of the training of {title}", step=whole(frame.step), title=series.title
        )
        loss = "" if series.losses is None else loss_said(series.losses, frame.step)
        self.slider.setAccessibleName(_("Step of the training of model {slot}", slot=self._slot))
        differs = said(frame.difference) if frame.difference else ""
        words = ". ".join(filter(None, (", ".join(filter(None, (told, loss))), differs)))
        self.slider.setAccessibleDescription(words)
        lines = [told, loss, ngettext("{count} frame", "{count} frames", len(frames))]
        lines += [differs] if differs else []
        lines += [
            _("{name} is left out: {problem}", name=one.name, problem=said(one.problem))
            for one in series.frames
            if one.problem
        ]
        lines.append(_("Left and Right show the next one, Space plays them"))
        self.slider.setToolTip(plain_tip("\n".join(filter(None, lines))))
        self.losses.setToolTip(plain_tip("\n".join(filter(None, (told, loss)))))
        words = _("Step {step}: compare it with another one, speed", step=whole(frame.step))
        self.step.setAccessibleName(words)
        self.step.setToolTip(plain_tip(_("Compare with another step, speed of the film")))

    def _slid(self, place: int) -> None:
        self._moments.show(self._slot, place)


def loss_said(losses: LossCurve, step: int) -> str:
    """The loss at a step in words, as it was written down; "" where nothing was by then."""
    found = losses.at(step)
    if found is None:
        return ""
    at, loss = found
    parts = [_("loss {loss} nats", loss=decimal(loss, 3))]
    if int(at) != step:
        parts = [_("loss {loss} nats at step {step}", loss=decimal(loss, 3), step=whole(int(at)))]
    if losses.of:
        parts.append(said(losses.of))
    if losses.is_held_out:
        parts.append(_("on texts that were not trained on"))
    if losses.floor is not None:
        parts.append(_("the least there can be is {floor}", floor=decimal(losses.floor, 3)))
    return ", ".join(parts)
