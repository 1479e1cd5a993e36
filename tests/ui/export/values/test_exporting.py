"""What a model computes of the text is written beside the window's work."""

import numpy as np
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton

from explorer.ui.export.values.dialog import ValuesDialog

PATIENCE = 60_000


@pytest.fixture
def window(start):
    return start().window


@pytest.fixture
def saved_as(window, monkeypatch):
    """Choose a name where the system's dialog would ask."""

    def choose(path):
        monkeypatch.setattr(window.dialogs, "save", lambda _t, _n, _k, then: then(path))

    return choose


def dialog_of(window):
    window.menus.action("export_values").trigger()
    return window.findChild(ValuesDialog)


def test_what_is_chosen_is_written_as_the_file_ends(window, saved_as, tmp_path, qtbot):
    file = tmp_path / "values.npz"
    saved_as(file)
    window.bench.edits.take_text("the chef cooked the meal .", "typed")
    dialog = dialog_of(window)
    assert len(dialog.chosen) == 5
    for kind in ("queries", "keys", "attention"):
        dialog.boxes[kind].setChecked(False)
    dialog.save.click()
    exporting = window.commands.values
    assert exporting.is_under_way
    assert "Exporting values to values.npz: loading the model" in window.notices.texts
    qtbot.waitUntil(lambda: not exporting.is_under_way, timeout=PATIENCE)
    assert f"Exported to {file}: log_probabilities, states." in window.notices.texts
    with np.load(file, allow_pickle=False) as found:
        assert "the" in found["tokens"]
        assert found["states"].dtype == np.float32
        assert "attention.encoder" not in found.files
    assert list(tmp_path.glob(".*.part")) == []


def test_it_is_cancelled_with_nothing_written(window, saved_as, tmp_path):
    file = tmp_path / "values.npz"
    saved_as(file)
    unfinished = tmp_path / ".values.npz.0123456789ab.part"
    dialog_of(window).save.click()
    unfinished.write_bytes(b"begun")
    bar = window.notices.findChild(QToolButton, "notice_action_0")
    assert bar.text() == "Cancel"
    bar.click()
    assert not window.commands.values.is_under_way
    assert not file.exists()
    assert not unfinished.exists()


def test_nothing_chosen_can_not_be_saved(window):
    dialog = dialog_of(window)
    for box in dialog.boxes.values():
        box.setChecked(False)
    assert not dialog.save.isEnabled()
    dialog.close()


def test_a_folder_that_is_not_there_is_told_of(window, saved_as, tmp_path, qtbot):
    saved_as(tmp_path / "nowhere" / "values.npz")
    dialog_of(window).save.click()
    qtbot.waitUntil(lambda: not window.commands.values.is_under_way, timeout=PATIENCE)
    assert any("does not exist" in one for one in window.notices.texts)


def test_a_page_of_one_model_has_them_in_its_own_menu(window, saved_as, tmp_path, qtbot):
    frames, file = window.view_area.frames, tmp_path / "page.npz"
    saved_as(file)
    view = window.current_view()
    qtbot.waitUntil(lambda: view.has_result)
    frames[view.name].findChild(QAction, "export_values").trigger()
    window.findChild(ValuesDialog).save.click()
    qtbot.waitUntil(lambda: not window.commands.values.is_under_way, timeout=PATIENCE)
    with np.load(file, allow_pickle=False) as found:
        assert view.document.text.split()[-2].casefold() in found["tokens"]


def test_a_page_of_two_models_has_them_not(window):
    window.view_area.bring_forward("soft_targets")
    frame = window.view_area.frames["soft_targets"]
    assert frame.findChild(QAction, "export_copy_table") is not None
    assert frame.findChild(QAction, "export_values") is None
