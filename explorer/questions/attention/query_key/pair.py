"""A pair of tokens: which one is looked at, and how its attention comes about, in words."""

from typing import Any

from explorer.api import Token
from explorer.api.question.standing_out import largest_cell
from explorer.questions.attention.query_key.question import QueryKeyResult
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.matrices.scale import number


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
    query, key = largest_cell(weights)
    return query, key


def _is_word(token: Token) -> bool:
    return not token.special and any(character.isalnum() for character in token.text)


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
