"""A query with a key, and with every key, as the page draws them."""

from collections.abc import Iterator

import numpy as np

from explorer.questions.attention.query_key.question import BY_SIZE, PAIR, QueryKeyResult
from explorer.text import _
from explorer.text.formatting.short import number, short
from explorer.ui.blocks import (
    Axis,
    Bars,
    Block,
    Chart,
    ChartBlock,
    HeatContent,
    Map,
    MapBlock,
    Matrix,
    Reference,
    RowName,
    Scale,
    Shown,
    remembered,
    token_labels,
)

APART = 2.7
"""Between the middles of two rows, where a row goes from -1 to 1."""
HIGH = 280.0
"""Of all three rows, in pixels."""


def pair_of(shown: Shown) -> tuple[int, int]:
    """The query and the key that are looked at: under the mouse, else those chosen."""
    result: QueryKeyResult = shown.result
    return result.pair(shown.looked_at or shown.value(PAIR))


def dimensions(shown: Shown) -> Iterator[Block]:
    """The pair's query, key and product."""
    result, (query, key) = shown.result, pair_of(shown)
    names = (
        token_labels(result.query_tokens, shown.asked)[query],
        token_labels(result.key_tokens, shown.asked)[key],
    )
    by_size = shown.value(BY_SIZE)
    yield ChartBlock((dimension_chart(result, (query, key), names, by_size=by_size),))


def products(shown: Shown) -> Iterator[Block]:
    """A row a key, a column a dimension; choosing one chooses its key."""
    result, (query, _key) = shown.result, pair_of(shown)
    matrix = Matrix(
        products_content(result, query, token_labels(result.key_tokens, shown.asked)),
        _("Products of the query with every key, by dimension"),
        act=lambda key, _dimension: (
            None
            if result.is_hidden(query, key)
            else shown.setting(PAIR, (query, key), _("choose a pair of tokens"))
        ),
    )
    # Rows of many keys are just high enough for their labels.
    count = len(result.key_tokens)
    yield MapBlock(Map(matrix), tallest=min(22.0 * count, max(430.0, 12.0 * count)) + 90)


@remembered()
def products_content(result: QueryKeyResult, query: int, keys: tuple[str, ...]) -> HeatContent:
    """Products of one query with every key."""
    values = result.queries[query] * result.keys
    return HeatContent(
        values,
        keys,
        tuple(str(n) for n in range(values.shape[1])),
        Scale.about_zero(values),
        row_title=_("key"),
        column_title=_("dimension"),
        signed=True,
    )


def order_of(result: QueryKeyResult, pair: tuple[int, int], *, by_size: bool) -> list[int]:
    """The dimensions as they stand beside each other: in order, or the largest product first."""
    every = result.products(*pair)
    order = np.argsort(-every, kind="stable") if by_size else np.arange(len(every))
    return [int(dimension) for dimension in order]


def words_at(result: QueryKeyResult, pair: tuple[int, int], dimension: int) -> str:
    """What is said of a dimension."""
    every = (result.queries[pair[0]], result.keys[pair[1]], result.products(*pair))
    q, k, p = (number(float(one[dimension]), signed=True) for one in every)
    return _(
        "Dimension {dimension}: query {number} × key {number_2} = {number_3}",
        dimension=dimension,
        number=q,
        number_2=k,
        number_3=p,
    )


def dimension_chart(
    result: QueryKeyResult, pair: tuple[int, int], labels: tuple[str, str], *, by_size: bool
) -> Chart:
    """Three rows of bars, one below the other.

    Args:
        result: One head's queries and keys.
        pair: Which query and which key.
        labels: What the two tokens are called.
        by_size: Dimensions in the order of their products, the largest first.
    """
    products, order = result.products(*pair), order_of(result, pair, by_size=by_size)
    values = (result.queries[pair[0]], result.keys[pair[1]], products)
    both = max(float(abs(one).max(initial=0.0)) for one in values[:2]) or 1.0
    ends = (both, both, float(abs(products).max(initial=0.0)) or 1.0)
    names = (
        (_("query"), labels[0]),
        (_("key"), labels[1]),
        (_("product"), _("query × key")),
    )
    places = np.arange(len(order), dtype=float)
    series, rows, references = [], [], []
    ticks: list[tuple[float, str]] = []
    for n, (one, end, (title, about)) in enumerate(zip(values, ends, names, strict=True)):
        middle = -n * APART
        shares = one[order].astype(float) / end
        colours = tuple("above" if share > 0 else "below" for share in shares)
        series.append(_ground(middle, len(order)))
        series.append(Bars(places, places + 1.0, middle, middle + shares, colours))
        rows.append(RowName(middle, title, about))
        references.append(Reference((0.0, middle), (float(len(order)), middle), "muted"))
        ticks += [(middle + at, short(at * end)) for at in (1.0, 0.0, -1.0)]
    ticks.reverse()
    return Chart(
        "",
        _("A query, a key and their product, dimension by dimension."),
        tuple(series),
        Axis(
            _("dimension"),
            0.0,
            float(max(len(order), 1)),
            ticks=tuple(float(one) + 0.5 for one in places),
            words=tuple(str(dimension) for dimension in order),
        ),
        Axis(
            "",
            -2 * APART - 1.0,
            1.0,
            ticks=tuple(at for at, _unused in ticks),
            words=tuple(text for _unused, text in ticks),
        ),
        references=tuple(references),
        rows=tuple(rows),
        height=HIGH,
        readout=lambda x: words_at(result, pair, order[min(int(x), len(order) - 1)]),
    )


def _ground(middle: float, count: int) -> Bars:
    """Behind a row of bars, from one end of its numbers to the other."""
    return Bars(
        np.array([0.0]),
        np.array([float(count)]),
        middle - 1,
        np.array([middle + 1.0]),
        ("track",),
        0.0,
    )
