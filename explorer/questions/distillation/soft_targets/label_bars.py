"""One word alone beside soft labels: each a bar of length 1, cut into the words it is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.api.question import ComparedWord
from explorer.questions.distillation.soft_targets.parts import HARD_LABEL
from explorer.text import N_, _
from explorer.text.bidi import isolated
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks import (
    FIRST_BAR,
    SECOND_BAR,
    Laid,
    Spot,
    Theme,
    draw_text,
    text_height,
    text_width,
)

LEFT = Qt.AlignmentFlag.AlignLeft
SHADES = (1.0, 0.62, 0.82, 0.48)
"""How much of the colour neighbours have, so that they can be told apart."""
OTHERS = N_("others")


@dataclass(frozen=True)
class Part:
    """A word's share of a bar; that of all other words together where it is the rest."""

    word: str
    share: float
    is_rest: bool = False


def hard_label(rows: Sequence[ComparedWord]) -> str:
    """The word that really stands there, where it is among the rows; "" where nobody knows it."""
    return next((row.word for row in rows if row.tag == HARD_LABEL), "")


def parts_of(rows: Sequence[ComparedWord], *, teacher: bool) -> tuple[Part, ...]:
    """The words of one model's distribution in the order of the rows, and the rest."""
    parts = [Part(row.word, row.chances[0 if teacher else 1] or 0.0) for row in rows]
    rest = 1.0 - sum(part.share for part in parts)
    return (*parts, Part(_(OTHERS), rest, is_rest=True)) if rest > 0.0005 else tuple(parts)


class LabelBars(Laid):
    """A block of a page: one word alone, the teacher's soft label, the student's.

    The word is the hard label, the one that really stands there (Hinton et al. 2015: the true
    label); where nobody knows it, it is the teacher's first, and is not called a label.
    """

    def __init__(self, rows: Sequence[ComparedWord], width: float) -> None:
        self.width = width
        known = hard_label(rows)
        first = max(rows, key=lambda row: row.chances[0] or 0.0).word
        name = _(HARD_LABEL) if known else _("the teacher's first word alone")
        self.bars = (
            (name, (Part(known or first, 1.0),), "bar_original"),
            (_("soft label, teacher"), parts_of(rows, teacher=True), FIRST_BAR),
            (_("soft label, student"), parts_of(rows, teacher=False), SECOND_BAR),
        )
        self.caption = text_height("small") + 2
        self.bar = text_height("body") + 8
        self.height = 3 * (self.caption + self.bar + 6) - 6
        self.spots = tuple(self._spots())

    def _boxes(self, number: int) -> list[tuple[QRectF, Part]]:
        y = number * (self.caption + self.bar + 6) + self.caption
        boxes, x = [], 0.0
        for part in self.bars[number][1]:
            wide = self.width * part.share
            boxes.append((QRectF(x, y, wide, self.bar), part))
            x += wide
        return boxes

    def _spots(self) -> list[Spot]:
        return [
            Spot(box, None, f"{name}\n{isolated(part.word)}: {in_digits(part.share)}")
            for number, (name, *_rest) in enumerate(self.bars)
            for box, part in self._boxes(number)
        ]

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Bar after bar."""
        for number, (name, _unused, ink) in enumerate(self.bars):
            top = number * (self.caption + self.bar + 6)
            line = QRectF(0, top, self.width, self.caption)
            draw_text(painter, line, name, "small", theme.muted, LEFT)
            base = theme.colour(ink)
            for index, (box, part) in enumerate(self._boxes(number)):
                colour = theme.track
                if not part.is_rest:
                    colour = blended(base, theme.surface, SHADES[index % len(SHADES)])
                painter.setPen(QPen(theme.surface, 1.0))
                painter.setBrush(colour)
                painter.drawRect(box)
                self._write(painter, box, part, colour)

    @staticmethod
    def _write(painter: QPainter, box: QRectF, part: Part, ground: QColor) -> None:
        ink = QColor("#14161a") if ground.lightnessF() > 0.5 else QColor("#ffffff")
        both = f"{isolated(part.word)} {part.share:.2f}"
        for words in (both, part.word):
            if text_width("small", words) + 8 <= box.width():
                draw_text(painter, box, words, "small", ink)
                return


def blended(colour: QColor, ground: QColor, share: float) -> QColor:
    """A colour on a ground, as much of it as the share says."""

    def mixed(one: float, other: float) -> float:
        return share * one + (1 - share) * other

    return QColor.fromRgbF(
        mixed(colour.redF(), ground.redF()),
        mixed(colour.greenF(), ground.greenF()),
        mixed(colour.blueF(), ground.blueF()),
    )
