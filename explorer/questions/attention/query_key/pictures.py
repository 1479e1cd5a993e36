"""A query with a key, and with every key, as the page draws them."""

from collections.abc import Iterator

import numpy as np

from explorer.api import Part
from explorer.api.question.operation import READS_ENTITIES
from explorer.questions.attention.attention.question import OPERATION as ATTENTION
from explorer.questions.attention.query_key.dimensions import Dimensions, OfTokens, Products
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Bars, Chart, Reference, RowName
from explorer.ui.matrices.block import Matrix
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.map_block import Map, MapBlock
from explorer.ui.matrices.scale import Scale, number, short
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.token_pairs import PAIR
from explorer.ui.sentence.pieces import labels

OF_TOKENS = N_(
    "These are queries and keys of tokens. Entities have their own, which are not drawn here; "
    "“{attention}” draws how they attend to each other."
)
APART = 2.7
"""Between the middles of two rows, where a row goes from -1 to 1."""
HIGH = 280.0
"""Of all three rows, in pixels."""


def blocks(part: Part, looking: Looking) -> Iterator[Block]:
    """Whichever of the three it is."""
    if isinstance(part, Dimensions):
        yield ChartBlock((dimension_chart(part),))
    elif isinstance(part, Products):
        yield _products(part, looking)
    elif isinstance(part, OfTokens):
        cards = (one for one in looking.shown.cards.values() if one.stamp == part.model)
        if any(READS_ENTITIES in card.operations for card in cards):
            yield note(_(OF_TOKENS, attention=_(ATTENTION.title)), above=Space.TIGHT)


def _products(part: Products, looking: Looking) -> MapBlock:
    """A row a key, a column a dimension; choosing one chooses its key."""
    values = part.query * part.keys
    content = HeatContent(
        values,
        labels(part.tokens, looking.shown.asked),
        tuple(str(n) for n in range(values.shape[1])),
        Scale.about_zero(values),
        row_title=_("key"),
        column_title=_("dimension"),
        signed=True,
    )
    matrix = Matrix(
        content,
        _("Products of the query with every key, by dimension"),
        act=lambda key, _dimension: looking.setting(
            PAIR, (part.number, key), _("choose a pair of tokens")
        ),
    )
    # Rows of many keys are just high enough for their labels.
    count = len(part.tokens)
    return MapBlock(Map(matrix), tallest=min(22.0 * count, max(430.0, 12.0 * count)) + 90)


def words_at(part: Dimensions, dimension: int) -> str:
    """What is said of a dimension."""
    q, k, p = (float(one[dimension]) for one in (part.query, part.key, part.products))
    return _(
        "Dimension {dimension}: query {number} × key {number_2} = {number_3}",
        dimension=dimension,
        number=number(q, signed=True),
        number_2=number(k, signed=True),
        number_3=number(p, signed=True),
    )


def dimension_chart(part: Dimensions) -> Chart:
    """Three rows of bars, one below the other."""
    products, order = part.products, part.order
    values = (part.query, part.key, products)
    both = max(float(abs(one).max(initial=0.0)) for one in values[:2]) or 1.0
    ends = (both, both, float(abs(products).max(initial=0.0)) or 1.0)
    names = (
        (_("query"), part.names[0]),
        (_("key"), part.names[1]),
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
        readout=lambda x: words_at(part, order[min(int(x), len(order) - 1)]),
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
