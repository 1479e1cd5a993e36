"""pyqtgraph is imported behind the window's back, once the window can be seen.

The import takes half a second. Whoever needs it sooner waits for the rest of it.
"""

import importlib
import threading

from explorer.processes.collector import collector_at_rest

PLOTTING = (
    "explorer.ui.charts.plot",
    "explorer.ui.matrices.heat_canvas",
    "explorer.ui.matrices.heads.canvas",
)


def import_in_background() -> threading.Thread:
    """Import what charts and matrices are drawn with, in a thread that only the end waits for."""
    # No daemon: Python's end under an import that is inside Qt's bindings aborts the program.
    thread = threading.Thread(target=_import, name="plotting", daemon=False)
    thread.start()
    return thread


def _import() -> None:
    with collector_at_rest():
        for name in PLOTTING:
            if threading.main_thread().is_alive():
                importlib.import_module(name)
