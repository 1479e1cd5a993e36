"""No Python exception crosses into Qt: what Qt calls is guarded, once for every class.

Qt is C++ without exceptions. One that is raised by a method Qt calls (a model's `data`, a filter,
`paintEvent`) can't pass through it: at best it comes out somewhere else, at worst the process is
gone. So it is told, as every fault nobody caught, and Qt is given a value it can go on with.
"""

import functools
import inspect
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QPixmap

Kind = TypeVar("Kind", bound=type)

QUIET_SECONDS = 5.0
"""The same fault is not told again so soon: a widget is painted sixty times a second."""

SAFE: dict[str, Callable[[], Any]] = {
    "rowCount": int,
    "columnCount": int,
    "count": int,
    "index": QModelIndex,
    "parent": QModelIndex,
    "flags": lambda: Qt.ItemFlag.NoItemFlags,
    "canFetchMore": bool,
    "hasChildren": bool,
    # A row that can't be read is better seen than missed.
    "filterAcceptsRow": lambda: True,
    "lessThan": bool,
    "sizeHint": QSize,
    "minimumSizeHint": QSize,
    "minimumSize": QSize,
    "hasHeightForWidth": bool,
    "heightForWidth": lambda: -1,
    "expandingDirections": lambda: Qt.Orientation(0),
    "event": bool,
    "eventFilter": bool,
    "pixmap": QPixmap,
    "id": lambda: -1,
    "mergeWith": bool,
    "canInsertFromMimeData": bool,
    "acceptNavigationRequest": bool,
    "isValid": bool,
    "childCount": int,
    "indexOfChild": lambda: -1,
    "rect": QRect,
    "role": lambda: QAccessible.Role.NoRole,
    "state": QAccessible.State,
    "text": str,
}
"""What Qt gets where a method fails; None for every other."""

_told: dict[tuple[str, str], float] = {}


def guarded(kind: Kind) -> Kind:
    """Guard every method of a class that Qt may call in the place of its own."""
    for name in overrides(kind):
        setattr(kind, name, _guard(vars(kind)[name]))
    return kind


def overrides(kind: type) -> list[str]:
    """The class's own methods that take the place of one of Qt's."""
    qt = [base for base in kind.__mro__[1:] if base.__module__.startswith("PySide6.")]
    return [
        name
        for name, member in vars(kind).items()
        if inspect.isfunction(member)
        and not name.startswith("__")
        and any(name in vars(base) for base in qt)
    ]


def is_guarded(method: Any) -> bool:
    """Whether a method was guarded."""
    return hasattr(method, "guards")


def _guard(method: Callable[..., Any]) -> Callable[..., Any]:
    safe = SAFE.get(method.__name__, lambda: None)

    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except BaseException as error:  # noqa: BLE001 - nothing at all may pass
            _tell(method.__qualname__, error)
            return safe()

    call.guards = method  # type: ignore[attr-defined]
    return call


def _tell(where: str, error: BaseException) -> None:
    fault = (where, repr(error))
    now = time.monotonic()
    if now - _told.get(fault, -QUIET_SECONDS) >= QUIET_SECONDS:
        _told[fault] = now
        sys.excepthook(type(error), error, error.__traceback__)
    # A painter that outlives its paintEvent ends the process; the frames still hold it.
    traceback.clear_frames(error.__traceback__)
