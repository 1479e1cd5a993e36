"""The loop as a block: a click masks a token or takes a proposal, the threshold is dragged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.api.question import mask_of
from explorer.document import Document, Mask
from explorer.questions.detection.drawing import THRESHOLD
from explorer.questions.detection.replaced_tokens.gestures import put_word, take_word
from explorer.questions.detection.replaced_tokens.picture.layout import arrange_loop
from explorer.questions.detection.replaced_tokens.picture.painting import LoopLook, paint_loop
from explorer.questions.detection.replaced_tokens.picture.rows import LoopRow
from explorer.text import _
from explorer.text.bidi import isolated
from explorer.ui.blocks import (
    Edit,
    Move,
    PlacedBlock,
    Select,
    Space,
    SpokenCell,
    Spot,
    Theme,
    Write,
    toggle_mask,
)

LEAST = 620.0
"""Pixels in which the loop has all columns, the names of both models, and bars to compare."""
GRAB = 7.0
"""How near to the threshold's line the mouse takes hold of it, in pixels."""

Key = Qt.Key
CHOOSES = (Key.Key_Return, Key.Key_Enter, Key.Key_Space)
"""Keys that do what a click does, where a click does something."""


@dataclass(frozen=True)
class Loop:
    """The block.

    Attributes:
        rows: A token each.
        look: Names and threshold.
        seen: The text that the rows are of, with the masks of now.
        can_mask: There is a generator to fill what is masked.
        above: The room above it.
    """

    rows: Sequence[LoopRow]
    look: LoopLook
    seen: Document
    can_mask: bool
    above: Space = Space.NEAR

    @property
    def least_width(self) -> float:
        """Where cards stand side by side, what it takes for all of its columns."""
        return LEAST

    def at(self, width: float) -> PlacedBlock:
        """In as much room as there is; where that is too little, all of it is smaller."""
        return LaidLoop(self, width)

    def place(self, row: LoopRow) -> Mask:
        """What a row's token stands for in the sentence as it was."""
        known = [one for one in self.rows if one.special or one.original]
        if row not in known:  # one piece more than there were
            return Mask(row.token.start, row.token.end, row.token.part)
        return mask_of([one.token for one in known], known.index(row))

    def toggle(self, row: LoopRow) -> Edit | None:
        """Mask a token for the generator, or no longer."""
        if not self.can_mask or row.special:
            return None
        tokens = [one.token for one in self.rows]
        return toggle_mask(self.seen, mask_of(tokens, self.rows.index(row)))

    def write(self, row: LoopRow, number: int) -> Write:
        """Type another word for a token; the word that stood there takes that back."""

        def done(words: str) -> Edit:
            if row.by_user and words == row.original:
                return take_word(self.seen, self.place(row))
            return put_word(self.seen, self.place(row), words, "")

        name = _("New word in place of {word}", word=row.corrupted)
        return Write(row.corrupted, name, done, over=("corrupted", number))

    def keys(self, row: LoopRow, number: int) -> dict[Key, Any]:
        """What can be done to a token without the mouse."""
        if row.special:
            return {}
        write = self.write(row, number)
        found: dict[Key, Any] = dict.fromkeys((Key.Key_F2, Key.Key_Return, Key.Key_Enter), write)
        toggle = self.toggle(row)
        if toggle is not None:
            found |= dict.fromkeys((Key.Key_M, Key.Key_Space), toggle)
        if row.by_user:
            take = take_word(self.seen, self.place(row))
            found |= dict.fromkeys((Key.Key_Delete, Key.Key_Backspace), take)
        return found


