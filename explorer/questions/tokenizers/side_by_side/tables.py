"""Numbers of every tokenizer, what each changes, and how much their vocabularies share."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from explorer.questions.tokenizers.side_by_side.question import SideBySideResult
from explorer.questions.tokenizers.side_by_side.wording import (
    about,
    algorithm_said,
    changes_said,
    read_back_said,
    title_of,
)
from explorer.text import _
from explorer.text.formatting.numbers import decimal, percent, whole
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale

NOTHING_TOLD: Mapping[str, str] = MappingProxyType({})
SIZE = CellSize(narrowest=34, widest=96, share=0.3, lowest=20, highest=28)


class Counted(Protocol):
    """What is counted of a tokenizer: of one text, or of all of a file."""

    @property
    def checkpoint(self) -> str:
        """Whose tokenizer it is."""

    @property
    def title(self) -> str:
        """What a user reads for that."""

    @property
    def pieces(self) -> int:
        """How many."""

    @property
    def unknown(self) -> int:
        """How many of them stand for what the vocabulary lacks."""

    @property
    def fertility(self) -> float | None:
        """Pieces a word."""

    @property
    def continued_share(self) -> float | None:
        """Share of the words that are cut into several pieces."""

    @property
    def efficiency(self) -> float | None:
        """Rényi efficiency."""

    @property
    def premium(self) -> float | None:
        """How many times as many pieces as in English."""


def numbers(result: SideBySideResult) -> BarTable:
    """A row a tokenizer, with its pieces as bars."""
    told = {one.checkpoint: about(one) for one in result.cuttings}
    return numbers_of(result.cuttings, len(result.text), told, result.model.id)


def numbers_of(
    counted: Sequence[Counted],
    characters: int,
    told: Mapping[str, str] = NOTHING_TOLD,
    strong: str = "",
) -> BarTable:
    """A row a tokenizer.

    Args:
        counted: Of each.
        characters: Of what they cut.
        told: What the labels explain, by checkpoint.
        strong: The checkpoint whose row is bold.
    """
    premium = any(one.premium is not None for one in counted)
    words = _("Pieces of this text, divided by those of the same text in English.")
    columns = [
        Column(_("Pieces")),
        Column(_("A word"), words=_("Pieces a word: fertility.")),
        Column(_("Cut words"), words=_("Words that are cut into several pieces.")),
        Column(_("Characters"), words=_("Characters a piece."), dispensable=True),
        Column(_("Unknown"), words=_("Share of the pieces that stand for nothing known.")),
        Column(_("Rényi"), words=_("Rényi efficiency of order 2.5."), dispensable=True),
        *([Column(_("Premium"), words=words)] if premium else []),
    ]
    made = [
        Row(
            title_of(one),
            (*_numbers_of(one, characters), *([_decimal(one.premium)] if premium else [])),
            (Bar(one.pieces),),
            words=told.get(one.checkpoint, one.title),
            strong=one.checkpoint == strong,
            key=("numbers", one.checkpoint),
        )
        for one in counted
    ]
    top = max((one.pieces for one in counted), default=0)
    axis = Axis(top or 1, titled=False)
    return BarTable(made, tuple(columns), axis, _("In numbers"), bold=False)


def _numbers_of(one: Counted, characters: int) -> tuple[str, ...]:
    return (
        whole(one.pieces),
        _decimal(one.fertility),
        "" if one.continued_share is None else percent(one.continued_share),
        _decimal(characters / one.pieces if one.pieces else None),
        percent(one.unknown / one.pieces) if one.pieces else "",
        _decimal(one.efficiency),
    )


def _decimal(value: float | None) -> str:
    return "" if value is None else decimal(value, 2)


def changed(result: SideBySideResult) -> BarTable:
    """How each finds its pieces, what it changes before, and whether the text comes back."""
    columns = (
        Column(_("Algorithm"), left=True),
        Column(_("Vocabulary")),
        Column(_("Changed"), left=True, wraps=True),
        Column(_("Read back"), left=True, wraps=True),
    )
    made = [
        Row(
            title_of(one),
            (
                algorithm_said(one.algorithm).said,
                whole(one.vocabulary),
                changes_said(one),
                read_back_said(result, one),
            ),
            words=about(one),
            key=("changed", one.checkpoint),
        )
        for one in result.cuttings
    ]
    return BarTable(made, columns, title=_("What each changes"), bold=False)


def overlap(result: SideBySideResult) -> MatrixBlock:
    """Tokenizers against tokenizers."""
    names = tuple(map(title_of, result.cuttings))
    content = HeatContent(
        result.overlap,
        names,
        names,
        Scale(1.0, in_percent=True),
        written=percent,
        seams=True,
        with_bar=False,
    )
    return MatrixBlock(Matrix(content), SIZE)
