"""Text files are read beside the window."""

import os
import threading

import pytest

from explorer.ui.document.text_files import TextFiles


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="There is no slow file without a FIFO.")
def test_of_two_files_the_one_that_was_opened_last_is_taken(qtbot, tmp_path):
    slow, fast = tmp_path / "slow.txt", tmp_path / "fast.txt"
    os.mkfifo(slow)
    fast.write_text("the fast one", encoding="utf-8")
    files = TextFiles()
    opened = []
    files.opened.connect(lambda text, name, _cut: opened.append((text, name)))
    before = set(threading.enumerate())
    files.open(slow)
    (reading,) = set(threading.enumerate()) - before
    files.open(fast)
    qtbot.waitUntil(lambda: opened == [("the fast one", "fast.txt")])
    slow.write_text("the slow one", encoding="utf-8")
    reading.join(10)
    # Whatever was told by then has been delivered once a newer file is.
    fast.write_text("the fast one again", encoding="utf-8")
    with qtbot.waitSignal(files.opened):
        files.open(fast)
    assert [name for _, name in opened] == ["fast.txt", "fast.txt"]
