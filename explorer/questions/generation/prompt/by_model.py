"""What one model answers to a prompt: how it reads it, its answers, and those in other orders."""

from collections.abc import Iterator

from explorer.questions.generation.prompt.answers.rules import Rule
from explorer.questions.generation.prompt.options import RULE
from explorer.questions.generation.prompt.question import PromptResult
from explorer.questions.generation.prompt.tables import answers_table, orders_table
from explorer.text import _, ngettext, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.blocks.text import heading, note, warning
from explorer.ui.blocks.tokens import Tokens


def one_model(shown: Shown, result: PromptResult) -> Iterator[Block]:
    """A model that is asked alone: the prompt, and below it answers and orders side by side."""
    yield from _read(result)
    cards = [Card(tuple(_answers(shown, result)), _("Possible answers"))]
    orders = tuple(_orders(result))
    if orders:
        cards.append(Card(orders, _("The same examples in other orders")))
    yield Columns(cards, CardWidth.WIDE, framed=False, shares=(1.2, 0.8) if len(cards) > 1 else ())


def side_by_side(shown: Shown) -> Iterator[Block]:
    """Models that answer the same prompt, a column each."""
    cards = []
    for one in shown.result.every:
        name = shown.title_of(one.model)
        blocks = [heading(name), *_read(one)]
        if one.note:
            blocks.append(note(said(one.note)))
        cards.append(Card((*blocks, *_answers(shown, one), *_orders(one)), name))
    yield Columns(cards, CardWidth.WIDE, framed=False)


def _read(result: PromptResult) -> Iterator[Block]:
    """The prompt as the model's tokens, and what of it the model does not read."""
    if result.left_out:
        yield warning(
            ngettext(
                "With {count} example more, the prompt is longer than this model reads.",
                "With {count} examples more, the prompt is longer than this model reads.",
                result.left_out,
            )
        )
    if result.too_long == 0:
        yield warning(
            _("Questions of the table are longer than this model reads: there is no curve.")
        )
    unknown = unknown_of(result)
    if unknown:
        words = ", ".join(f"“{one}”" for one in unknown)
        yield warning(
            _(
                "This vocabulary has no piece for {words}: the model reads {unknown} there. Choose "
                "a template without.",
                words=words,
                unknown=next(token.text for token in result.written if token.unknown),
            )
        )
    yield Tokens(result.written)


def unknown_of(result: PromptResult) -> tuple[str, ...]:
    """Parts of the prompt that the model's vocabulary has no piece for."""
    found = (
        result.prompt[token.start : token.end].strip() or token.text
        for token in result.written
        if token.unknown
    )
    return tuple(dict.fromkeys(found))


def _answers(shown: Shown, result: PromptResult) -> Iterator[Block]:
    rule = Rule(shown.value(RULE))
    yield heading(_("Possible answers"))
    yield note(_(RULE.entry(rule.value).tip))
    yield answers_table(result, rule, _before(shown, result))


def _before(shown: Shown, result: PromptResult) -> PromptResult | None:
    """The pinned answer of the same model, or of any where one model is asked."""
    if shown.before is None:
        return None
    same = (one for one in shown.before.every if one.model == result.model)
    alone: PromptResult | None = shown.before if shown.result.second is None else None
    return next(same, alone)


def _orders(result: PromptResult) -> Iterator[Block]:
    if len(result.by_order) > 1 and len(result.examples) > 1:
        yield heading(_("The same examples in other orders"))
        yield note(_("Shares of the possible answers, by their probability."))
        yield orders_table(result)
