"""Scenes of one's own: saved from what is on screen, opened and dropped as lectures."""

import shutil
import zipfile

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel

from explorer.document import Document
from explorer.lectures import read
from explorer.settings import SettingsFile
from explorer.ui.lectures.files.save_dialog import SaveSceneDialog
from explorer.ui.notices.notices import NoticeBar
from tests.lectures.scene_texts import one_mask

SCENE = one_mask("A scene of mine", "The gardener dug the garden.", "dug")


@pytest.fixture
def window(running):
    return running.window


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "my lecture"
    made.mkdir()
    (made / "one.toml").write_text(SCENE, "utf-8")
    (made / "two.toml").write_text(SCENE.replace("mine", "yours"), "utf-8")
    return made


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    place, copy = QPoint(20, 20), Qt.DropAction.CopyAction
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(place, copy, data, button, none)
    window.dragEnterEvent(entered)
    assert entered.isAccepted()
    window.dropEvent(QDropEvent(place.toPointF(), copy, data, button, none))


def chosen(window, path):
    """Take a path in the file dialog that is open."""
    asked = window.findChild(QFileDialog, "file_dialog")
    asked.fileSelected.emit(str(path))
    asked.reject()


def titles(window):
    lecture = window.lecture_actions.lecturing.lecture
    return [scene.title() for scene in lecture.scenes] if lecture is not None else []


def open_dialog(window, qtbot):
    window.menus.action("save_scene_as").trigger()
    dialog = window.findChild(SaveSceneDialog)
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def save(window, qtbot, path, title="What I saw", looks=("Look here.",), chapter=""):
    dialog = open_dialog(window, qtbot)
    assert not dialog.save.isEnabled()
    QTest.keyClicks(dialog.heading, title)
    for field, words in zip(dialog.sentences, looks, strict=False):
        QTest.keyClicks(field, words)
    dialog.chapter.setEditText(chapter)
    held = dialog.held.text()
    qtbot.waitUntil(dialog.save.isEnabled)
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    chosen(window, path)
    return held


# ---- saving -------------------------------------------------------------------------------------


def test_what_is_on_screen_is_saved_and_comes_back_the_same(window, running, tmp_path, qtbot):
    bench = running.bench
    text = "The cook saw the cook in the kitchen."
    document = Document(text).with_mask(4, 8).with_mask(17, 21).with_mask(30, 33)
    document = document.with_option("masked_tokens.subtract", "nothing of this program")
    document = document.with_option("surprisal.unit", "bits")
    bench.state.edit("prepare", document)
    bench.edits.set_option("top_k", 20)
    qtbot.waitUntil(lambda: bench.asking.is_idle)
    asked = bench.state.document
    path = tmp_path / "saved.toml"
    held = save(window, qtbot, path, looks=("Look here.", "And there."), chapter="masks")
    assert held.splitlines() == [
        "Saved with it: the page Masked tokens.",
        "Models: bert-miniature.",
        f"The text: {text}",
        "3 masks.",
    ]
    qtbot.waitUntil(path.exists)
    (scene,) = read(path).scenes
    assert scene.title("en") == "What I saw"
    assert scene.chapter == "masks"
    (step,) = scene.steps
    assert step.look("en") == ("Look here.", "And there.")
    assert (step.question, step.models) == ("masked_tokens", ("bert-miniature",))
    # Words where these say which, characters where they do not; nothing of another question.
    assert step.masked == ("cook", "cook", "30-33")
    assert step.options == {}
    again = step.document()
    assert (again.text, again.masks, again.top_k) == (text, asked.masks, 20)
    qtbot.waitUntil(lambda: "saved.toml" in " ".join(window.notices.texts))


def test_settings_of_the_page_are_saved_where_they_are_not_as_usual(
    window, running, tmp_path, qtbot
):
    bench = running.bench
    window.view_area.bring_forward("surprisal")
    bench.edits.set_option("surprisal.unit", "bits")
    save(window, qtbot, tmp_path / "saved.toml")
    qtbot.waitUntil((tmp_path / "saved.toml").exists)
    (scene,) = read(tmp_path / "saved.toml").scenes
    assert scene.steps[0].question == "surprisal"
    assert scene.steps[0].options == {"surprisal.unit": "bits"}


