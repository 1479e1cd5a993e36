"""The steps of a pass as a film: played, stepped through, stopped anywhere."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QRect,
    QRectF,
    Qt,
    QTimer,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.api.question.parts.steps import PassScene
from explorer.text import _
from explorer.text.formatting.numbers import whole
from explorer.text.formatting.short import number
from explorer.ui.blocks.block import Spot
from explorer.ui.blocks.panel import LaidPart
from explorer.ui.blocks.spacing import Space
from explorer.ui.charts.readout import paint_beside
from explorer.ui.controls.gliding import may_move
from explorer.ui.controls.plain_words import plain_label, plain_tip
from explorer.ui.guarded import guarded
from explorer.ui.pass_film.painting import FilmPainter, plain_words
from explorer.ui.pass_film.scene import (
    FilmLayout,
    PassFilm,
    PlacedStrip,
    controls_height,
    label_said,
)
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon
from explorer.ui.theme.schemes import Theme, current_theme, theme_signals
from explorer.ui.theme.text_roles import in_role

GLIDES_MS = 420
"""How long things move from one step to the next."""
PACE_MS = 1700
"""How long a step is seen while the film plays."""
KEEPS_MS = 600
"""After so long at a step the page stays there: in its pictures, its document, its history."""
BUTTONS = 220
"""Pixels of width of the buttons."""
NEAR = 12
"""Numbers in sight of a strip that is looked into."""


@dataclass(frozen=True)
class FilmBlock:
    """A block of a page.

    Attributes:
        film: What is shown.
        above: The room above it.
    """

    film: PassFilm
    above: Space = Space.APART
    fills: bool = True

    def at(self, width: float) -> "LaidFilm":
        """On paper: the step that the page is at, as high as it is."""
        return LaidFilm(self.film, FilmLayout(self.film.scenes, width, only=self.film.at), 0.0)

    def filling(self, width: float, height: float) -> "LaidFilm":
        """In the window: all steps have room."""
        layout = FilmLayout(self.film.scenes, width, height - controls_height())
        return LaidFilm(self.film, layout, max(controls_height(), height - layout.height))


class LaidFilm(LaidPart):
    """A film at a size.

    Args:
        film: The steps.
        layout: Where they are.
        below: Pixels of height below them.
    """

    def __init__(self, film: PassFilm, layout: FilmLayout, below: float) -> None:
        self.film, self.layout = film, layout
        name = layout.title_said(film.at)
        super().__init__(layout.width, layout.height + below, FilmView, film, name)

    def told(self) -> Iterable[Spot]:
        """All steps, for a screen reader."""
        return tuple(
            Spot(self.layout.step_box(n), words=plain_words(self.layout, n))
            for n in range(len(self.film.scenes))
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The step, standing still."""
        at = self.film.at
        FilmPainter(self.layout, theme).paint(painter, at, at, 1.0)


