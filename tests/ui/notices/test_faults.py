import sys
import threading

import pytest
from PySide6.QtCore import qWarning

from explorer.ui.notices.faults import Faults


@pytest.fixture
def faults(qapp, monkeypatch):
    hooks = (sys.excepthook, threading.excepthook)
    made = Faults()
    made.install()
    yield made
    made.remove()
    assert (sys.excepthook, threading.excepthook) == hooks


def test_what_nobody_caught_is_told_and_logged(faults, qtbot, expect_log):
    expect_log("ERROR explorer.ui.notices.faults: Nobody caught this")
    with qtbot.waitSignal(faults.happened) as told:
        error = ValueError("no such thing")
        sys.excepthook(ValueError, error, None)
    assert "no such thing" in told.args[0].message


def test_a_thread_that_dies_is_told_on_the_windows_thread(faults, qtbot, expect_log):
    expect_log("ERROR explorer.ui.notices.faults: Nobody caught this")
    threads = []
    faults.happened.connect(lambda _: threads.append(threading.current_thread()))
    with qtbot.waitSignal(faults.happened):
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
    assert threads == [threading.main_thread()]


def test_ctrl_c_is_no_fault(faults, qtbot):
    with qtbot.assertNotEmitted(faults.happened), qtbot.waitSignal(faults.interrupted):
        sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)


def test_what_qt_says_goes_to_the_log(faults, expect_log):
    expect_log("WARNING qt: mind the gap")
    qWarning("mind the gap")


@pytest.mark.parametrize("end", ["goes on", "dies", "is replaced"])
def test_an_engine_that_hangs_is_told_of_until_it_does_no_more(running, engine, qtbot, end):
    from explorer.engine.messages import Responsive

    notices = running.window.notices
    engine.hang("The engine has not answered for 6 s.")
    qtbot.waitUntil(lambda: "The engine has not answered for 6 s." in notices.texts)
    if end == "goes on":
        engine.listener(Responsive())
    elif end == "dies":
        engine.die()
    else:
        running.window.menus.action("restart_engine").trigger()
        assert engine.restarts == 1
    qtbot.waitUntil(lambda: "The engine has not answered for 6 s." not in notices.texts)
