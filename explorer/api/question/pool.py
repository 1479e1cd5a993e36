"""What the answers about every sentence of a file say together, beyond the means of their rows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any

from explorer.api.question.parts.part import Part, summary_of

if TYPE_CHECKING:
    from explorer.api.question.rows.rows import Cell, Table


@dataclass(frozen=True)
class Pool:
    """How a question's answers are pooled.

    Attributes:
        cells: What a row keeps of an answer besides its summary, by column. Tables of rows on
            screen leave these columns out.
        columns: Their names.
        gather: From those cells of every row that has an answer, in order, to what they say
            together; None where they say nothing.
        told: That in a few named numbers; of verdicts, at a threshold that may be named. None for
            the summary of the parts.
        numbered: A request for the sentence at a line of the file, as with a seed of its own,
            or about every token where it has no mask; None for the same request for all.
        table: What they say together as rows, as the points of a curve; None for no more than
            the numbers.
        parts: What they say together as parts, which the page of files shows; it may take by
            name what the question follows. None for nothing to be seen.
    """

    cells: "Callable[[Any], Mapping[str, Cell]]"
    columns: tuple[str, ...]
    gather: "Callable[[Iterable[Sequence[Cell]]], Any]"
    told: "Callable[..., Mapping[str, Cell]] | None" = None
    numbered: Callable[[Any, int], Any] | None = None
    table: "Callable[[Any], Table] | None" = None
    parts: Callable[..., Iterable[Part]] | None = None

    def parts_of(self, gathered: Any, settings: Mapping[str, Any]) -> Sequence[Part]:
        """What all answers say together, made of parts.

        Args:
            gathered: As `gather` gives it.
            settings: What the question follows, by name; the parts are given what they take.
        """
        if self.parts is None:
            return ()
        taken = signature(self.parts).parameters
        followed = {name: settings[name] for name in settings if name in taken}
        return tuple(self.parts(gathered, **followed))

    def told_of(self, gathered: Any, threshold: float | None = None) -> "Mapping[str, Cell]":
        """It in a few named numbers.

        Args:
            gathered: As `gather` gives it.
            threshold: Of verdicts; None for the usual one.
        """
        settings = {} if threshold is None else {"threshold": threshold}
        if self.told is None:
            return summary_of(self.parts_of(gathered, settings))
        return self.told(gathered, **settings)
