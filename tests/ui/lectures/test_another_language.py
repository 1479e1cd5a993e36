"""A lecture goes on where it is when the window speaks another language."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from explorer.settings import Settings
from explorer.text import catalogues
from explorer.ui.lectures.claims.verdict import Verdict
from tests.ui.lectures.panel.scenes import FIRST


@pytest.fixture
def paths(paths, tmp_path):
    """Resources with a Korean catalogue, empty but for its head."""
    folder = tmp_path / "resources" / "locale" / "ko" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
    (folder / "plm-explorer.po").write_text(head, "utf-8")
    catalogues.compile_all(tmp_path / "resources" / "locale")
    return replace(paths, resources=tmp_path / "resources")


def test_the_scene_on_screen_goes_on_in_another_language(start, tmp_path, qtbot):
    path = tmp_path / "scene.toml"
    path.write_text(FIRST, "utf-8")
    running = start(Settings(lecture=str(path)))
    window = running.window
    window.lecture_dock.show()
    lecturing = window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: lecturing.lecture is not None)
    lecturing.show(lecturing.lecture.scenes[0])
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS)
    window.menus.action("language_ko").trigger()
    qtbot.waitUntil(lambda: running.window is not window)
    spoken = running.window
    qtbot.waitExposed(spoken)
    qtbot.waitUntil(spoken.lectures.isVisible)
    card = spoken.lectures.card
    assert card.title.text() == "마스크의 답은 여럿이다"
    assert card.findChild(QLabel, "scene_look_0").text() == "첫 막대를 보세요."
    assert spoken.lecture_actions.lecturing.told.verdict is Verdict.HOLDS
    spoken.lecture_actions.on.trigger()
    qtbot.waitUntil(lambda: running.bench.state.document.text == "The teacher read a book.")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
