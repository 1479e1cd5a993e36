"""A query and a key with their product by dimension, for any pair of tokens of any head."""

from collections.abc import Iterator, Mapping

from explorer.api import Entry, ModelCard
from explorer.api.question.operation import READS_ENTITIES
from explorer.document import Document
from explorer.questions.attention.attention.question import OPERATION as ATTENTION
from explorer.questions.attention.query_key.dimensions import dimension_chart
from explorer.questions.attention.query_key.maps import attention_content, products_content
from explorer.questions.attention.query_key.pair import chosen_pair, most_said, sum_said
from explorer.questions.attention.query_key.question import (
    BY_SIZE,
    KIND,
    OPERATION,
    PAIR,
    QueryKeyResult,
    dimensions_table,
)
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Gesture, Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.matrices.block import Matrix
from explorer.ui.matrices.map_block import Map, MapBlock
from explorer.ui.sentence.pieces import from_right, labels

PRODUCTS = N_(
    "The same query with every key: a row a key, a column a dimension. What is orange makes the "
    "query look there, what is blue away."
)

OF_TOKENS = N_(
    "These are queries and keys of tokens. Entities have their own, which are not drawn here; "
    "“{attention}” draws how they attend to each other."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The sum; the head's attention beside the pair's vectors; the products with all keys."""
    result: QueryKeyResult = shown.result
    queries = labels(result.query_tokens, shown.asked)
    keys = labels(result.key_tokens, shown.asked)
    pair = pair_of(shown)
    names = (queries[pair[0]], keys[pair[1]])
    if shown.alone:
        yield Text(where_said(result), "strong")
    cards = (card for card in shown.cards.values() if card.stamp == result.model)
    if any(READS_ENTITIES in card.operations for card in cards):
        yield note(_(OF_TOKENS, attention=_(ATTENTION.title)), above=Space.TIGHT)
    yield Text(sum_said(result, pair, names), above=Space.TIGHT)
    attention = Map(
        Matrix(
            attention_content(result, queries, keys, from_right(result.key_tokens, shown.asked)),
            _("Attention of this head"),
            act=lambda query, key: _choose(shown, query, key),
        ),
        look=lambda query, key: (query, key),
        marked=shown.looked_at or pair,
    )
    chart = dimension_chart(result, pair, names, by_size=shown.value(BY_SIZE))
    yield Columns(
        [
            Card(
                [Text(_("Attention of this head"), "strong"), MapBlock(attention, tallest=400)],
                _("Attention of this head: choose a query and a key"),
            ),
            Card([ChartBlock((chart,)), note(most_said(result, pair))]),
        ],
        framed=False,
        shares=(2, 3),
    )
    yield note(_(PRODUCTS), above=Space.APART)
    products = Matrix(
        products_content(result, pair[0], keys),
        _("Products of the query with every key, by dimension"),
        act=lambda key, _dimension: _choose(shown, pair[0], key),
    )
    # Rows of many keys are just high enough for their labels.
    high = min(22.0 * len(keys), max(430.0, 12.0 * len(keys)))
    yield MapBlock(Map(products), tallest=high + 90)


def where_said(result: QueryKeyResult) -> str:
    """Which head it is."""
    return _(
        "{stack}, layer {layer}, head {head}",
        stack=_(KIND.entry(result.kind).title),
        layer=str(result.layer),
        head=str(result.head),
    )


def pair_of(shown: Shown) -> tuple[int, int]:
    """The query and the key that are looked at: under the mouse, else those chosen."""
    looked_at: tuple[int, int] | None = shown.looked_at
    if looked_at is not None and not shown.result.is_hidden(*looked_at):
        return looked_at
    return chosen_pair(shown.result, shown.value(PAIR))


def _choose(shown: Shown, query: int, key: int) -> Gesture | None:
    if shown.result.is_hidden(query, key):
        return None
    return shown.setting(PAIR, (query, key), _("choose a pair of tokens"))


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The stacks that the model has; a single one is not worth a choice."""
    result: QueryKeyResult | None = shown.result if shown is not None else None
    if result is None:
        return {KIND.key: Offer(there=False)}
    entries = [Entry(kind, _(KIND.entry(kind).title)) for kind, _layers, _heads in result.stacks]
    return {KIND.key: Offer(entries, result.kind, there=len(entries) > 1)}


PAGE = Page(
    OPERATION,
    blocks,
    table=lambda shown: dimensions_table(shown.result, *pair_of(shown)),
    offers=offers,
    looks=True,
)
