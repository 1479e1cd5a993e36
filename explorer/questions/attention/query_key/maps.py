"""The head's attention, and the products of one query with every key, as cells."""

from explorer.questions.attention.query_key.question import QueryKeyResult
from explorer.text import _
from explorer.ui.blocks.remembered import remembered
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale


@remembered()
def attention_content(
    result: QueryKeyResult, queries: tuple[str, ...], keys: tuple[str, ...], from_right: bool
) -> HeatContent:
    """The head's attention; what comes later is hatched where it can't be seen.

    Args:
        result: The head.
        queries: Labels of its rows.
        keys: Labels of its columns.
        from_right: The first key stands at the right.
    """
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
        from_right=from_right,
    )


@remembered()
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
