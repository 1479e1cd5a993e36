"""A sentence as the tokens the strip draws, with words under them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from PySide6.QtGui import QPainter

from explorer.api.question import Token
from explorer.document import Document
from explorer.text import _
from explorer.text.bidi import isolated
from explorer.ui.blocks.block import PlacedBlock, Spot
from explorer.ui.blocks.spacing import Space
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.tokens.layout import MARGIN, arrange
from explorer.ui.sentence.tokens.painting import Highlights, paint_tokens
from explorer.ui.theme.schemes import Theme


@dataclass(frozen=True)
class Tokens:
    """A sentence.

    Attributes:
        tokens: The model's input.
        document: Whose characters the tokens show; None where they are not of it.
        notes: Words under tokens, by position.
        words: Tooltips of the tokens that explain themselves, by position.
        acts: What choosing a token does, by position.
        tail: What is said of tokens that were left out.
        above: The room above it.
    """

    tokens: tuple[Token, ...]
    document: Document | None = None
    notes: Mapping[int, str] = field(default_factory=dict)
    words: Mapping[int, str] = field(default_factory=dict)
    acts: Mapping[int, Any] = field(default_factory=dict)
    tail: str = ""
    above: Space = Space.NEAR

    def at(self, width: float) -> PlacedBlock:
        """In lines of a width."""
        return LaidTokens(self, width)


class LaidTokens(PlacedBlock):
    """The tokens at a width."""

    def __init__(self, block: Tokens, width: float) -> None:
        self._pieces = of.pieces_of_tokens(block.tokens, block.document)
        self._block, self._notes, self._tail = block, block.notes, block.tail
        self._at = arrange(self._pieces, width + 2 * MARGIN, block.notes, block.tail)
        self.height = self._at.height - 2 * MARGIN
        self.name = self._said()

    @cached_property
    def spots(self) -> Sequence[Spot]:  # type: ignore[override]
        """The tokens that say or do something."""
        return tuple(
            Spot(
                self._at.boxes[position].translated(-MARGIN, -MARGIN).adjusted(-1, -1, 1, 1),
                ("mask", position),
                text,
                _(
                    "{spoken}, position {position}. {text}",
                    spoken=self._pieces[position].spoken,
                    position=position,
                    text=text,
                ),
                self._block.acts.get(position),
            )
            for position, text in self._block.words.items()
        )

    def _said(self) -> str:
        """The tokens with their notes."""
        said = []
        for index, piece in enumerate(self._pieces):
            word = piece.text or piece.piece
            word = _("masked {word}", word=word) if piece.masked else isolated(word)
            note = isolated(self._notes.get(index, ""))
            said.append(f"{word} ({note})" if note else word)
        return " ".join(said)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """The tokens and their notes."""
        painter.translate(-MARGIN, -MARGIN)
        look = Highlights(notes=self._notes, tail=self._tail)
        paint_tokens(painter, theme, self._pieces, self._at, look)
