"""A pair of tokens: which one is looked at first, and how its attention comes about, in words."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Token, largest_cell
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.short import number


def default_pair(
    attention: NDArray[np.float32], queries: Sequence[Token], keys: Sequence[Token], kind: str
) -> tuple[int, int]:
    """The two different words with most attention between them.

    Args:
        attention: Queries x keys.
        queries: Its rows.
        keys: Its columns.
        kind: Who attends to whom.
    """
    weights = attention.copy()
    weights[[not _is_word(token) for token in queries]] -= 2
    weights[:, [not _is_word(token) for token in keys]] -= 2
    if kind != "cross":
        np.fill_diagonal(weights, weights.diagonal() - 1)
    if kind == "decoder":
        weights[np.triu_indices(len(queries), 1)] = -9
    query, key = largest_cell(weights)
    return query, key


def _is_word(token: Token) -> bool:
    return not token.special and any(character.isalnum() for character in token.text)


def sum_said(
    products: NDArray[np.float32],
    score: tuple[float, float, float, float, bool, float],
    weight: float,
    names: tuple[str, str],
) -> Phrase:
    """From the products to the attention, in numbers.

    Args:
        products: Of the query and the key, by dimension.
        score: What content adds, what positions add, and their sum; what products are multiplied
            with; whether positions add anything; what content is bent below, 0 for nothing.
        weight: The attention.
        names: What the two tokens are called.
    """
    content, position, total, scale, has_bias, cap = score
    added = float(products.sum())
    said = Phrase(
        N_("{names} → {names_2}: products add up to {number}"),
        names=names[0],
        names_2=names[1],
        number=number(added, signed=True),
    )
    if scale != 1.0:
        said = Phrase(
            N_("{said}, × {scale} = {number}"),
            said=said,
            scale=f"{scale:.4f}",
            number=number(added * scale if cap else content, signed=True),
        )
    if cap:
        said = Phrase(
            N_("{said}, bent below {cap}: {number}"),
            said=said,
            cap=f"{cap:g}",
            number=number(content, signed=True),
        )
    if has_bias:
        said = Phrase(
            N_("{said}; positions add {number}: score {number_2}"),
            said=said,
            number=number(position, signed=True),
            number_2=number(total, signed=True),
        )
    return Phrase(
        N_("{said}. After the softmax, attention {weight}."),
        said=said,
        weight=number(weight),
    )


def most_said(products: NDArray[np.float32]) -> Phrase:
    """Which dimensions matter most for a pair."""
    order = np.argsort(-np.abs(products), kind="stable")[:3]
    largest = [f"{int(n)} ({number(float(products[n]), signed=True)})" for n in order]
    whole = float(np.abs(products).sum()) or 1.0
    return Phrase(
        N_("Largest products: dimensions {dimensions}; {share} of all products' sizes."),
        dimensions=", ".join(largest),
        share=percent(float(np.abs(products[order]).sum()) / whole, 0),
    )
