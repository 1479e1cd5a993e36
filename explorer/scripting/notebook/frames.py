"""Rows as a frame of pandas or polars, whichever is there; the program needs neither."""

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal

from explorer.api.question import Cell, UserMistake
from explorer.text import N_

Library = Literal["pandas", "polars"]
LIBRARIES: tuple[Library, ...] = ("pandas", "polars")


def frame_of(
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    library: Library | None = None,
    caption: str = "",
) -> Any:
    """A frame.

    Args:
        columns: Their names.
        rows: Each as long as columns.
        library: Of pandas or polars; None for the one that is imported, else installed.
        caption: How the rows came about: in `attrs` of a frame of pandas.

    Raises:
        UserMistake: The library is not installed, or neither is.
    """
    chosen = library or _there()
    if chosen not in LIBRARIES:
        raise UserMistake(
            N_("{library} makes no frames."), N_("Choose pandas or polars."), library=chosen
        )
    cells = [[str(one) if type(one) not in _PLAIN else one for one in row] for row in rows]
    how: dict[str, Any] = {"columns": list(columns)}
    if chosen == "polars":
        how = {"schema": list(columns), "orient": "row", "strict": False}
        how["infer_schema_length"] = None
    try:
        found = import_module(chosen).DataFrame(cells, **how)
    except ModuleNotFoundError:
        raise UserMistake(
            N_("A frame is made by {library}, which is not installed."),
            N_("Install it (pip install {library}); table has the rows without it."),
            library=chosen,
        ) from None
    if chosen == "pandas":
        found.attrs["caption"] = caption
    return found


_PLAIN = {str, int, float, bool, type(None)}


def _imported(name: str) -> bool:
    return sys.modules.get(name) is not None


def _there() -> Library:
    """The library that is imported, else the one that is installed.

    Raises:
        UserMistake: Neither is.
    """
    for looks in (_imported, find_spec):
        for one in LIBRARIES:
            if looks(one):
                return one
    raise UserMistake(
        N_("A frame is made by pandas or polars, and neither is installed."),
        N_("Install one (pip install pandas); table has the rows without it."),
    )
