"""What each model says of the pair, and where it looks from one text to the other."""

from collections.abc import Iterator

from explorer.questions.masking.exact_answers.beside import exact_whole
from explorer.questions.pairs.sentence_pair.between import between
from explorer.questions.pairs.sentence_pair.objectives import compared, runs_table
from explorer.questions.pairs.sentence_pair.pooled import pooled
from explorer.questions.pairs.sentence_pair.question import (
    OPERATION,
    Judgement,
    Judges,
    SentencePairResult,
    exact_lane,
)
from explorer.questions.pairs.sentence_pair.taught import taught
from explorer.questions.pairs.sentence_pair.wording import TRAINED, label_said, verdict
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.left_out import left_out
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.parts.class_table import class_table


def blocks(shown: Shown) -> Iterator[Block]:
    """A card a model."""
    result: SentencePairResult = shown.result
    text, pair = shown.asked.text, shown.asked.pair
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
    yield Columns(cards, framed=len(result.judgements) > 1, narrowest=CardWidth.WIDE)
    if any(one.judges is not Judges.CLASSES for one in result.judgements):
        yield from taught(compared())


def _both(shown: Shown, one: Judgement) -> tuple[tuple[list[Block], str], ...]:
    """One model's answer, and where it looks."""
    return (
        (list(_judgement(shown, one)), shown.title_of(one.model)),
        (list(_looks(shown, one)), _("Attention between the texts")),
    )


def _judgement(shown: Shown, one: Judgement) -> Iterator[Block]:
    """One model's answer in words, and its classes."""
    yield Text(shown.title_of(one.model), "title")
    yield from left_out(one.left_out)
    yield Text(verdict(one), "strong")
    yield note(_(TRAINED[one.judges]))
    yield _classes(one)
    yield from exact_whole(shown, exact_lane(shown.result.judgements.index(one)))


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
    yield between(shown, one)


def _classes(one: Judgement) -> BarTable:
    return class_table(
        [label_said(one, number) for number in range(len(one.labels))],
        one.probabilities.tolist(),
        one.logits.tolist(),
        titles=(_("Classes"), _("class")),
        key=lambda number: ("class", one.model.id, number),
        strong=one.best,
    )


PAGE = Page(
    OPERATION,
    blocks,
    pooled=pooled,
    other_tables={N_("What each objective teaches"): lambda _shown: runs_table(compared())},
    elsewhere=N_(
        "Pairs are judged by models with a next-sentence or sentence-order head, as bert-miniature "
        "and albert-miniature, and by classifiers of your own."
    ),
)
