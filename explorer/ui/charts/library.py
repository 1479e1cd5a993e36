"""pyqtgraph is imported behind the window's back, once the window can be seen.

The import takes a fifth of a second. Whoever needs it sooner imports it then.
"""

import importlib
import threading
import time
from collections.abc import Iterator

from PySide6.QtCore import QObject

from explorer.processes.collector import collector_at_rest
from explorer.ui.in_steps import InSteps

WITHOUT_QT = ("numpy", "cProfile", "multiprocessing.connection", "pydoc", "xml.etree.ElementTree")
"""What pyqtgraph imports that has nothing to do with Qt, and so can come in a thread."""

QT = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtOpenGL", "QtOpenGLWidgets", "QtTest")
"""What pyqtgraph imports of PySide6, and takes all classes from."""

PLOTTING = (
    "pyqtgraph",
    "explorer.ui.charts.plot",
    "explorer.ui.matrices.heat_canvas",
    "explorer.ui.matrices.heads.canvas",
)
STEP = 0.005
"""Seconds that a step of many small ones takes."""


def import_in_steps(parent: QObject) -> InSteps:
    """Import what charts and matrices are drawn with, while nobody waits."""
    return InSteps(_steps(), parent)


def _steps() -> Iterator[None]:
    with collector_at_rest():
        aside = threading.Thread(target=_import_what_has_no_qt, name="plotting")
        aside.start()
        yield from _classes()
        while aside.is_alive():
            yield
        for name in PLOTTING:
            importlib.import_module(name)
            yield


def _classes() -> Iterator[None]:
    """Have PySide make the classes of Qt: it does so when they are first asked for."""
    began = time.perf_counter()
    for part in QT:
        module = importlib.import_module(f"PySide6.{part}")
        for name in dir(module):
            getattr(module, name, None)
            if time.perf_counter() - began > STEP:
                yield
                began = time.perf_counter()


def _import_what_has_no_qt() -> None:
    for name in WITHOUT_QT:
        if threading.main_thread().is_alive():
            importlib.import_module(name)
