"""A query, a key and their product, dimension by dimension."""

import numpy as np

from explorer.questions.attention.query_key.question import QueryKeyResult
from explorer.text import _
from explorer.ui.charts.description import Axis, Bars, Chart, Reference, RowName
from explorer.ui.matrices.scale import number, short

APART = 2.7
"""Between the middles of two rows, where a row goes from -1 to 1."""
HIGH = 280.0
"""Of all three rows, in pixels."""


def order_of(result: QueryKeyResult, pair: tuple[int, int], *, by_size: bool) -> list[int]:
    """The dimensions as they stand beside each other: in order, or the largest product first."""
    products = result.products(*pair)
    order = np.argsort(-products, kind="stable") if by_size else np.arange(len(products))
    return [int(dimension) for dimension in order]


def words_at(result: QueryKeyResult, pair: tuple[int, int], dimension: int) -> str:
    """What is said of a dimension."""
    q, k = float(result.queries[pair[0]][dimension]), float(result.keys[pair[1]][dimension])
    p = float(result.products(*pair)[dimension])
    return _(
        "Dimension {dimension}: query {number} × key {number_2} = {number_3}",
        dimension=dimension,
        number=number(q, signed=True),
        number_2=number(k, signed=True),
        number_3=number(p, signed=True),
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
    query, key = pair
    products = result.products(query, key)
    order = order_of(result, pair, by_size=by_size)
    values = (result.queries[query], result.keys[key], products)
    both = max(float(abs(one).max(initial=0.0)) for one in values[:2]) or 1.0
    ends = (both, both, float(abs(products).max(initial=0.0)) or 1.0)
    names = ((_("query"), labels[0]), (_("key"), labels[1]), (_("product"), _("query × key")))
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