class LaidLoop(PlacedBlock):
    """The loop at a width."""

    def __init__(self, loop: Loop, width: float) -> None:
        self.loop = loop
        names = loop.look.generator, loop.look.discriminator
        self.layout = arrange_loop(loop.rows, width, *names)
        self._scale = min(1.0, width / self.layout.width)
        self.height = self.layout.height * self._scale
        self.name = _("Generator and discriminator, token by token")

    @cached_property
    def anchors(self) -> Mapping[Any, QRectF]:  # type: ignore[override]
        """Every row, by its token's position."""
        at = zip(self.loop.rows, self.layout.rows, strict=True)
        return {row.position: self._seen(box) for row, box in at}

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """What can be done to tokens, and every row."""
        rows = list(enumerate(self.loop.rows))
        # The first one under the mouse is meant: what lies on a row comes before it.
        return (
            self._threshold(),
            *(spot for number, row in rows for spot in self._on_row(row, number)),
            *(self._row(row, number) for number, row in rows),
        )

    def _seen(self, box: QRectF) -> QRectF:
        """A box of the layout as large as it is painted."""
        n = self._scale
        return QRectF(box.left() * n, box.top() * n, box.width() * n, box.height() * n)

    def _threshold(self) -> Spot:
        at, threshold = self.layout, self.loop.look.threshold
        x = at.x_of(threshold)

        def drag(pixels: float) -> Move:
            return Move(THRESHOLD, round(at.probability_at(x + pixels / self._scale), 2))

        words = _(
            "Above {threshold} a token is called replaced. Drag it.", threshold=f"{threshold:.2f}"
        )
        box = QRectF(x - GRAB, at.body - 18, 2 * GRAB, at.height - at.body + 10)
        return Spot(self._seen(box), "threshold", words, drag=drag)

    def _on_row(self, row: LoopRow, number: int) -> list[Spot]:
        """A row's proposals and its tokens."""
        loop, at = self.loop, self.layout
        spots = [
            Spot(
                self._seen(at.lines[number][n].adjusted(-5, 0, 5, 0)),
                ("proposal", number, n),
                one.told(),
                act=self._taken(row, n),
            )
            for n, one in enumerate(row.proposals)
            if at.generator is not None
        ]
        if row.special:
            return spots
        tokens = [("sentence", at.sentence)] if row.original else []
        if row.masked and at.masked is not None:
            tokens.append(("masked", at.masked))
        toggle, keys = loop.toggle(row), loop.keys(row, number)
        some = partial(Spot, words=row.told(loop.look.threshold))
        for name, band in tokens:
            box = self._seen(at.chip_in(band, number))
            if toggle is None:
                spots.append(some(box, (name, number), twice=loop.write(row, number), keys=keys))
                continue
            spoken = _("{word}: mask it, or take its mask away", word=row.original)
            own = {key: act for key, act in keys.items() if key not in CHOOSES}
            spots.append(some(box, (name, number), spoken=spoken, act=toggle, keys=own))
        spots.append(
            some(
                self._seen(at.chip_in(at.corrupted, number)),
                ("corrupted", number),
                spoken=row.spoken(loop.look.threshold),
                act=Select(row.position),
                twice=loop.write(row, number),
                keys=keys,
            )
        )
        return spots

    def _taken(self, row: LoopRow, number: int) -> Edit:
        """Put one of the generator's proposals into the sentence."""
        one = row.proposals[number].prediction
        loop = self.loop
        return put_word(loop.seen, loop.place(row), one.word or one.token, one.token)

    def _row(self, row: LoopRow, number: int) -> Spot:
        loop, at = self.loop, self.layout
        threshold = loop.look.threshold
        reach = min(6.0, at.rows[number].left())
        box = self._seen(at.rows[number].adjusted(-reach, -2, reach, 2))
        cells = [
            (_("sentence"), row.original, at.sentence),
            (_("corrupted"), row.corrupted, at.corrupted),
            (_("replaced with probability"), f"{row.probability:.3f}", at.judge),
        ]
        if not row.special:
            cells.append((_("outcome"), row.verdict_said(threshold), at.truth))
        return Spot(
            box,
            ("row", number),
            row.told(threshold),
            row.spoken(threshold),
            Select(row.position),
            tuple(
                SpokenCell(f"{title} {isolated(text)}", self._seen(at.chip_in(band, number)), text)
                for title, text, band in cells
                if text
            ),
            keys=loop.keys(row, number),
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """All of it, smaller where there is too little room."""
        painter.scale(self._scale, self._scale)
        paint_loop(painter, theme, self.loop.rows, self.layout, self.loop.look)
