"""How well what is so is told from what is not, at every threshold: the ROC."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Cell, Table, column
from explorer.numerics.evaluation.roc import RocPoint
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits


@dataclass(frozen=True)
class RocRow:
    """What comes of one threshold."""

    threshold: float = column(N_("threshold"), key=True, digits=4)
    false_alarm_rate: float = column(N_("false alarm rate"), written=in_digits)
    hit_rate: float = column(N_("hit rate"), written=in_digits)


@dataclass(frozen=True)
class Roc(Part):
    """Hits against false alarms over all thresholds, with the diagonal of chance.

    Attributes:
        curve: From the strictest threshold to the loosest; of one point at least.
        area: Under the whole of it: chance has one half.
        alarms: What false alarms are, marked for translation: "false alarms".
        hits: What hits are.
        words: What the curve means, marked for translation.
        now: Where the threshold of now is; None where there is none.
        now_said: What is said of that place, a Phrase; "" without one.
    """

    TITLES: ClassVar[Mapping[str, str]] = {"roc_area": N_("area under the ROC")}

    curve: tuple[RocPoint, ...]
    area: float
    alarms: str
    hits: str
    words: str
    now: RocPoint | None = None
    now_said: str = ""

    def table(self) -> Table:
        """One row a threshold."""
        rows = (RocRow(one.threshold, one.false_alarm_rate, one.hit_rate) for one in self.curve)
        return Table.of(RocRow, rows)

    def summary(self) -> Mapping[str, Cell]:
        """The area under it."""
        return {"roc_area": self.area}
