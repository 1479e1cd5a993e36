"""What no kind of part draws: the page paints it itself, between its other parts."""

from dataclasses import dataclass
from typing import ClassVar

from explorer.api.question.parts.part import Part
from explorer.api.question.rows import Table


@dataclass(frozen=True)
class OwnPicture(Part):
    """A place for a picture of the question's own.

    Attributes:
        name: By which the page knows it, among its `pictures`.
    """

    HAS_ROWS: ClassVar[bool] = False

    name: str

    def table(self) -> Table:
        """It has no rows."""
        return Table((), ())
