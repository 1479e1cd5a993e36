"""A film of a page is made beside the window's work, and can be cancelled."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton

from explorer.api.family.checkpoint import Source
from explorer.series.series import CheckpointSeries, Frame
from explorer.text import Phrase
from explorer.ui.export.film import dialog as dialogs
from explorer.ui.export.film.dialog import FilmDialog
from explorer.ui.notices.notices import NoticeBar
from tests.ui.fake_engine import MINIATURE

PATIENCE = 90_000
STEPS = (64, 8000)
NAME = "bert-film"


def id_of(step: int) -> str:
    return f"{NAME}@step{step}"


@pytest.fixture
def window(start, engine, qtbot):
    """Model A is a frame of the bundled film, and the page has its answer."""
    engine.catalogue = (
        *engine.catalogue,
        *(
            replace(MINIATURE, id=id_of(step), title=id_of(step), source=Source.BUNDLED)
            for step in STEPS
        ),
    )
    frames = [Frame(step, id_of(step), f"checkpoint-{step}") for step in STEPS]
    frames.insert(1, Frame(512, id_of(512), "checkpoint-512", problem=Phrase("It is cut short.")))
    engine.series = CheckpointSeries(NAME, NAME, tuple(frames))
    running = start()
    running.bench.actions.load_by_id(id_of(64), "A")
    qtbot.waitUntil(running.window.model_bar.steps["A"].isVisible)
    running.window.view_area.bring_forward("masked_tokens")
    running.bench.edits.take_text("the chef [MASK] the meal .", "typed")
    view = running.window.current_view()
    stamps = running.bench.models.cards
    qtbot.waitUntil(lambda: view.has_result and stamps["A"].stamp in view.origin.models.values())
    return running.window


def dialog_of(window) -> FilmDialog:
    view = window.current_view()
    window.view_area.frames[view.name].findChild(QAction, "export_film").trigger()
    return window.findChild(FilmDialog)


@pytest.fixture
def saved_as(window, monkeypatch):
    """Choose a name where the system's dialog would ask."""

    def choose(path):
        monkeypatch.setattr(window.dialogs, "save", lambda _t, _n, _k, then: then(path))
        monkeypatch.setattr(window.dialogs, "folder", lambda _t, then: then(path))

    return choose


def test_the_page_at_every_step_is_written_and_damaged_frames_are_named(
    window, saved_as, tmp_path, qtbot
):
    saved_as(tmp_path)
    dialog = dialog_of(window)
    dialog.kinds.setCurrentIndex(dialog.kinds.findData("folder"))
    dialog.dark.setChecked(True)
    dialog.save.click()
    films = window.commands.films
    assert films.is_under_way
    assert any("loading the model" in one for one in window.notices.texts)
    qtbot.waitUntil(lambda: not films.is_under_way, timeout=PATIENCE)
    folder = tmp_path / "masked-tokens-bert-film"
    assert [one.name for one in sorted(folder.iterdir())] == ["1-step-64.svg", "2-step-8000.svg"]
    told = " ".join(
        f"{bar.notice.text} {bar.notice.hint}" for bar in window.notices.findChildren(NoticeBar)
    )
    assert f"A film of 2 frames is in {folder}." in told
    assert "checkpoint-512 is left out: It is cut short." in told
    assert "Step 8,000 of 8,000" in (folder / "2-step-8000.svg").read_text("utf-8")


def test_it_is_cancelled_with_nothing_written(window, saved_as, tmp_path):
    saved_as(tmp_path / "film.gif")
    dialog = dialog_of(window)
    dialog.kinds.setCurrentIndex(dialog.kinds.findData("gif"))
    dialog.save.click()
    bar = window.notices.findChild(QToolButton, "notice_action_0")
    assert bar.text() == "Cancel"
    bar.click()
    assert not window.commands.films.is_under_way
    assert list(tmp_path.glob("*film*")) == []


def test_a_model_without_steps_makes_none(running):
    window = running.window
    window.commands.export_view("film")
    assert window.findChild(FilmDialog) is None
    assert any("has none here" in one for one in window.notices.texts)


def test_mp4_is_not_offered_where_nobody_writes_it(window, monkeypatch):
    monkeypatch.setattr(dialogs, "video_program", lambda: "")
    dialog = dialog_of(window)
    place = dialog.kinds.findData("mp4")
    assert not dialog.kinds.model().item(place).isEnabled()
    assert "An MP4 is written by ffmpeg, which is not installed here." in dialog.told.text()
    assert dialog.kinds.currentData() == "gif"
    dialog.close()
