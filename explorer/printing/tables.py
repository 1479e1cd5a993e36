"""Tables for people: columns as wide as what is in them, numbers to the right."""

import shutil
import sys
from collections.abc import Iterator, Sequence

from explorer.api.question import Cell, Table
from explorer.printing.columns import columns_of, cut

BAR_WIDTH = 30
_EIGHTHS = " ▏▎▍▌▋▊▉"


def print_table(table: Table, *, heading: bool = True, indent: str = "") -> None:
    """Print a table; on a terminal, a line that is wider ends at its edge.

    Args:
        table: Floats are told in six digits, what is missing is left blank.
        heading: Print the names of the columns too.
        indent: What every line begins with.
    """
    rows = [tuple(map(told, row)) for row in table.rows]
    right = tuple(
        all(_is_number(row[place]) for row in rows) for place in range(len(table.columns))
    )
    for line in lines_of(rows, right, table.headings if heading else ()):
        print(f"{indent}{line}")


def lines_of(
    rows: Sequence[Sequence[str]], right: Sequence[bool], headings: Sequence[str] = ()
) -> Iterator[str]:
    """Lines of cells that are written already, in columns; a terminal's edge ends them.

    Args:
        rows: As many cells as columns, each.
        right: Which columns end at the right.
        headings: Above the columns; () for none.
    """
    every = [headings, *rows] if headings else rows
    widths = [max((columns_of(row[i]) for row in every), default=0) for i in range(len(right))]
    screen = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else None
    for row in every:
        cells = (_padded(*one) for one in zip(row, widths, right, strict=True))
        line = "  ".join(cells).rstrip()
        yield line if screen is None else cut(line, screen).rstrip()


def told(value: Cell) -> str:
    """A cell for a person."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def bar(share: float, width: int = BAR_WIDTH) -> str:
    """A bar for a share between 0 and 1, drawn to an eighth of a character."""
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _is_number(text: str) -> bool:
    """Whether a cell is a number, or says that there is none."""
    try:
        float(text.replace(",", "") or 0)
    except ValueError:
        return text == "-"
    return True


def _padded(text: str, width: int, right: bool) -> str:
    room = " " * (width - columns_of(text))
    return room + text if right else text + room
