"""The window of a thin bundle: it says what it waits for, installs it, repairs it, and goes on."""

import sys

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QPushButton, QToolButton

from explorer.engine.environment import PackagesFolder
from explorer.engine.environment.making import make
from explorer.processes.own_processes import search_path
from explorer.settings import Settings
from explorer.ui.engine_packages.preparing import State
from explorer.ui.engine_packages.preparing_notice import KEY
from explorer.ui.notices.notices import NoticeBar
from tests.engine.environment.conftest import came_in, paths_are_put_back, uv

__all__ = ["came_in", "paths_are_put_back", "uv"]
LOADING = "Loading BERT miniature"


@pytest.fixture
def thin(came_in, uv, engine, start, monkeypatch, qtbot):
    """The window on a machine without a GPU; the engine answers no load before it is told to."""
    monkeypatch.setattr("explorer.engine.environment.machine.has_cuda", lambda: False)
    monkeypatch.setattr("explorer.engine.environment.machine.has_mps", lambda: False)
    engine.held.add("load:")

    def open_window(**options):
        running = start(Settings(), wait=False, **options)
        qtbot.waitUntil(lambda: running.bench.preparing.state is State.ABSENT)
        return running

    return open_window


def buttons(running):
    assert KEY in running.window.notices.keys
    bars = running.window.notices.findChildren(NoticeBar, f"notice_{KEY}")
    pressed = [one for one in bars[-1].findChildren(QToolButton) if "action" in one.objectName()]
    return {one.text(): one.click for one in pressed}


def said_in_the_page(running):
    frame = running.bench.asking.askers["masked_tokens"].frame
    return frame.working_page.sentence.text()


def page_buttons(running):
    page = running.bench.asking.askers["masked_tokens"].frame.empty_page
    found = [one for n in range(3) for one in page.findChildren(QPushButton, f"way_{n}")]
    return [one for one in found if one.isVisibleTo(page)]


def told(running):
    """What the page says while nothing is at work, and its buttons."""
    page = running.bench.asking.askers["masked_tokens"].frame.empty_page
    return page.sentence.text(), [one.text() for one in page_buttons(running)]


def test_it_says_what_it_waits_for_and_offers_what_fits_first(thin, qtbot):
    running = thin()
    qtbot.waitUntil(lambda: "A" in running.bench.models.loading)
    assert list(buttons(running)) == [
        "Install for the CPU (1.5 kB)",
        "Install for an NVIDIA GPU (9.5 kB)",
    ]
    said = (
        "The packages that run models are not installed yet. "
        "BERT miniature is loaded once they are there."
    )
    qtbot.waitUntil(lambda: told(running)[0] == said)
    assert told(running)[1] == list(buttons(running))
    status = running.window.status
    waits = "BERT miniature as A waits: the packages that run models are not installed yet"
    qtbot.waitUntil(lambda: status.work.text() == waits)
    assert status.bar.isHidden(), "nothing is at work"
    # The button where one looks does the same as that of the notice.
    page_buttons(running)[0].click()
    qtbot.waitUntil(lambda: running.bench.preparing.state is State.WORKING)


def test_it_installs_and_says_how_far_it_is(thin, uv, qtbot):
    uv.does("Downloading tiny-torch (1.0KiB)", "WAIT", " Downloaded tiny-torch")
    running = thin()
    qtbot.waitUntil(lambda: "A" in running.bench.models.loading)
    buttons(running)["Install for the CPU (1.5 kB)"]()
    said = f"{LOADING} · Downloading tiny-torch…"
    qtbot.waitUntil(lambda: said_in_the_page(running) == said)
    status = running.window.status.work
    qtbot.waitUntil(lambda: "as A: downloading tiny-torch" in status.text())
    # The window goes on meanwhile.
    running.bench.edits.take_text("Another text.", "typed")
    assert running.bench.preparing.state is State.WORKING
    assert list(buttons(running)) == ["Stop"]
    uv.go.touch()
    qtbot.waitUntil(lambda: running.bench.preparing.state is State.READY)
    assert KEY not in running.window.notices.keys
    assert running.bench.models.loading["A"].stage == "Waiting for the engine"
    # What the window starts, as for a lecture on paper, can import them; the window can't.
    packages = str(running.bench.program.paths.engine / "packages")
    assert packages in search_path()
    assert packages not in sys.path


def test_a_failure_is_one_sentence_and_can_be_tried_again(thin, uv, qtbot):
    uv.does("error: error sending request for url", status=1)
    running = thin()
    buttons(running)["Install for the CPU (1.5 kB)"]()
    qtbot.waitUntil(lambda: running.bench.preparing.state is State.FAILED)
    assert any(
        "The package index can't be reached." in text for text in running.window.notices.texts
    )
    assert "error sending request for url" in running.bench.preparing.failure.traceback
    assert list(buttons(running)) == ["Try again", "Install for an NVIDIA GPU (9.5 kB)"]
    qtbot.waitUntil(lambda: told(running)[1] == list(buttons(running)))
    assert told(running)[0].startswith("Installing the packages that run models was stopped. BERT")
    uv.does()
    buttons(running)["Try again"]()
    qtbot.waitUntil(lambda: running.bench.preparing.state is State.READY)
    assert KEY not in running.window.notices.keys


def test_it_can_be_stopped_and_asked_for_again_from_the_menu(thin, uv, qtbot):
    uv.does("Downloading tiny-torch (1.0KiB)", "WAIT")
    running = thin()
    buttons(running)["Install for the CPU (1.5 kB)"]()
    qtbot.waitUntil(lambda: bool(uv.calls))
    buttons(running)["Stop"]()
    qtbot.waitUntil(lambda: running.bench.preparing.state is State.ABSENT)
    running.window.notices.dismiss(KEY)
    running.window.menus.action("install_engine").trigger()
    assert len(buttons(running)) == 2


def test_closing_the_window_ends_the_installer(thin, uv, qtbot):
    uv.does("Downloading tiny-torch (1.0KiB)", "WAIT")
    running = thin()
    buttons(running)["Install for the CPU (1.5 kB)"]()
    qtbot.waitUntil(lambda: bool(uv.calls))
    running.close()
    assert running.bench.preparing.is_idle


def test_what_arrives_after_closing_is_not_heard(thin):
    running = thin()
    before = search_path()
    running.close()
    running.bench.preparing._tell(State.READY)
    QCoreApplication.sendPostedEvents()
    assert running.bench.preparing.state is State.ABSENT
    assert search_path() == before


def test_what_another_window_installed_is_noticed(came_in, thin, qtbot):
    running = thin()
    qtbot.waitUntil(lambda: "A" in running.bench.models.loading)
    make(came_in, PackagesFolder(running.bench.program.paths.engine), came_in.variants["cpu"])
    running.bench.models.changed.emit()
    assert running.bench.preparing.state is State.READY
    assert KEY not in running.window.notices.keys


def test_offline_says_so_and_installs_nothing(thin, uv):
    running = thin(offline=True)
    assert any("--offline keeps them from coming" in text for text in running.window.notices.texts)
    running.bench.preparing.install(running.bench.preparing.offers[0])
    assert running.bench.preparing.state is State.ABSENT
    assert uv.calls == []
    assert told(running)[1] == []


def test_another_language_takes_the_offer_over(thin, qtbot, speak):
    running = thin()
    running.speak("ko")
    text = next(one for one in running.window.notices.texts if "설치" in one)
    assert "모델" in text
