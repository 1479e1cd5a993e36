import signal
import subprocess
import sys
import time

import pytest

from explorer.api.question import MachineFault
from explorer.document import Document
from explorer.settings import Settings, SettingsFile
from explorer.ui.workbench.settings_store import SettingsStore

CRASHING = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from explorer.document import Document
from explorer.settings import Settings, SettingsFile
from explorer.ui.workbench.settings_store import SettingsStore
app = QCoreApplication([])
memory = SettingsStore(SettingsFile(Path(sys.argv[1])), Settings())
steps = iter(range(1, 100000))
timer = QTimer()
def edit():
    number = next(steps)
    memory.change(document=Document(f"edit {number}"))
    print(number, flush=True)
timer.timeout.connect(edit)
timer.start(20)
app.exec()
"""


@pytest.fixture
def file(tmp_path):
    return SettingsFile(tmp_path / "settings.json")


@pytest.fixture
def memory(file, qapp):
    made = SettingsStore(file, Settings())
    yield made
    made.close()


def test_a_change_is_told_at_once_and_on_disk_shortly_after(memory, file, qtbot):
    with qtbot.waitSignals([memory.changed, memory.saved], order="strict"):
        memory.change(document=Document("hello"))
        assert memory.settings.document == Document("hello")
        assert not file.path.exists()  # nothing is written on this thread
    assert file.load().document == Document("hello")


def test_no_change_is_no_writing(memory, qtbot):
    with qtbot.assertNotEmitted(memory.changed):
        memory.change(document=Document())
    assert not memory._timer.isActive()


def test_closing_writes_what_waits(file, qapp):
    memory = SettingsStore(file, Settings())
    memory.change(font_scale=1.5)
    memory.close()
    assert file.load().font_scale == 1.5


def test_why_nothing_can_be_written_is_told_once(qtbot, qapp):
    class Full:
        def save(self, _settings):
            raise MachineFault("The disk is full.", "Free some space.")

    memory, told = SettingsStore(Full(), Settings()), []
    memory.problem.connect(told.append)
    for scale in (1.1, 1.2):
        with qtbot.waitSignal(memory._written):
            memory.change(font_scale=scale)
    assert told == ["The disk is full. Free some space."]
    memory.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_kill_loses_nothing_older_than_two_seconds(tmp_path):
    path = tmp_path / "settings.json"
    process = subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(path)], stdout=subprocess.PIPE, text=True
    )
    made = {}
    killed_after = time.monotonic() + 4.0
    try:
        for line in process.stdout:
            made[int(line)] = time.monotonic()
            # Steady typing all the while: the writing must not be put off by it.
            if time.monotonic() > killed_after:
                break
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    died = time.monotonic()
    kept = int(SettingsFile(path).load().document.text.removeprefix("edit "))
    older = [number for number, at in made.items() if died - at > 2.0]
    assert older
    assert kept >= max(older)
