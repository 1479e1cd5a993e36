"""A bundle that is dropped on the window: its runs, and what each is on this machine."""

from dataclasses import replace

import psutil
import pytest
import shiboken6
from PySide6.QtCore import QProcess

from explorer.engine.messages import Download
from explorer.sessions.bundle.reading import read_bundle
from explorer.sessions.bundle.writing import write_bundle
from explorer.sessions.log.log import SessionLog
from explorer.ui.document.dropping import Dropped
from explorer.ui.session_log.opened_bundle import BundlePage
from tests.sessions import sample_runs
from tests.ui.fake_engine import HUB

PATIENCE = 60_000


@pytest.fixture
def bundle(tmp_path):
    database, file = tmp_path / "other" / "sessions.db", tmp_path / "runs.zip"
    run = sample_runs.fill_mask_run("I <b>liked</b> the soup")
    stamp = replace(run.models["model"], id="nobody-has-this")
    with SessionLog(database, "elsewhere") as log:
        run_id = log.record(replace(run, models={"model": stamp}), lambda _problem: None)
    write_bundle(database, [run_id], file)
    return file


@pytest.fixture
def of_published(tmp_path):
    """A bundle of a run that a model of the hub answered, which is not here."""
    database, file = tmp_path / "other" / "sessions.db", tmp_path / "published.zip"
    run = sample_runs.fill_mask_run("I liked the soup")
    stamp = replace(run.models["model"], id=HUB.id)
    with SessionLog(database, "elsewhere") as log:
        run_id = log.record(replace(run, models={"model": stamp}), lambda _problem: None)
    write_bundle(database, [run_id], file)
    return file


def page_of(running):
    return running.window.findChild(BundlePage)


def test_what_is_missing_is_said_of_a_dropped_bundle(start, bundle, qtbot):
    running = start()
    running.window.commands.take_drop(Dropped(bundle, is_text=False))
    page = page_of(running)
    qtbot.waitUntil(lambda: page.is_done, timeout=PATIENCE)
    told = page.text.toPlainText()
    assert "0 of 1 run is the same on this machine." in told
    assert "Something is missing" in told
    assert "The model nobody-has-this is missing: it was a folder" in told
    # What is in a file of somebody else is text, and nothing else.
    assert "I <b>liked</b> the soup" in told
    page.close()


def test_a_missing_model_is_downloaded_from_there(start, engine, of_published, qtbot):
    running = start()
    running.window.commands.open_bundle(of_published)
    page = page_of(running)
    qtbot.waitUntil(lambda: page.is_done, timeout=PATIENCE)
    assert f"plm-explorer download {HUB.id} gets it" in page.text.toPlainText()
    row = page.missing[HUB.id]
    assert row.get.text() == "Download"
    row.get.click()
    assert engine.requests(Download) == [Download(HUB.id)]
    # Asked again, it is still missing, and is told of once.
    qtbot.waitUntil(page.again.isEnabled, timeout=PATIENCE)
    page.again.click()
    assert not page.again.isEnabled()
    qtbot.waitUntil(lambda: page.is_done, timeout=PATIENCE)
    assert list(page.missing) == [HUB.id]
    page.close()


def test_the_file_menu_opens_one(start, bundle, qtbot, monkeypatch):
    running = start()
    window = running.window
    monkeypatch.setattr(window.dialogs, "file", lambda _title, _kinds, then: then(bundle))
    window.menus.action("open_bundle").trigger()
    assert page_of(running).windowTitle() == "Runs of runs.zip"
    page_of(running).close()


def test_a_page_that_goes_while_runs_are_asked_ends_their_process(start, bundle, qtbot):
    running = start()
    running.window.commands.open_bundle(bundle)
    page = page_of(running)
    process = page.findChild(QProcess)
    qtbot.waitUntil(lambda: process.processId() > 0, timeout=PATIENCE)
    asks = psutil.Process(process.processId())
    # Not closed: as its window is let go of. A warning of Qt's fails the test.
    shiboken6.delete(page)
    asks.wait(PATIENCE / 1000)
    assert not shiboken6.isValid(process)


def test_one_that_is_damaged_is_told_of(start, bundle, qtbot):
    running = start()
    bundle.write_bytes(bundle.read_bytes()[:-30] + b"x" * 30)
    running.window.commands.open_bundle(bundle)
    page = page_of(running)
    qtbot.waitUntil(lambda: "damaged" in page.text.toPlainText(), timeout=PATIENCE)
    page.close()


def test_what_the_log_lists_is_written_as_a_bundle(start, tmp_path, qtbot):
    running = start()
    log, target = running.window.log, tmp_path / "listed.zip"
    running.bench.recording.record(sample_runs.fill_mask_run(), lambda _id: None)
    qtbot.waitUntil(lambda: log.model.rowCount() > 0)
    count = log.model.rowCount()
    running.window.log_actions._export_listed(target)
    qtbot.waitUntil(target.exists, timeout=PATIENCE)
    assert len(read_bundle(target)) >= count
