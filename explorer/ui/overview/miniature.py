"""The main part of an answer as its page paints it, small."""

import logging
from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPixmap

from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.mask_context import ContextLine
from explorer.ui.blocks.page.beside import Beside
from explorer.ui.blocks.page.parts import Parted, alone
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.panel import Panel
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.numbers import NumbersBlock
from explorer.ui.blocks.text import Text
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.overview.survey import SurveyFinding
from explorer.ui.theme.schemes import Theme, current_theme, theme_signals
from explorer.ui.views import page_of_question

log = logging.getLogger(__name__)

BESIDE = (Text, Beside, Legend, Chips, Panel, ContextLine, NumbersBlock)
"""What stands beside the main part of a page: words, and what explains it."""
TABLE, PICTURE = 300.0, 250.0
"""Pixels that a table and anything else are laid out for: narrower ones have no room for bars."""
WIDE, HIGH = 160.0, 52.0
"""Pixels of a small picture, at the usual size of text."""
FADING = 12.0
"""Of these, in which what goes on below fades away."""
KEPT = 64

_Key = tuple[str, str, int, tuple[tuple[str, str], ...]]
"""A question, a scheme, the number of an answer, and what its page was set to."""


@runtime_checkable
class Small(Protocol):
    """A block that has a way of its own to be painted in a few pixels."""

    def paint_small(self, painter: QPainter, theme: Theme, box: QRectF) -> None:
        """Paint what of it can be seen so small into a box."""


def main_block(blocks: Iterable[Block]) -> Block | None:
    """The first block of a page that is its picture, also where it stands in a card."""
    every = list(_pictures(blocks))
    # The sentence itself is shown where there is nothing else.
    return next((one for one in every if not isinstance(one, Tokens)), next(iter(every), None))


def _pictures(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if isinstance(block, Parted) and any(part.blocks for part in block.parts):
            for part in block.parts:
                yield from _pictures(part.blocks)
        elif not isinstance(block, BESIDE):
            yield block


class Miniatures(QObject):
    """Paints them while nobody waits, one between two events.

    Signals:
        drawn: One more is there.
    """

    drawn = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.sharpness = 1.0
        self._drawn: dict[_Key, tuple[object, QPixmap | None]] = {}
        self._wanted: list[SurveyFinding] = []
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)
        theme_signals().changed.connect(self._forget)

    @property
    def is_idle(self) -> bool:
        """All that were wanted are there."""
        return not self._wanted

    def want(self, findings: Iterable[SurveyFinding]) -> None:
        """Paint these, in this order, and no others that wait."""
        self._wanted = [one for one in findings if self._key(one) not in self._drawn]
        if self._wanted:
            self._timer.start()

    def of(self, finding: SurveyFinding) -> QPixmap | None:
        """What there is of an answer; None where it is not painted yet, or has no picture."""
        return self._drawn.get(self._key(finding), (None, None))[1]

    def _key(self, finding: SurveyFinding) -> _Key:
        # The answer is kept beside its picture, so that no other one is given its number.
        number, options = id(finding.result), finding.document.options
        return finding.of.name, current_theme().scheme, number, options

    def _forget(self, _theme: object = None) -> None:
        self._drawn.clear()

    def _next(self) -> None:
        if not self._wanted:
            self._timer.stop()
            return
        finding = self._wanted.pop(0)
        while len(self._drawn) >= KEPT:
            self._drawn.pop(next(iter(self._drawn)))
        try:
            made = self._painted(finding, current_theme())
        except Exception:
            # A page of a plugin: it costs a small picture, and nothing else.
            log.exception("The small picture of %s", finding.of.name)
            made = None
        self._drawn[self._key(finding)] = (finding.result, made)
        self.drawn.emit()

    def _painted(self, finding: SurveyFinding, theme: Theme) -> QPixmap | None:
        page = page_of_question(finding.of.name)
        if page is None:
            return None
        known = {one.key: one for one in finding.of.options}
        now = finding.document
        for key, value in finding.headline.points_at.items():
            if key in known:
                now = now.with_option(key, known[key].written(value))
        shown = Shown(result=finding.result, asked=finding.document, now=now, alone=True)
        block = main_block(alone(page.blocks(shown)))
        if block is None:
            return None
        return painted(block, theme, self.sharpness)


def painted(block: Block, theme: Theme, sharpness: float) -> QPixmap:
    """A block, small: a table and a sentence from above, a picture as a whole.

    Args:
        block: Of a page.
        theme: Its colours.
        sharpness: Pixels of the screen for one of the window.
    """
    made = QPixmap(round(WIDE * sharpness), round(HIGH * sharpness))
    made.setDevicePixelRatio(sharpness)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(QRectF(0, 0, WIDE, HIGH))
    if isinstance(block, Small):
        block.paint_small(painter, theme, QRectF(0, 0, WIDE, HIGH))
    else:
        wide = TABLE if isinstance(block, BarTable) else PICTURE
        laid = block.at(wide)
        # A chart is seen as a whole; of a table and a sentence, what is above.
        scale = min(WIDE / wide, HIGH / laid.height) if laid.live else WIDE / wide
        over = scale * laid.height - HIGH
        painter.translate((WIDE - scale * wide) / 2, max(0.0, -over / 2))
        painter.scale(scale, scale)
        laid.paint(painter, theme)
        if over > 0:
            painter.resetTransform()
            _fade(painter)
    painter.end()
    return made


def _fade(painter: QPainter) -> None:
    """Let what goes on below end softly: nothing looks cut in two."""
    ground = QLinearGradient(0.0, HIGH - FADING, 0.0, HIGH)
    ground.setColorAt(0.0, QColor(0, 0, 0, 255))
    ground.setColorAt(1.0, QColor(0, 0, 0, 0))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
    painter.fillRect(QRectF(0, 0, WIDE, HIGH), ground)