@guarded
class FilmView(QWidget):
    """A film on the screen.

    Space plays and stops, Left and Right go to the next step, Up and Down to the next layer, Home
    and End to the first and the last. A click on a strip looks into it, Escape and 0 look at all.

    Attributes:
        at: The step that is seen, or that things move to.
        share: How far they have come, 0 to 1.
        parts: By the width of vectors, the part of their strips that is looked into.
        play_button: Plays, and stops.

    Signals:
        chosen: Never.
        acted: The gesture that keeps the page at a step.
    """

    chosen = Signal(object)
    acted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pass_film")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._film: PassFilm | None = None
        self._layout: FilmLayout | None = None
        self._room = (0.0, 0.0)
        self._painter: FilmPainter | None = None
        self.parts: dict[int, slice] = {}
        self.at, self._before, self.share = 0, 0, 1.0
        self._pointed: tuple[PlacedStrip, int] | None = None
        self._way = QVariantAnimation(self)
        self._way.setStartValue(0.0)
        self._way.setEndValue(1.0)
        self._way.setDuration(GLIDES_MS)
        self._way.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._way.valueChanged.connect(self._go)
        self._pace = QTimer(self)
        self._pace.setInterval(PACE_MS)
        self._pace.timeout.connect(self._play_on)
        self._keeping = QTimer(self)
        self._keeping.setSingleShot(True)
        self._keeping.setInterval(KEEPS_MS)
        self._keeping.timeout.connect(self._keep)
        self._make_buttons()
        theme_signals().changed.connect(self._theme_changed)

    def _make_buttons(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(2)

        def button(name: str, glyph: str, words: str) -> QToolButton:
            made = QToolButton(self)
            made.setObjectName(name)
            made.setAutoRaise(True)
            made.setIcon(icon(glyph))
            icon_in_size(made, 18)
            made.setToolTip(plain_tip(words))
            made.setAccessibleName(words)
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(made)
            return made

        button("pass_first", "skip-previous", _("First step")).clicked.connect(self.first)
        button("pass_back", "step-backward", _("Step back")).clicked.connect(self.back)
        self.play_button = button("pass_play", "play", _("Play the pass"))
        self.play_button.clicked.connect(self.play)
        button("pass_next", "step-forward", _("Next step")).clicked.connect(self.forward)
        button("pass_layer", "skip-next", _("Next layer")).clicked.connect(self.next_row)
        self.hint = plain_label(self)
        in_role(self.hint, "small")
        self.hint.setText(_("Space plays, ← → step, ↑ ↓ layers; a click on a strip: its numbers"))
        row.addSpacing(10)
        row.addWidget(self.hint)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.addStretch()
        column.addLayout(row)

    # ---- what is shown ------------------------------------------------------------------------

    def show_content(self, film: PassFilm) -> None:
        """Show other steps, or stay at the step where the page stands now."""
        is_same = self._film is not None and self._film.scenes is film.scenes
        self._film = film
        if is_same:
            if film.at != self.at and not self.is_playing and not self._keeping.isActive():
                self.go_to(film.at, keeps=False)
            return
        self._pace.stop()
        self._say_play()
        self.at = self._before = film.at
        self.share, self.parts, self._pointed = 1.0, {}, None
        self._arrange()

    def look(self) -> Any:
        """The step that is seen."""
        return self.at

    def take_look(self, look: Any) -> None:
        """See the same one."""
        if self._film is not None and isinstance(look, int) and look < len(self._film.scenes):
            self.at = self._before = look
            self.update()

    def _arrange(self) -> None:
        if self._film is None:
            return
        room = float(self.width()), float(self.height()) - controls_height()
        layout = self._layout
        if layout is None or layout.scenes is not self._film.scenes or self._room != room:
            layout = self._layout = FilmLayout(self._film.scenes, *room)
            self._room = room
        self._painter = FilmPainter(layout, current_theme(), self.parts)
        self._describe()
        self.update()

    def _describe(self) -> None:
        if self._layout is not None:
            self.setAccessibleName(self._layout.title_said(self.at))
            self.setAccessibleDescription(plain_words(self._layout, self.at))

    def _theme_changed(self, _theme: object) -> None:
        self._layout = None  # letters may be larger now
        self._arrange()

    # ---- going ----------------------------------------------------------------------------------

    @property
    def is_playing(self) -> bool:
        """Whether the film goes on by itself."""
        return self._pace.isActive()

    def go_to(self, step: int, *, keeps: bool = True) -> None:
        """See a step; things move to where they are in it.

        Args:
            step: Its number; one that is not there is the first or the last.
            keeps: The page stays there, once nothing has moved for a moment.
        """
        if self._film is None:
            return
        step = min(max(step, 0), len(self._film.scenes) - 1)
        if step == self.at:
            return
        self._before, self.at = self.at, step
        self._pointed = None
        self._describe()
        self._way.stop()
        if may_move() and self.isVisible():
            self.share = 0.0
            self._way.start()
        else:
            self.share = 1.0
        if keeps and not self.is_playing:
            self._keeping.start()
        self.update()

    def _go(self, share: object) -> None:
        self.glide(float(str(share)))

    def glide(self, share: float) -> None:
        """Be so far on the way to the step: 0 to 1."""
        self.share = share
        self.update(self.moving())

    def moving(self) -> QRect:
        """What is painted anew on the way: the line of all steps and the buttons stay."""
        top = int(self._bar)
        return QRect(0, top, self.width(), self.height() - top - int(controls_height()))

    def pace(self, milliseconds: int) -> None:
        """See each step so long while the film plays."""
        self._pace.setInterval(milliseconds)

    @property
    def scenes(self) -> Sequence[PassScene]:
        """All steps."""
        return self._film.scenes if self._film is not None else ()

    def _keep(self) -> None:
        film = self._film
        if film is not None and film.stop is not None and self.at != film.at:
            act = film.stop(film.scenes[self.at].name)
            if act is not None:
                self.acted.emit(act)

    def forward(self) -> None:
        """The next step."""
        self.go_to(self.at + 1)

    def back(self) -> None:
        """The step before."""
        self.go_to(self.at - 1)

    def first(self) -> None:
        """The first step."""
        self.go_to(0)

    def next_row(self) -> None:
        """The same step of the next layer, or its first."""
        self._row_by(1)

    def _row_by(self, rows: int) -> None:
        if self._layout is None or self._film is None:
            return
        groups = self._layout.groups
        own = next(n for n, (_group, first, last) in enumerate(groups) if first <= self.at < last)
        wanted = own + rows
        if not 0 <= wanted < len(groups):
            return
        name = self._film.scenes[self.at].name.partition(".")[2]
        _group, first, last = groups[wanted]
        like = (n for n in range(first, last) if self._film.scenes[n].name.endswith(f".{name}"))
        self.go_to(next(like, first))

    def play(self) -> None:
        """Go on from step to step, from the first where the last is seen; or stop."""
        if self._film is None:
            return
        if self.is_playing:
            self._pace.stop()
            self._keeping.start()
        else:
            self._pace.start()
            self.go_to(0 if self.at == len(self._film.scenes) - 1 else self.at + 1)
        self._say_play()

    def _play_on(self) -> None:
        if self._film is None or not self.isVisible():
            self._pace.stop()
        elif self.at + 1 < len(self._film.scenes):
            self.go_to(self.at + 1)
        if self._film is None or self.at + 1 >= len(self._film.scenes):
            self._pace.stop()
            self._keeping.start()
        self._say_play()

    def _say_play(self) -> None:
        words = _("Stop the pass") if self.is_playing else _("Play the pass")
        self.play_button.setIcon(icon("pause" if self.is_playing else "play"))
        self.play_button.setToolTip(plain_tip(words))
        self.play_button.setAccessibleName(words)

    # ---- painting -------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """The step, or what moves to it, and the number under the pointer."""
        if self._painter is None or self._layout is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(event.rect())
        self._painter.paint(painter, self.at, self._before, self.share)
        theme = current_theme()
        if self._pointed is not None and self.share >= 1:
            self._paint_pointed(painter, theme)
        if self.hasFocus():
            painter.setPen(theme.focus)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self._layout.step_box(self.at)).adjusted(0, 0, 0, -1))

    def _paint_pointed(self, painter: QPainter, theme: Theme) -> None:
        assert self._pointed is not None
        one, place = self._pointed
        values = one.row.values
        assert values is not None
        words = _(
            "{what}\nnumber {place} of {count}: {value}",
            what=label_said(one.row),
            place=str(place),
            count=whole(len(values)),
            value=number(float(values[place]), signed=True),
        )
        box = self._cell(one, place)
        painter.setPen(theme.focus)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        paint_beside(painter, theme, words, box, QRectF(self.rect()))

    @property
    def _bar(self) -> float:
        """Where the line of all steps ends."""
        return 0.0 if self._layout is None else self._layout.bar

    def _part_of(self, one: PlacedStrip) -> tuple[int, int]:
        values = one.row.values
        assert values is not None
        start, stop, _step = self.parts.get(len(values), slice(None)).indices(len(values))
        return start, stop

    def _cell(self, one: PlacedStrip, place: int) -> QRectF:
        start, stop = self._part_of(one)
        wide = one.strip.width() / (stop - start)
        left = one.strip.left() + (place - start) * wide
        return QRectF(left, one.strip.top(), max(2.0, wide), one.strip.height())

    def _at(self, x: float, y: float) -> tuple[PlacedStrip, int] | None:
        """The strip under a point, and which of its numbers."""
        if self._layout is None:
            return None
        one = self._layout.placed(self.at).at(x, y)
        if one is None or one.row.values is None or not one.strip.contains(x, y):
            return None
        start, stop = self._part_of(one)
        place = start + int((x - one.strip.left()) / one.strip.width() * (stop - start))
        return one, min(max(place, start), stop - 1)

    # ---- mouse and keys -------------------------------------------------------------------------

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Lay everything out anew."""
        self.hint.setVisible(self.width() >= self.hint.sizeHint().width() + BUTTONS)
        self._arrange()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell of the number under the pointer; drag through the line of all steps."""
        point = event.position()
        if event.buttons() & Qt.MouseButton.LeftButton and point.y() <= self._bar and self._layout:
            self.go_to(self._layout.step_at(point.x()))
            return
        found = self._at(point.x(), point.y())
        if found != self._pointed:
            self._pointed = found
            self.update()
        can = found is not None or point.y() <= self._bar
        self.setCursor(Qt.CursorShape.PointingHandCursor if can else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to a step, or look into a strip."""
        if event.button() != Qt.MouseButton.LeftButton or self._layout is None:
            event.ignore()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        point = event.position()
        if point.y() <= self._bar:
            self.go_to(self._layout.step_at(point.x()))
            return
        found = self._at(point.x(), point.y())
        if found is not None:
            self.look_into(*found)

    def look_into(self, one: PlacedStrip, place: int) -> None:
        """See a few numbers of all strips that are as wide, or all of them again."""
        values = one.row.values
        assert values is not None
        count = len(values)
        if count in self.parts or count <= NEAR:
            self.look_at_all()
            return
        start = min(max(0, place - NEAR // 2), count - NEAR)
        self.parts = {**self.parts, count: slice(start, start + NEAR)}
        self._arrange()

    def look_at_all(self) -> None:
        """See all numbers of all strips."""
        self.parts = {}
        self._arrange()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer."""
        super().leaveEvent(event)
        if self._pointed is not None:
            self._pointed = None
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step, play, look into."""
        if self._film is None:
            return
        key = Qt.Key(event.key())
        last = len(self._film.scenes) - 1
        done = {
            Qt.Key.Key_Right: self.forward,
            Qt.Key.Key_Left: self.back,
            Qt.Key.Key_Down: lambda: self._row_by(-1),
            Qt.Key.Key_Up: lambda: self._row_by(1),
            Qt.Key.Key_Home: self.first,
            Qt.Key.Key_End: lambda: self.go_to(last),
            Qt.Key.Key_Space: self.play,
        }
        if self.parts:
            done |= dict.fromkeys((Qt.Key.Key_0, Qt.Key.Key_Escape), self.look_at_all)
        if key in done and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            done[key]()
        else:
            super().keyPressEvent(event)
