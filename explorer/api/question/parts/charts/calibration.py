"""Whether what is said with some confidence comes true as often: the reliability curve."""

from dataclasses import dataclass

from explorer.api.question.parts.part import Part
from explorer.api.question.rows.rows import Table, column
from explorer.numerics.evaluation.calibration import Bin, Reliability
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits


@dataclass(frozen=True)
class BinRow:
    """The predictions of about one confidence."""

    low: float = column(N_("lower end"), key=True, digits=2, name="from")
    high: float = column(N_("upper end"), key=True, digits=2, name="to")
    count: int = column(N_("count"))
    confidence: float = column(N_("confidence"), written=in_digits)
    accuracy: float = column(N_("accuracy"), written=in_digits)


@dataclass(frozen=True)
class Calibration(Part):
    """How often predictions come true, by their confidence.

    Attributes:
        found: Of one prediction at least.
        confidence: What is said, marked for translation: "confidence".
        against: What it is held against: "share that is right".
        counted: A bin's predictions, a text and its plural with {count}: "{count} pairs".
        words: What the curve means, marked for translation.
    """

    found: Reliability
    confidence: str
    against: str
    counted: str
    words: str

    def table(self) -> Table:
        """One row a bin that is not empty."""
        rows = (
            BinRow(one.low, one.high, one.count, one.confidence, one.accuracy)
            for one in self.found.curve
        )
        return Table.of(BinRow, rows)

    def told(self, one: Bin) -> Phrase:
        """What is said of a bin."""
        return Phrase(
            N_("{predictions} from {low} to {high}\nconfidence {confidence}\n{against} {accuracy}"),
            predictions=Phrase(self.counted, count=one.count),
            low=f"{one.low:.2f}",
            high=f"{one.high:.2f}",
            confidence=f"{one.confidence:.3f}",
            against=Phrase(self.against),
            accuracy=f"{one.accuracy:.3f}",
        )
