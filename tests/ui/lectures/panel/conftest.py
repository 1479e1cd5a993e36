"""The window with a lecture open and its panel in sight."""

import pytest

from explorer.settings import Settings
from tests.ui.lectures.panel.scenes import SCENES, open_panel


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "my lecture"
    made.mkdir()
    for name, text in SCENES.items():
        (made / f"{name}.toml").write_text(text, "utf-8")
    return made


@pytest.fixture
def begin(start, folder, qtbot):
    """Starts the program with the lecture open, the panel in sight."""

    def open_window(**fields):
        running = start(Settings(lecture=str(folder), **fields))
        open_panel(running.window, qtbot)
        return running

    return open_window


@pytest.fixture
def running(begin):
    return begin()


@pytest.fixture
def window(running):
    return running.window
