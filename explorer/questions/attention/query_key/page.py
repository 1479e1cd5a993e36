"""A query and a key with their product by dimension, for any pair of tokens of any head."""

from collections.abc import Iterator, Mapping
from typing import Any

from explorer.api import Entry, ModelCard, Table, Token
from explorer.document import Document
from explorer.questions.attention.query_key.dimensions import dimension_chart
from explorer.questions.attention.query_key.question import (
    BY_SIZE,
    KIND,
    OPERATION,
    PAIR,
    QueryKeyResult,
)
from explorer.questions.masking.mask_card_text import left_out_said
from explorer.text import N_, _
from explorer.text.numbers import percent
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.kept import kept
from explorer.ui.blocks.page import Gesture, Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, note, warning
from explorer.ui.charts.block import ChartBlock
from explorer.ui.matrices.block import Matrix
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.map_block import Map, MapBlock
from explorer.ui.matrices.scale import Scale, number
from explorer.ui.sentence.pieces import labels

PRODUCTS = N_(
    "The same query with every key: a row a key, a column a dimension. What is orange makes the "
    "query look there, what is blue away."
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
    if result.left_out is not None:
        yield warning(left_out_said(result.left_out), above=2)
    yield Text(sum_said(result, pair, names), above=2)
    attention = Map(
        Matrix(
            attention_content(result, queries, keys),
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
        narrowest=320,
        framed=False,
        shares=(2, 3),
    )
    yield note(_(PRODUCTS), above=14)
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


def table(shown: Shown) -> Table:
    """The pair's dimensions, a row each."""
    result: QueryKeyResult = shown.result
    query, key = pair_of(shown)
    products = result.products(query, key)
    rows = tuple(
        (n, float(q), float(k), float(p))
        for n, (q, k, p) in enumerate(
            zip(result.queries[query], result.keys[key], products, strict=True)
        )
    )
    return Table(("dimension", "query", "key", "product"), rows)


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The stacks that the model has; a single one is not worth a choice."""
    result: QueryKeyResult | None = shown.result if shown is not None else None
    if result is None:
        return {KIND.key: Offer(there=False)}
    entries = [Entry(kind, _(KIND.entry(kind).title)) for kind, _layers, _heads in result.stacks]
    return {KIND.key: Offer(entries, result.kind, there=len(entries) > 1)}


def chosen_pair(result: QueryKeyResult, wanted: Any = ()) -> tuple[int, int]:
    """The pair that was chosen, or the two different words with most attention between them."""
    import numpy as np

    rows, columns = result.attention.shape
    if (
        isinstance(wanted, list | tuple)
        and len(wanted) == 2
        and all(isinstance(one, int) for one in wanted)
        and 0 <= wanted[0] < rows
        and 0 <= wanted[1] < columns
        and not result.is_hidden(*wanted)
    ):
        return wanted[0], wanted[1]
    weights = result.attention.copy()
    weights[[not _is_word(token) for token in result.query_tokens]] -= 2
    weights[:, [not _is_word(token) for token in result.key_tokens]] -= 2
    if result.kind != "cross":
        np.fill_diagonal(weights, weights.diagonal() - 1)
    if result.kind == "decoder":
        weights[np.triu_indices(rows, 1)] = -9
    best = np.unravel_index(int(weights.argmax()), weights.shape)
    return int(best[0]), int(best[1])


def _is_word(token: Token) -> bool:
    return not token.special and any(character.isalnum() for character in token.text)


@kept()
def attention_content(
    result: QueryKeyResult, queries: tuple[str, ...], keys: tuple[str, ...]
) -> HeatContent:
    """The head's attention; what comes later is hatched where it can't be seen."""
    import numpy as np

    blocked = None
    if result.kind == "decoder":
        blocked = np.triu(np.ones(result.attention.shape, bool), 1)
    return HeatContent(
        result.attention,
        queries,
        keys,
        Scale.from_zero(result.attention),
        blocked=blocked,
        blocked_words=_("comes later, and can't be seen"),
        row_title=_("query"),
        column_title=_("key"),
    )


@kept()
def products_content(result: QueryKeyResult, query: int, keys: tuple[str, ...]) -> HeatContent:
    """Products of one query with every key."""
    products = result.queries[query] * result.keys
    dimensions = tuple(str(n) for n in range(products.shape[1]))
    return HeatContent(
        products,
        keys,
        dimensions,
        Scale.about_zero(products),
        row_title=_("key"),
        column_title=_("dimension"),
        signed=True,
    )


def sum_said(result: QueryKeyResult, pair: tuple[int, int], names: tuple[str, str]) -> str:
    """From the products to the attention, in numbers."""
    query, key = pair
    content, position, score = result.score(query, key)
    total = float(result.products(query, key).sum())
    said = _(
        "{names} → {names_2}: products add up to {number}",
        names=names[0],
        names_2=names[1],
        number=number(total, signed=True),
    )
    if result.scale != 1.0:
        said += f", × {result.scale:.4f} = {number(content, signed=True)}"
    if result.bias is not None:
        said += _(
            "; positions add {number}: score {number_2}",
            number=number(position, signed=True),
            number_2=number(score, signed=True),
        )
    weight = number(float(result.attention[query, key]))
    return _("{said}. After the softmax, attention {weight}.", said=said, weight=weight)


def most_said(result: QueryKeyResult, pair: tuple[int, int]) -> str:
    """Which dimensions matter most for a pair."""
    import numpy as np

    products = result.products(*pair)
    order = np.argsort(-np.abs(products), kind="stable")[:3]
    parts = [f"{int(n)} ({number(float(products[n]), signed=True)})" for n in order]
    whole = float(np.abs(products).sum()) or 1.0
    share = float(np.abs(products[order]).sum()) / whole
    return _(
        "Largest products: dimensions {dimensions}; {share} of all products' sizes.",
        dimensions=", ".join(parts),
        share=percent(share, 0),
    )


PAGE = Page(
    OPERATION,
    blocks,
    table=table,
    offers=offers,
    looks=True,
)
