"""Imports as Python has them, from the moment this is imported on.

PySide6 puts a wrapper around every import, to see who asks for its `__feature__`. Nobody does, and
it makes each import inside a function twenty times as long: of the hundreds of modules and the
thousands of such imports of a start, and of pyqtgraph's, which hold up the window.
"""

import builtins

from PySide6 import QtCore, QtWidgets  # noqa: F401  each of which puts it there


def take_the_wrapper_off() -> None:
    """Once more where another part of PySide6 has put it back."""
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


take_the_wrapper_off()
