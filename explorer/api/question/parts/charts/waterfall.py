"""What a number is the sum of, step by step: each bar begins where the one before it ended."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.api.question.parts.rows import Rows


@dataclass(frozen=True)
class Waterfall(Rows):
    """Rows whose bars stand one behind the other, up to their sum.

    They are drawn in their own order, which the bars are made of: no title sorts them.

    Attributes:
        ends: From a row to where its bar ends; it begins where that of the row before does.
        is_whole: From a row to whether its bar is the sum itself, from nothing; None for no row.
    """

    ends: Callable[[Any], float] | None = None
    is_whole: Callable[[Any], bool] | None = None
