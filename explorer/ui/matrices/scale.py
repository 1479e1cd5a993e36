"""From numbers to colours: in a straight line or by powers of ten, from zero up or about zero."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QColor

from explorer.text.formatting.numbers import percent
from explorer.text.formatting.short import in_cell, number, short
from explorer.ui.theme.schemes import Theme

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]
    Colours = npt.NDArray[np.uint8]

__all__ = ["Scale", "in_cell", "number", "short"]

DECADES = 4
"""Powers of ten that a logarithmic scale spans; what is smaller has the colour of zero."""


@dataclass(frozen=True)
class Scale:
    """Which colour a number has.

    Attributes:
        high: The number with the strongest colour.
        low: The number with the weakest; a diverging scale always goes from -high to high.
        diverging: Two hues with the neutral colour at zero.
        logarithmic: By powers of ten, DECADES of them, on both sides where it is diverging.
        in_percent: Its numbers are shares, and are written in percent.
    """

    high: float = 1.0
    low: float = 0.0
    diverging: bool = False
    logarithmic: bool = False
    in_percent: bool = False

    @staticmethod
    def about_zero(values: "Values", *, logarithmic: bool = False) -> "Scale":
        """A diverging scale that just holds the values."""
        import numpy as np

        finite = np.abs(values[np.isfinite(values)])
        high = float(finite.max()) if finite.size else 0.0
        return Scale(high or 1.0, diverging=True, logarithmic=logarithmic)

    @staticmethod
    def from_zero(values: "Values", *, logarithmic: bool = False) -> "Scale":
        """A scale from zero to the largest of the values."""
        import numpy as np

        finite = values[np.isfinite(values)]
        high = float(finite.max()) if finite.size else 0.0
        return Scale(high if high > 0 else 1.0, logarithmic=logarithmic)

    def places(self, values: "Values") -> "Values":
        """Where on the scale numbers lie, 0 to 1; what lies outside is at its end."""
        import numpy as np

        numbers = np.asarray(values, dtype=np.float32)
        if self.diverging:
            share: Values = np.abs(numbers) / np.float32(self.high)
            if self.logarithmic:
                share = self._decades(share)
            return np.clip(0.5 + 0.5 * np.sign(numbers) * share, 0.0, 1.0)
        share = (numbers - np.float32(self.low)) / np.float32((self.high - self.low) or 1.0)
        return np.clip(self._decades(share) if self.logarithmic else share, 0.0, 1.0)

    @staticmethod
    def _decades(share: "Values") -> "Values":
        import numpy as np

        smallest = np.float32(10.0**-DECADES)
        return 1 + np.log10(np.maximum(share, smallest)) / np.float32(DECADES)

    def colours(self, values: "Values", theme: Theme) -> "Colours":
        """RGBA (… x 4, uint8); where a number is none, the colour is transparent."""
        import numpy as np

        numbers = np.asarray(values, dtype=np.float32)
        finite = np.isfinite(numbers)
        places = self.places(np.where(finite, numbers, np.float32(0)))
        table = theme.diverging if self.diverging else theme.sequential
        colours: Colours = table[np.rint(places * 255).astype(np.intp)]
        if not finite.all():
            colours[~finite] = 0
        return colours

    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Numbers to write at the colour bar: where, 0 to 1, and what."""
        if self.logarithmic:
            low = self.high * 10.0**-DECADES
            if self.diverging:
                return ((0.0, short(-self.high)), (0.5, f"±{short(low)}"), (1.0, short(self.high)))
            return ((0.0, f"≤{short(low)}"), (1.0, short(self.high)))
        if self.diverging:
            return ((0.0, short(-self.high)), (0.5, "0"), (1.0, short(self.high)))
        said = percent if self.in_percent else short
        return ((0.0, said(self.low)), (1.0, said(self.high)))


def shade_of(share: float, theme: Theme) -> QColor:
    """The colour of a number between -1 and 1; what lies outside is at the scale's end."""
    place = round((0.5 + 0.5 * min(max(share, -1.0), 1.0)) * 255)
    return QColor(*(int(part) for part in theme.diverging[place]))
