"""What each model says of the pair, and where it looks from one text to the other."""

from collections.abc import Iterator

from explorer.questions.pairs.sentence_pair.objectives import compared, runs_table
from explorer.questions.pairs.sentence_pair.pooled import pooled
from explorer.questions.pairs.sentence_pair.question import (
    OPERATION,
    Judgement,
    SentencePairResult,
    exact_lane,
    parts,
)
from explorer.questions.pairs.sentence_pair.taught import taught
from explorer.questions.pairs.sentence_pair.wording import TRAINED, Judges
from explorer.text import N_, _
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.beside import Beside
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.left_out import left_out
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.matrices.block import CellSize, Matrix
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.map_block import cells_or_map
from explorer.ui.matrices.scale import Scale
from explorer.ui.parts.classes import classes_of
from explorer.ui.sentence.pieces import from_right, of_tokens

SIZE = CellSize(narrowest=9, widest=46, share=0.62, lowest=15, highest=28)
TALLEST = 480.0


def blocks(shown: Shown) -> Iterator[Block]:
    """A card a model."""
    result: SentencePairResult = shown.result
    text, pair = shown.asked.text, shown.asked.pair
    if shown.alone and pair:
        yield note(_("“{text}” and “{pair}”", text=text, pair=pair))
    each = [
        (list(_judgement(shown, number)), list(_looks(shown, one)))
        for number, one in enumerate(result.judgements)
    ]
    names = [shown.title_of(one.model) for one in result.judgements]
    if len(each) == 1:
        titles = (*names, _("Attention between the texts"))
        cards = [Card(part, name) for part, name in zip(each[0], titles, strict=True) if part]
    else:
        cards = [
            Card([*says, *looks], name) for (says, looks), name in zip(each, names, strict=True)
        ]
    yield Columns(cards, framed=len(each) > 1, narrowest=CardWidth.WIDE)
    if any(one.judges is not Judges.CLASSES for one in result.judgements):
        yield from taught(compared())


def _judgement(shown: Shown, number: int) -> Iterator[Block]:
    """One model's answer in words, and its classes."""
    one = shown.result.judgements[number]
    yield Text(shown.title_of(one.model), "title")
    yield from left_out(one.left_out)
    yield Text(verdict(one), "strong")
    yield note(_(TRAINED[one.judges]))
    (classes,) = parts(shown.result)
    yield classes_of(classes.judged[number])
    yield Beside(lane=exact_lane(number))


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


def _looks(shown: Shown, one: Judgement) -> Iterator[Block]:
    """Where it looks from one text to the other."""
    if one.between is None:
        return
    yield heading(_("Attention between the texts"))
    yield note(
        _(
            "The largest weight between two words of different texts, either way, over all "
            "layers and heads. Point at a cell to read it."
        ),
        above=Space.TIGHT,
    )
    yield _between(shown, one)


def _between(shown: Shown, one: Judgement) -> Block:
    """The first text's tokens in the rows, the second's in the columns."""
    assert one.between is not None
    values = one.between
    pieces = of_tokens(one.tokens, shown.asked)
    first, second = (tuple(pieces[n].text for n in one.places(part)) for part in (0, 1))

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
    return cells_or_map(matrix, SIZE, TALLEST)


PAGE = Page(
    OPERATION,
    blocks,
    pooled=pooled,
    other_tables={N_("What each objective teaches"): lambda _shown: runs_table(compared())},
)
