"""How the best filling came about: one line a mask, in the order they were filled."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.operations.fill_jointly import FillJointlyResult
from explorer.ui.blocks.block import Spot
from explorer.ui.glossary import explain
from explorer.ui.theme import FontRole, Theme
from explorer.ui.widgets.bar_rows import drawn, in_digits
from explorer.ui.widgets.token_layout import text_height, text_width
from explorer.ui.widgets.token_painting import draw_text

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
ELIDE = Qt.TextElideMode.ElideRight
GAP = 16.0
HEADS = ("step", "mask", "word", "now", "alone", "belief moved", "KL, nats", "entropy")
TOOLTIPS = {
    "now": "The word's probability when it was filled, the masks before it being filled already.",
    "alone": "The same word's probability while everything was masked.",
    "belief moved": explain("total variation"),
    "KL, nats": explain("KL divergence"),
    "entropy": explain("entropy") + " While everything was masked, and when it was filled.",
}


class Steps:
    """A block: a table of the steps.

    Args:
        result: Whose steps.
        width: In pixels; columns that do not fit are left out, from the right.
    """

    def __init__(self, result: FillJointlyResult, width: float, masks: tuple[str, ...]) -> None:
        self._rows = _rows(result, masks)
        self._high = text_height("body") + 6
        self._head = text_height("small") + 6
        self.height = self._head + self._high * len(self._rows)
        self._columns: list[tuple[str, int, float, float]] = []
        x = 8.0
        for number, head in enumerate(HEADS):
            cells = [row[number] for row in self._rows]
            if not any(cells):
                continue
            role: FontRole = "strong" if head == "word" else "body"
            wide = max(text_width("small", head), *(text_width(role, cell) for cell in cells)) + 1
            wide = min(wide, 220.0)
            if x + wide > width and number > 3:
                break
            self._columns.append((head, number, x, wide))
            x += wide + GAP
        self.spots = tuple(
            Spot(QRectF(left, 0, wide, self.height), None, TOOLTIPS[head])
            for head, _, left, wide in self._columns
            if head in TOOLTIPS
        )

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Heads and rows."""
        for head, number, left, wide in self._columns:
            align = LEFT if number in (1, 2) else RIGHT
            box = QRectF(left, 0, wide, self._head)
            draw_text(painter, box, head, "small", theme.muted, align)
            for row, cells in enumerate(self._rows):
                place = QRectF(left, self._head + row * self._high, wide, self._high)
                role: FontRole = "strong" if head == "word" else "body"
                colour = theme.muted if head in ("step", "alone") else theme.text
                draw_text(painter, place, cells[number], role, colour, align, ELIDE)


def _rows(result: FillJointlyResult, masks: tuple[str, ...]) -> list[tuple[str, ...]]:
    best = result.fillings[0]
    rows: list[tuple[str, ...]] = []
    for number, step in enumerate(result.steps, start=1):
        chosen = best.chosen[step.mask]
        alone = best.alone[step.mask] if best.alone else None
        fell = f"{step.entropy:.2f}"
        if step.entropy_alone is not None:
            fell = f"{step.entropy_alone:.2f} → {fell}"
        moved, kl = step.total_variation, step.kl
        rows.append(
            (
                str(number),
                masks[step.mask],
                drawn(chosen),
                in_digits(chosen.probability),
                in_digits(alone.probability) if alone is not None else "",
                f"{moved * 100:.0f} %" if moved is not None else "",
                f"{kl:.3f}" if kl is not None else "",
                fell,
            )
        )
    return rows
