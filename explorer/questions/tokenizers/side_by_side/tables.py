"""Numbers of every tokenizer, what each changes, and how much their vocabularies share."""

from explorer.questions.tokenizers.side_by_side.question import Cutting, SideBySideResult
from explorer.questions.tokenizers.side_by_side.wording import (
    about,
    algorithm_said,
    changes_said,
    read_back_said,
    title_of,
)
from explorer.text import _
from explorer.text.numbers import decimal, percent, whole
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale

SIZE = CellSize(narrowest=34, widest=96, share=0.3, lowest=20, highest=28)


def numbers(result: SideBySideResult) -> BarTable:
    """A row a tokenizer, with its pieces as bars."""
    premium = any(one.premium is not None for one in result.cuttings)
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
            (*_numbers_of(result, one), *([_decimal(one.premium)] if premium else [])),
            (Bar(one.pieces),),
            words=about(one),
            strong=one.checkpoint == result.model.id,
            key=("numbers", one.checkpoint),
        )
        for one in result.cuttings
    ]
    top = max((one.pieces for one in result.cuttings), default=0)
    axis = Axis(top or 1, titled=False)
    return BarTable(made, tuple(columns), axis, _("In numbers"), bold=False)


def _numbers_of(result: SideBySideResult, one: Cutting) -> tuple[str, ...]:
    characters = len(result.text) / one.pieces if one.pieces else None
    return (
        whole(one.pieces),
        _decimal(one.fertility),
        "" if one.continued_share is None else percent(one.continued_share),
        _decimal(characters),
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
                algorithm_said(one.algorithm),
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
