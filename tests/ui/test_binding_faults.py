import subprocess
import sys

import pytest

from explorer.ui.binding_faults import is_affected

# More often than None, True, False and NotImplemented have references at the start.
MANY_CALLS = """
import explorer.ui
from PySide6.QtCore import QObject
from PySide6.QtGui import QPainterPath
path, thing = QPainterPath(), QObject()
for _ in range(100_000):
    path.closeSubpath()
    thing.event
    thing.blockSignals(True)
    path.isEmpty()
    path == thing
print("alive")
"""


@pytest.mark.parametrize(
    ("binding", "python", "affected"),
    [
        ("6.11.3", (3, 11), False),
        ("6.12.0", (3, 11), True),
        ("6.12.0", (3, 12), False),
        ("6.12.0a1", (3, 11), True),
    ],
)
def test_which_versions_are_affected(binding, python, affected):
    assert is_affected(binding, python) is affected


def test_a_hundred_thousand_calls_leave_the_interpreter_alive():
    done = subprocess.run(
        [sys.executable, "-c", MANY_CALLS], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "alive"
