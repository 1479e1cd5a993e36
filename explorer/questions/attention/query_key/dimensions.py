"""A query with a key, and with every key, dimension by dimension: what the page draws itself."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api import ModelStamp, Part, Table, Token, column
from explorer.text import N_

PICTURES = f"{__package__}.pictures"


@dataclass(frozen=True)
class DimensionRow:
    """One dimension of a query, a key and their product."""

    dimension: int = column(N_("dimension"), key=True)
    query: float = column(N_("query"), digits=3)
    key: float = column(N_("key"), digits=3)
    product: float = column(N_("product"), digits=3)


@dataclass(frozen=True)
class Dimensions(Part):
    """A query, a key and their product.

    Attributes:
        query: Of one token, float32.
        key: Of the other, as long.
        names: What the two tokens are called.
        by_size: Dimensions in the order of their products, the largest first.
    """

    DRAWN_BY: ClassVar[str] = PICTURES

    query: NDArray[np.float32]
    key: NDArray[np.float32]
    names: tuple[str, str]
    by_size: bool = False

    @property
    def products(self) -> NDArray[np.float32]:
        """By dimension."""
        products: NDArray[np.float32] = self.query * self.key
        return products

    @property
    def order(self) -> list[int]:
        """The dimensions as they stand beside each other."""
        if not self.by_size:
            return list(range(len(self.query)))
        return [int(one) for one in np.argsort(-self.products, kind="stable")]

    def table(self) -> Table:
        """A row a dimension."""
        numbers = zip(self.query.tolist(), self.key.tolist(), self.products.tolist(), strict=True)
        return Table.of(DimensionRow, (DimensionRow(n, *one) for n, one in enumerate(numbers)))


@dataclass(frozen=True)
class Products(Part):
    """Products of one query with every key: keys x dimensions.

    Attributes:
        query: Float32.
        keys: A row a token.
        tokens: Whose keys they are.
        number: The query's among the queries.
    """

    HAS_ROWS: ClassVar[bool] = False
    DRAWN_BY: ClassVar[str] = PICTURES

    query: NDArray[np.float32]
    keys: NDArray[np.float32]
    tokens: tuple[Token, ...]
    number: int

    def table(self) -> Table:
        """It has none: each pair has its own dimensions."""
        return Table((), ())


@dataclass(frozen=True)
class OfTokens(Part):
    """That entities have queries and keys of their own, where a model reads any.

    Attributes:
        model: Which.
    """

    HAS_ROWS: ClassVar[bool] = False
    DRAWN_BY: ClassVar[str] = PICTURES

    model: ModelStamp

    def table(self) -> Table:
        """It has none."""
        return Table((), ())
