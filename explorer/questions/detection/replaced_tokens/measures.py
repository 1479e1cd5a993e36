"""What is measured of one judged sentence, on cards: the losses and the training signal."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.questions.detection.replaced_tokens.question import Losses
from explorer.text import _, ngettext
from explorer.ui.blocks.block import Laid, Spot
from explorer.ui.blocks.columns import Card
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.sentence.tokens.layout import text_height
from explorer.ui.sentence.tokens.painting import draw_text
from explorer.ui.theme.schemes import Theme
from explorer.ui.theme.shapes import rounded

LEFT = Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignRight
SQUARE, APART = 11.0, 3.0


def losses_card(found: Losses, weight: float, masked: int, tokens: int) -> Card:
    """MLM + lambda x RTD, term by term (Clark et al. 2020, section 2).

    Args:
        found: The two losses.
        weight: The lambda now.
        masked: Tokens the generator's loss is averaged over.
        tokens: Tokens the discriminator's is averaged over.
    """
    detection = weight * found.discriminator
    total = found.at(weight)
    rows: list[Row] = []
    if found.generator is not None:
        over = ngettext("over {count} masked token", "over {count} masked tokens", masked)
        rows.append(_term("MLM", over, found.generator, found.generator, "bar_original"))
    over = ngettext("over {count} token", "over {count} tokens", tokens)
    rows.append(_term("RTD", over, found.discriminator, detection, "bar"))
    terms = {"weight": f"{weight:g}", "loss": f"{found.discriminator:.3f}", "total": f"{total:.2f}"}
    said = (
        _("{weight} × {loss} = total {total}", **terms)
        if found.generator is None
        else _(
            "{generator} + {weight} × {loss} = total {total}",
            generator=f"{found.generator:.3f}",
            **terms,
        )
    )
    return Card(
        (
            heading(_("Losses, in nats")),
            BarTable(
                rows,
                (Column(_("loss")), Column(_("in the total"), strong=True)),
                Axis(max(total, 1e-9), titled=False),
                title=_("Losses, in nats"),
                first=1,
            ),
            note(said, words=_("Clark et al. 2020: MLM + λ RTD, with λ = 50.")),
        ),
        _("Losses, in nats"),
    )


def _term(name: str, over: str, loss: float, part: float, colour: str) -> Row:
    return Row(name, (f"{loss:.3f}", f"{part:.2f}"), (Bar(part, colour),), below=over)


def signals_card(tokens: int, masked: int) -> Card:
    """How many tokens teach something under either objective."""
    said = (
        _(
            "Replaced-token detection learns from every token, masked LM from the masked ones: "
            "{times} times as many here.",
            times=f"{tokens / masked:.1f}",
        )
        if masked
        else _(
            "Replaced-token detection learns from every token. No token is masked here, so a "
            "masked LM would learn nothing."
        )
    )
    rows = (
        (_("Replaced-token detection"), tokens, "bar"),
        (_("Masked language model"), masked, "bar_original"),
    )
    return Card(
        (heading(_("Training signal")), Signals(rows, tokens), note(said)), _("Training signal")
    )


@dataclass(frozen=True)
class Signals:
    """A block: a square for every token, filled where it teaches something.

    Attributes:
        rows: An objective, how many tokens it learns from, and a colour by its name in the theme.
        tokens: Of the input.
        above: The room above it.
    """

    rows: Sequence[tuple[str, int, str]]
    tokens: int
    above: Space = Space.NEAR

    def at(self, width: float) -> Laid:
        """In lines of as many squares as there is room for."""
        return LaidSignals(self, width)


class LaidSignals:
    """The squares at a width."""

    def __init__(self, signals: Signals, width: float) -> None:
        self._signals, self._width = signals, width
        self._line = text_height("small") + 2
        self._across = max(1, int(width // (SQUARE + APART)))
        self._deep = -(-signals.tokens // self._across) * (SQUARE + APART)
        self.height = len(signals.rows) * (self._line + self._deep + 6)
        self.spots: tuple[Spot, ...] = ()

    @property
    def name(self) -> str:
        """For a screen reader."""
        return ". ".join(f"{title}: {self._of(count)}" for title, count, _c in self._signals.rows)

    def _of(self, count: int) -> str:
        return _("{count} of {all}", count=count, all=self._signals.tokens)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """An objective below the other."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        y = 0.0
        for title, count, colour in self._signals.rows:
            place = QRectF(0, y, self._width, self._line)
            draw_text(painter, place, title, "small", theme.text, LEFT)
            draw_text(painter, place, self._of(count), "small", theme.text, RIGHT)
            y += self._line
            for i in range(self._signals.tokens):
                x = i % self._across * (SQUARE + APART)
                top = y + i // self._across * (SQUARE + APART)
                fill = theme.colour(colour) if i < count else theme.track
                rounded(painter, QRectF(x, top, SQUARE, SQUARE), 2, fill)
            y += self._deep + 6
