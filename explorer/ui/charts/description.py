"""What a chart shows, as data: series, axes, marks. No painting here, and no pyqtgraph."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

Dash = Literal["solid", "dash", "dot", "dash dot"]
"""How a line is drawn."""


@dataclass(frozen=True)
class Axis:
    """One direction of a chart.

    Attributes:
        title: What it measures.
        low: Where it begins; None fits it to the series.
        high: Where it ends; None fits it.
        logarithmic: By powers of ten.
        ticks: Where numbers stand while everything is shown; empty for round numbers.
        words: Words in the place of numbers at `ticks`, as many as there are of those.
        written: A number in a few characters; None for as many decimals as tell ticks apart.
        whole: Only whole numbers get a tick.
        grid: Thin lines across the plot at the ticks.
        strong: Numbers at which the line across is a stronger one.
        strokes: Numbers at which a short stroke stands below the axis.
        switched: Whoever looks may switch between powers of ten and a straight axis.
    """

    title: str = ""
    low: float | None = None
    high: float | None = None
    logarithmic: bool = False
    ticks: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    written: Callable[[float], str] | None = None
    whole: bool = False
    grid: bool = False
    strong: tuple[float, ...] = ()
    strokes: tuple[float, ...] = ()
    switched: bool = False


@dataclass(frozen=True)
class Line:
    """Points joined by straight lines.

    Attributes:
        name: In the legend; without one it stands in none.
        x: In rising order.
        y: As many.
        colour: By its name in the theme.
        dash: Tells lines apart without their colours.
        width: In pixels.
        opacity: From 0 to 1.
        band: Below and above the line, shaded.
        filled: Shaded down to the lower end of the axis.
        marked: A dot stands where the line meets the chart's marker, and the legend says its value.
        after: The rest of the legend; None for the value at the marker.
    """

    name: str
    x: "Values"
    y: "Values"
    colour: str
    dash: Dash = "solid"
    width: float = 2.0
    opacity: float = 1.0
    band: "tuple[Values, Values] | None" = None
    filled: bool = False
    marked: bool = True
    after: str | None = None


@dataclass(frozen=True)
class Points:
    """Points of their own, with names beside them where there is room.

    Attributes:
        x: Of each.
        y: Of each.
        names: Of each; written where they overlap nothing.
        words: What is said of each.
        colours: By their names in the theme.
        squares: Which of them are squares; the others are discs.
        radius: In pixels.
        acts: What choosing each does, a gesture; empty where they only explain themselves.
    """

    x: "Values"
    y: "Values"
    names: tuple[str, ...]
    words: tuple[str, ...]
    colours: tuple[str, ...]
    squares: tuple[bool, ...] = ()
    radius: float = 5.0
    acts: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Bars:
    """Bars that stand on a height of their own.

    Attributes:
        left: Left ends.
        right: Right ends.
        base: Where they stand.
        y: Where they end.
        colours: By their names in the theme, one for all or one a bar; "above" and "below" are
            the two ends of the diverging colours.
        seam: Pixels left free between neighbours that are wide enough.
    """

    left: "Values"
    right: "Values"
    base: float
    y: "Values"
    colours: tuple[str, ...]
    seam: float = 1.0


Series = Line | Points | Bars
"""What a chart shows."""


@dataclass(frozen=True)
class Marker:
    """A line across the plot at a number that may be moved.

    Attributes:
        x: Where.
        name: What it is: "temperature".
        colour: By its name in the theme.
        key: What is told when it was dragged, with the new number; None where it can't be.
        dash: Of the line.
        least: How far down it goes.
        most: How far up.
    """

    x: float
    name: str
    colour: str = "mask"
    key: str | None = None
    dash: Dash = "solid"
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Reference:
    """A straight line that is no series: chance, zero.

    Attributes:
        start: x and y.
        end: x and y.
        colour: By its name in the theme.
        dash: Of the line.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str = "border"
    dash: Dash = "solid"


@dataclass(frozen=True)
class RowName:
    """A title left of a part of the plot: what the bars at this height are.

    Attributes:
        y: Of its middle.
        title: In strong letters.
        about: Below it.
    """

    y: float
    title: str
    about: str = ""


@dataclass(frozen=True)
class Chart:
    """What one picture shows.

    Attributes:
        title: Above it.
        words: What it means, for the tooltip.
        series: From the back to the front.
        x: The axis below.
        y: The axis at the left.
        marker: A line that may be dragged.
        references: Behind the series.
        rows: Titles left of the numbers.
        remark: Beside the legend, where there is room.
        height: Of the plot alone, in pixels.
        readout: What is said at a number of the x axis; None for every line's value.
        frame: The plot has an outline.
        at: How the legend says where its values are: "T" in "1.23 at T = 2".
        spoken: For a screen reader, where nothing is pointed at.
    """

    title: str
    words: str
    series: tuple[Series, ...]
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    marker: Marker | None = None
    references: tuple[Reference, ...] = ()
    rows: tuple[RowName, ...] = ()
    remark: str = ""
    height: float = 118.0
    readout: Callable[[float], str] | None = None
    frame: bool = False
    at: str = ""
    spoken: str = ""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that stand in the legend."""
        return tuple(one for one in self.series if isinstance(one, Line) and one.name)


def shares_chart(
    words: str, series: tuple[Series, ...], x: str, y: str, *, height: float, spoken: str
) -> Chart:
    """One share against another, both from 0 to 1, with the diagonal: ROC, calibration.

    Args:
        words: What it means.
        series: From the back to the front.
        x: Title of the axis below.
        y: Title of the axis at the left.
        height: Of the plot alone, in pixels.
        spoken: For a screen reader.
    """
    ends = (0.0, 0.5, 1.0)
    return Chart(
        "",
        words,
        series,
        Axis(x, 0.0, 1.0, ticks=ends),
        Axis(y, 0.0, 1.0, ticks=ends),
        references=(Reference((0.0, 0.0), (1.0, 1.0), "border", "dash"),),
        height=height,
        frame=True,
        spoken=spoken,
    )
