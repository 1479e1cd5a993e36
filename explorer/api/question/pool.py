"""What the answers about every sentence of a file say together, beyond the means of their rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.api.question.rows import Cell, Table


@dataclass(frozen=True)
class Pool:
    """How a question's answers are pooled.

    Attributes:
        cells: What a row keeps of an answer besides its summary, by column. Tables of rows on
            screen leave these columns out.
        columns: Their names.
        gather: From those cells of every row that has an answer, in order, to what they say
            together; None where they say nothing.
        told: That in a few named numbers; of verdicts, at a threshold that may be named.
        numbered: A request for the sentence at a line of the file, as with a seed of its own,
            or about every token where it has no mask; None for the same request for all.
        table: What they say together as rows, as the points of a curve; None for no more than
            the numbers.
    """

    cells: "Callable[[Any], Mapping[str, Cell]]"
    columns: tuple[str, ...]
    gather: "Callable[[Iterable[Sequence[Cell]]], Any]"
    told: "Callable[..., Mapping[str, Cell]]"
    numbered: Callable[[Any, int], Any] | None = None
    table: "Callable[[Any], Table] | None" = None
