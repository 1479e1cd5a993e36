"""What each model says of the pair, and where it looks from one text to the other."""

from collections.abc import Iterator

import numpy as np

from explorer.questions.pairs.sentence_pair.pooling import Confusion
from explorer.questions.pairs.sentence_pair.question import (
    OPERATION,
    Judgement,
    Judges,
    SentencePairResult,
)
from explorer.text import N_, _, said
from explorer.text.numbers import percent, whole, with_minus
from explorer.text.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.left_out import left_out
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.document.gestures import swap_texts
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.map_block import Map, MapBlock
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import from_right, of_tokens

TRAINED = {
    Judges.NEXT: N_(
        "Trained to tell whether the second text really followed the first or came from somewhere "
        "else (Devlin et al. 2019, section 3.1). Label 0 is that it follows."
    ),
    Judges.ORDER: N_(
        "Trained to tell whether two texts that belong together stand in their order or were "
        "swapped (Lan et al. 2020, section 3.1). Label 0 is the right order."
    ),
    Judges.CLASSES: N_("Fine-tuned to tell classes apart; their names are its config’s."),
}
SIZE = CellSize(narrowest=9, widest=46, share=0.62, lowest=15, highest=28)
COUNTS = CellSize(narrowest=40, widest=90, share=0.5, lowest=24, highest=40)
MANY = 700
"""Cells from which on a matrix is a map, which is drawn quickly and zoomed into to be read."""
TALLEST = 480.0


def blocks(shown: Shown) -> Iterator[Block]:
    """A card a model, and the texts swapped with a click."""
    result: SentencePairResult = shown.result
    yield from (note(said(words)) for words in result.notes)
    text, pair = shown.asked.text, shown.asked.pair
    if pair and not shown.alone:
        tip = _("The second text comes first: is the answer another one?")
        yield Chips([Chip(_("Swap both texts"), swap_texts(shown.asked), tip=tip, key="swap")])
    if shown.alone and pair:
        yield note(_("“{text}” and “{pair}”", text=text, pair=pair))
    if len(result.judgements) == 1:
        (one,) = result.judgements
        cards = [Card(tuple(part), name) for part, name in _both(shown, one) if part]
    else:
        cards = [
            Card(tuple(block for part, _name in _both(shown, one) for block in part), one.model.id)
            for one in result.judgements
        ]
    yield Columns(cards, framed=len(result.judgements) > 1, narrowest=420.0, above=10.0)


def _both(shown: Shown, one: Judgement) -> tuple[tuple[list[Block], str], ...]:
    """One model's answer, and where it looks."""
    return (
        (list(_judgement(shown, one)), shown.title_of(one.model)),
        (list(_looks(shown, one)), _("Attention between the texts")),
    )


def _judgement(shown: Shown, one: Judgement) -> Iterator[Block]:
    """One model's answer in words, and its classes."""
    yield Text(shown.title_of(one.model), "title", above=0.0)
    yield from left_out(one.left_out)
    yield Text(verdict(one), "strong", above=4.0)
    yield note(_(TRAINED[one.judges]))
    yield _classes(one)


def _looks(shown: Shown, one: Judgement) -> Iterator[Block]:
    """Where it looks from one text to the other."""
    if one.between is None:
        return
    alone = len(shown.result.judgements) == 1
    yield heading(_("Attention between the texts"), above=0.0 if alone else 14.0)
    yield note(
        _(
            "The largest weight between two words of different texts, either way, over all "
            "layers and heads. Point at a cell to read it."
        ),
        above=2.0,
    )
    yield _between(shown, one)


def verdict(one: Judgement) -> str:
    """The likeliest class, in words."""
    share = in_digits(float(one.probabilities[one.best]))
    if one.judges is Judges.NEXT:
        if one.best == 0:
            return _("The second text follows the first: {share}.", share=share)
        return _("The second text does not follow the first: {share}.", share=share)
    if one.judges is Judges.ORDER:
        if one.best == 0:
            return _("The two texts stand in the right order: {share}.", share=share)
        return _("The two texts are swapped: {share}.", share=share)
    return _("“{label}”: {share}.", label=one.labels[one.best], share=share)


def label_said(one: Judgement, number: int) -> str:
    """A class by its name."""
    words = {
        Judges.NEXT: (_("the second follows"), _("the second is from elsewhere")),
        Judges.ORDER: (_("right order"), _("swapped")),
    }.get(one.judges, one.labels)
    return words[number]


def _classes(one: Judgement) -> BarTable:
    chances = one.probabilities.tolist()
    rows = [
        Row(
            label_said(one, number),
            (in_digits(chances[number]), with_minus(float(one.logits[number]), 2)),
            (Bar(chances[number]),),
            lead=str(number),
            strong=number == one.best,
            key=("class", one.model.id, number),
        )
        for number in range(len(one.labels))
    ]
    columns = (
        Column(_("probability")),
        Column(_("logit"), words=_("Its raw score, before the softmax."), dispensable=True),
    )
    return BarTable(rows, columns, Axis(1.0), _("Classes"), bold=False, label=Column(_("class")))


def _between(shown: Shown, one: Judgement) -> Block:
    """The first text's tokens in the rows, the second's in the columns."""
    assert one.between is not None
    values = one.between
    pieces = of_tokens(one.tokens, shown.asked)
    first, second = (
        tuple(
            piece.text
            for piece, token in zip(pieces, one.tokens, strict=True)
            if not token.special and token.part == part
        )
        for part in (0, 1)
    )

    def words(row: int, column: int) -> str:
        return _(
            "“{first}” and “{second}”: {weight}",
            first=first[row],
            second=second[column],
            weight=in_digits(float(values[row, column])),
        )

    content = HeatContent(
        values,
        first,
        second,
        Scale.from_zero(values),
        row_title=_("first text"),
        column_title=_("second text"),
        said=words,
        seams=True,
        from_right=from_right(one.tokens, shown.asked),
    )
    matrix = Matrix(content, key=lambda row, column: ("cell", one.model.id, row, column))
    return (
        MapBlock(Map(matrix), tallest=TALLEST) if values.size > MANY else MatrixBlock(matrix, SIZE)
    )


def pooled(found: Confusion, shown: Shown) -> Iterator[Block]:  # noqa: ARG001 - as pages have it
    """How many pairs of a file are judged rightly, and what is taken for what."""
    share = percent(found.right / found.total, 1)
    yield Numbers(
        [
            Number(share, _("judged rightly"), _("Of the pairs whose class the file tells.")),
            Number(whole(found.total), _("pairs")),
        ]
    )
    values = np.array(
        [[found.counts.get((wanted, said), 0) for said in found.labels] for wanted in found.labels],
        dtype=np.float32,
    )
    content = HeatContent(
        values,
        found.labels,
        found.labels,
        Scale.from_zero(values),
        row_title=_("right"),
        column_title=_("said"),
        written=lambda value: whole(int(value)),
        seams=True,
    )
    yield MatrixBlock(Matrix(content, title=_("Which classes are taken for which")), COUNTS)


PAGE = Page(
    OPERATION,
    blocks,
    pooled=pooled,
    elsewhere=N_(
        "Pairs are judged by models with a next-sentence or sentence-order head, as bert-miniature "
        "and albert-miniature, and by classifiers of your own."
    ),
)
