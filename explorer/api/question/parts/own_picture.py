"""What no kind of part draws: the page paints it itself, between its other parts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Table


@dataclass(frozen=True)
class OwnPicture(Part):
    """A place for a picture of the question's own.

    Attributes:
        name: By which the page knows it, among its `pictures`.
        filed: Makes the rows of what it shows; None where files have none.
    """

    name: str
    filed: Callable[[], Table] | None = None

    def parts_with_rows(self) -> Iterator[tuple[str, Part]]:
        """Itself, where it has any."""
        return iter(()) if self.filed is None else super().parts_with_rows()

    def table(self) -> Table:
        """As they are made."""
        return Table((), ()) if self.filed is None else self.filed()
