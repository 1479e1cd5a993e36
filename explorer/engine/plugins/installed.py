"""The plugins among the installed packages."""

import sys
from functools import lru_cache
from importlib.metadata import EntryPoints, entry_points

ENTRY_POINTS = "plm_explorer.families"


def installed() -> EntryPoints:
    """What installed packages say they bring.

    Read once: the metadata of every package is looked into, a hundred files and more.
    """
    return _installed(tuple(sys.path))


def forget_installed() -> None:
    """Look anew when that is next asked for: something may have been installed meanwhile."""
    _installed.cache_clear()


@lru_cache(maxsize=1)
def _installed(_where: tuple[str, ...]) -> EntryPoints:
    return entry_points(group=ENTRY_POINTS)
