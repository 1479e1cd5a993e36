"""The runs that the log lists, written as a notebook while the window goes on."""

import json

from tests.sessions import sample_runs

PATIENCE = 60_000


def test_a_notebook_has_the_pictures_of_its_runs(start, tmp_path, qtbot):
    running = start()
    log, target = running.window.log, tmp_path / "listed.ipynb"
    running.bench.recording.record(sample_runs.fill_mask_run(), lambda _id: None)
    qtbot.waitUntil(lambda: log.model.rowCount() > 0)
    running.window.log_actions._export_listed(target)
    assert any("listed.ipynb" in words for words in running.window.notices.texts)
    qtbot.waitUntil(lambda: "listed.ipynb." in str(running.window.notices.texts), timeout=PATIENCE)
    cells = json.loads(target.read_text("utf-8"))["cells"]
    shown = [out["data"]["text/html"] for one in cells for out in one.get("outputs", ())]
    assert shown
    assert all("data:image/svg+xml;base64" in one for one in shown)


def test_one_that_can_not_be_written_is_told_of(start, tmp_path, qtbot):
    running = start()
    running.window.log_actions._export_listed(tmp_path / "nowhere" / "listed.ipynb")
    qtbot.waitUntil(
        lambda: any("nowhere" in words for words in running.window.notices.texts), timeout=PATIENCE
    )
    assert not (tmp_path / "nowhere").exists()