def test_a_saved_scene_is_shown_by_the_button_in_the_notice(window, running, tmp_path, qtbot):
    path = tmp_path / "saved.toml"
    save(window, qtbot, path)
    qtbot.waitUntil(lambda: window.findChild(NoticeBar, "notice_scene_saved") is not None)
    text = running.bench.state.document.text
    running.bench.edits.take_text("Another text.", "another")
    notice = window.findChild(NoticeBar, "notice_scene_saved")
    QTest.mouseClick(notice.findChild(object, "notice_action_0"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: running.bench.state.document.text == text)
    qtbot.waitUntil(window.lectures.isVisible)
    assert titles(window) == ["What I saw"]


def test_a_scene_saved_into_the_open_folder_is_listed_at_once(window, folder, qtbot):
    window.lecture_actions.open(str(folder))
    qtbot.waitUntil(lambda: len(titles(window)) == 2)
    save(window, qtbot, folder / "three.toml")
    qtbot.waitUntil(lambda: "What I saw" in titles(window))


def test_a_place_that_can_not_be_written_is_told_of(window, tmp_path, qtbot):
    save(window, qtbot, tmp_path / "no such folder" / "saved.toml")
    qtbot.waitUntil(lambda: any("saved.toml" in text for text in window.notices.texts))


# ---- a claim -----------------------------------------------------------------------------------

FIRST = "masks[0].predictions[0]"
SUGGESTED = f"{FIRST}.word == 'cooked' and {FIRST}.probability > 0.45"


@pytest.fixture
def dialog(window, running, qtbot):
    """The dialog on an answer in which "cooked" has 0.5 and "made" 0.25."""
    running.bench.edits.take_text("The chef [MASK] the meal.", "one mask")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    dialog = open_dialog(window, qtbot)
    QTest.keyClicks(dialog.heading, "What I saw")
    qtbot.waitUntil(lambda: dialog.claim.text() == SUGGESTED)
    qtbot.waitUntil(dialog.save.isEnabled)
    return dialog


def verdict(dialog):
    return dialog.verdict.words.text(), dialog.verdict.why.text()


def test_the_largest_effect_is_offered_as_a_claim_and_saved_with_its_words(
    window, dialog, tmp_path, qtbot
):
    holds, values = verdict(dialog)
    assert holds == "It holds in the answer on screen."
    assert "masks[0].predictions[0].probability = 0.5" in values.splitlines()
    # The sentence that it was made of, until another one is written.
    sentence = "The model hesitates between “cooked” (50 %) and “made” (25 %)."
    assert dialog.claim_words.text() == sentence
    dialog.claim_words.selectAll()
    QTest.keyClicks(dialog.claim_words, "A meal is cooked.")
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    chosen(window, tmp_path / "saved.toml")
    qtbot.waitUntil((tmp_path / "saved.toml").exists)
    (step,) = read(tmp_path / "saved.toml").scenes[0].steps
    assert step.claims == (SUGGESTED,)
    assert step.claim("en") == "A meal is cooked."


@pytest.mark.parametrize(
    ("claim", "said", "why"),
    [
        (
            "masks[0].predictions[0].probability > 0.6",
            "It does not hold in the answer on screen.",
            "masks[0].predictions[0].probability = 0.5",
        ),
        (
            "masks[0].predictions[0].rang == 1",
            "The answer on screen does not say.",
            "there is no rang in masks[0].predictions[0]; there are ",
        ),
        ("1 < 2", "The answer on screen does not say.", "It says nothing of the answer."),
    ],
)
def test_a_claim_that_is_not_so_is_told_of_and_not_saved(dialog, qtbot, claim, said, why):
    dialog.claim.selectAll()
    QTest.keyClicks(dialog.claim, claim)
    assert not dialog.save.isEnabled()
    assert not dialog.claim_words.text(), "what was suggested is of another claim"
    qtbot.waitUntil(lambda: verdict(dialog)[0] == said)
    assert why in verdict(dialog)[1]
    assert not dialog.save.isEnabled()
    assert dialog.save.toolTip() == "Correct the claim first, or leave it out"
    dialog.claim.clear()
    assert dialog.save.isEnabled()
    assert not dialog.verdict.isVisible()


def test_a_claim_that_was_typed_is_not_written_over(window, running, tmp_path, qtbot):
    dialog = open_dialog(window, qtbot)
    QTest.keyClicks(dialog.claim, "len(masks) > 0")
    qtbot.waitUntil(lambda: verdict(dialog)[0] == "It holds in the answer on screen.")
    assert dialog.claim.text() == "len(masks) > 0"


def test_without_an_answer_nothing_is_claimed(window, running, tmp_path, qtbot):
    running.bench.edits.take_text("No mask at all.", "no mask")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    dialog = open_dialog(window, qtbot)
    assert not dialog.claim.isEnabled()
    assert dialog.claim.placeholderText().startswith("There is no answer on screen")
    QTest.keyClicks(dialog.heading, "What I saw")
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    chosen(window, tmp_path / "saved.toml")
    qtbot.waitUntil((tmp_path / "saved.toml").exists)
    (step,) = read(tmp_path / "saved.toml").scenes[0].steps
    assert (step.claims, step.claim(), step.words) == ((), "", {})


# ---- opening ------------------------------------------------------------------------------------


def test_a_folder_of_scenes_becomes_the_lecture_and_is_remembered(
    start, folder, engine, paths, qtbot
):
    first = start()
    drop(first.window, folder)
    qtbot.waitUntil(lambda: titles(first.window) == ["A scene of mine", "A scene of yours"])
    assert first.window.lectures.isVisible()
    assert first.window.lectures.name.text() == "my lecture"
    first.window.close()
    first.close()
    assert SettingsFile(paths.settings).load().lecture == str(folder)
    second = start().window
    qtbot.waitUntil(lambda: titles(second) == ["A scene of mine", "A scene of yours"])
    # The bundled one is one click away.
    second.menus.action("bundled_lecture").trigger()
    qtbot.waitUntil(lambda: second.lectures.name.text() == "Bundled lecture")
    assert not second.menus.action("bundled_lecture").isEnabled()


def test_a_zip_file_becomes_the_lecture(window, folder, tmp_path, qtbot):
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in folder.glob("*.toml"):
            archive.write(path, path.name)
    window.menus.action("open_lecture").trigger()
    chosen(window, packed)
    qtbot.waitUntil(lambda: len(titles(window)) == 2)
    assert window.lectures.name.text() == "packed"


def test_one_scene_is_shown_when_it_is_dropped(window, running, folder, qtbot):
    drop(window, folder / "one.toml")
    qtbot.waitUntil(lambda: running.bench.state.document.text == "The gardener dug the garden.")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert window.lectures.card.findChild(QLabel, "scene_title").text() == "A scene of mine"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("broken.toml", b"title = ", "broken.toml is no TOML"),
        ("empty.toml", b"", "empty.toml: the key"),
        ("latin.toml", '[en]\ntitle = "é"'.encode("latin-1"), "latin.toml is not written in UTF-8"),
        ("cut.zip", b"PK\x03\x04 cut off", "cut.zip is no scene"),
        ("gone.toml", None, "gone.toml"),
    ],
)
def test_what_is_no_lecture_is_told_of_in_a_sentence_and_changes_nothing(
    window, running, folder, tmp_path, qtbot, name, content, said
):
    window.lecture_actions.open(str(folder))
    qtbot.waitUntil(lambda: len(titles(window)) == 2)
    before = running.bench.state.document
    if content is not None:
        (tmp_path / name).write_bytes(content)
    drop(window, tmp_path / name)
    qtbot.waitUntil(lambda: bool(window.notices.texts))
    assert said in window.notices.texts[-1]
    assert len(titles(window)) == 2
    assert running.bench.state.document == before


def test_a_lecture_that_is_gone_at_the_next_start_gives_way_to_the_bundled_one(
    start, folder, qtbot
):
    first = start()
    first.window.lecture_actions.open(str(folder))
    qtbot.waitUntil(first.window.lectures.isVisible)
    first.window.close()
    first.close()
    shutil.rmtree(folder)
    second = start().window
    qtbot.waitUntil(lambda: bool(titles(second)))
    assert second.lectures.name.text() == "Bundled lecture"
    assert any("my lecture" in text for text in second.notices.texts)


def test_a_folder_without_scenes_is_still_a_models(window, tmp_path, engine, qtbot):
    from explorer.engine.messages import Inspect

    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}", "utf-8")
    (tmp_path / "model" / "pyproject.toml").write_text("", "utf-8")
    drop(window, tmp_path / "model")
    qtbot.waitUntil(lambda: bool(engine.requests(Inspect)))
    assert engine.requests(Inspect)[-1].path == str(tmp_path / "model")
