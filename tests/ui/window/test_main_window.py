import json
import warnings
from contextlib import closing

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog

from explorer.api.question import Blame, Failure
from explorer.app import Running
from explorer.document import Document
from explorer.engine.messages import LoadModel, Ready
from explorer.program import Program
from explorer.samples.samples import first_sample
from explorer.settings import Settings, SettingsFile
from explorer.ui.document.text_files import MOST_CHARACTERS
from explorer.ui.theme.schemes import current_theme
from tests.ui.fake_engine import MINIATURE, VERSIONS


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    place, copy = QPoint(20, 20), Qt.DropAction.CopyAction
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    with warnings.catch_warnings():
        # Qt 6.8 has no other constructor; later ones take a QPointF.
        warnings.simplefilter("ignore", DeprecationWarning)
        entered = QDragEnterEvent(place, copy, data, button, none)
    window.dragEnterEvent(entered)
    assert entered.isAccepted()
    window.dropEvent(QDropEvent(place.toPointF(), copy, data, button, none))


def trigger(running, name):
    running.window.menus.action(name).trigger()


# ---- starts -------------------------------------------------------------------------------------


def test_a_first_start_loads_the_miniature_and_masks_a_word(running, engine):
    assert running.bench.state.document == first_sample().document()
    assert engine.requests(LoadModel)[0].checkpoint_id == MINIATURE.id
    assert running.window.notices.texts == ()
    assert running.bench.state.stack.count() == 0


def test_what_is_typed_right_after_the_start_goes_to_the_sentence(engine, paths, qtbot):
    # As the program starts: the empty window is seen first, and filled then.
    with closing(Running(Program(paths), engine, show_first=True)) as running:
        window = running.window
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        assert QApplication.focusWidget() is window.sentence.editors[0]
        qtbot.keyClicks(QApplication.focusWidget(), " now")
        assert running.bench.state.document.text == f"{first_sample().text} now"


def test_a_later_start_brings_back_document_models_and_layout(start, paths, qtbot):
    first = start()
    first.bench.edits.take_text("the teacher read the book", "a.txt")
    first.bench.actions.load(first.bench.checkpoints.find("google-bert/bert-base-uncased"), "B")
    qtbot.waitUntil(lambda: "B" in first.bench.models.cards)
    first.window.side_docks[0].show()
    first.window.resize(1000, 720)
    first.close()
    second = start()
    qtbot.waitUntil(lambda: len(second.bench.models.cards) == 2)
    assert second.bench.state.document.text == "the teacher read the book"
    ids = {slot: card.stamp.id for slot, card in second.bench.models.cards.items()}
    assert ids == {"A": MINIATURE.id, "B": "google-bert/bert-base-uncased"}
    assert second.window.side_docks[1].isHidden()
    assert not second.window.side_docks[0].isHidden()


def test_a_model_that_is_gone_is_told_and_nothing_else_happens(start, engine, qtbot):
    settings = Settings(checkpoints={"A": "gone/model"}, document=Document("hello"))
    running = start(settings, wait=False)
    qtbot.waitUntil(lambda: running.window.notices.texts != ())
    assert running.window.notices.texts[0].startswith("gone/model was loaded last time")
    assert engine.requests(LoadModel) == []


def test_a_pickled_model_of_last_time_is_offered_not_opened(start, engine, qtbot):
    running = start(Settings(checkpoints={"A": "/home/me/old"}), wait=False)
    qtbot.waitUntil(lambda: running.window.notices.texts != ())
    assert "pickle" in running.window.notices.texts[0]
    assert engine.requests(LoadModel) == []


def test_damaged_settings_are_a_notice_and_the_window_opens(start, paths):
    paths.settings.parent.mkdir(parents=True)
    paths.settings.write_text("{ no", encoding="utf-8")
    running = start()
    assert "damaged" in running.window.notices.texts[0]


def test_the_document_is_saved_shortly_after_each_change(running, paths, qtbot):
    running.bench.edits.toggle_mask(4, 8, 0)
    # A save of what was there before may be under way.
    now = running.bench.state.document
    qtbot.waitUntil(lambda: SettingsFile(paths.settings).load().document == now)
    stored = SettingsFile(paths.settings).load()
    assert stored.checkpoints == {"A": MINIATURE.id}


def test_an_engine_without_torch_says_so(start, engine, qtbot):
    problem = Failure(Blame.MACHINE, "torch can't be imported.", "Install it again.")
    engine.ready = Ready(1, versions=VERSIONS, problem=problem)
    running = start(wait=False)
    qtbot.waitUntil(lambda: running.window.notices.texts == ("torch can't be imported.",))


# ---- drops --------------------------------------------------------------------------------------


def test_a_dropped_folder_is_loaded(running, engine, qtbot):
    drop(running.window, "/cache/bert-base-uncased")
    qtbot.waitUntil(
        lambda: running.bench.models.slots_of("google-bert/bert-base-uncased") == ("A",)
    )


def test_a_dropped_folder_that_is_no_model_changes_nothing(running, tmp_path, qtbot):
    document, cards = running.bench.state.document, dict(running.bench.models.cards)
    drop(running.window, tmp_path)
    qtbot.waitUntil(lambda: len(running.window.notices.texts) == 1)
    assert running.bench.state.document == document
    assert running.bench.models.cards == cards


def test_a_dropped_text_is_opened_as_one_step(running, tmp_path, qtbot):
    path = tmp_path / "story.txt"
    path.write_bytes("\ufeffthe teacher\r\nread 책\r\n".encode())
    drop(running.window, path)
    qtbot.waitUntil(lambda: running.bench.state.document.text == "the teacher\nread 책")
    assert running.bench.state.stack.undoText() == "open 'story.txt'"


@pytest.mark.parametrize("content", [b"\x80\x81binary", b"a\0b"])
def test_what_is_no_text_is_refused(running, tmp_path, qtbot, content):
    path = tmp_path / "strange.txt"
    path.write_bytes(content)
    drop(running.window, path)
    qtbot.waitUntil(
        lambda: running.window.notices.texts == ("strange.txt is not a text file in UTF-8.",)
    )
    assert running.bench.state.document == first_sample().document()


def test_a_path_that_can_not_be_is_told_in_one_sentence(running, tmp_path, qtbot):
    document, cards = running.bench.state.document, dict(running.bench.models.cards)
    drop(running.window, f"{tmp_path}/a\0b.txt")
    qtbot.waitUntil(lambda: len(running.window.notices.texts) == 1)
    assert "is no path on this machine" in running.window.notices.texts[0]
    assert running.bench.state.document == document
    assert running.bench.models.cards == cards


def test_a_long_text_is_cut_and_said_so(running, tmp_path, qtbot):
    path = tmp_path / "long.txt"
    path.write_text("가 " * MOST_CHARACTERS, encoding="utf-8")
    drop(running.window, path)
    qtbot.waitUntil(lambda: len(running.bench.state.document.text) > 10_000, timeout=20_000)
    assert len(running.bench.state.document.text) <= MOST_CHARACTERS
    assert "Only the first 20,000 characters" in running.window.notices.texts[0]


# ---- menus --------------------------------------------------------------------------------------


def test_every_action_has_a_name_and_a_text(running):
    names = [a.objectName() for _, actions in running.window.menus.groups() for a in actions]
    assert all(names)
    assert len(names) == len(set(names))
    for needed in ("open_folder", "undo", "mask_selection", "load_A", "run_again", "shortcuts"):
        assert needed in names


def test_masks_are_cleared_and_undone_from_the_menu(running):
    trigger(running, "clear_masks")
    assert running.bench.state.document.masks == ()
    assert not running.window.menus.action("clear_masks").isEnabled()
    assert running.window.menus.action("undo").text().replace("&", "") == "Undo clear masks"
    trigger(running, "undo")
    assert running.bench.state.document == first_sample().document()


def test_the_chosen_checkpoint_is_loaded_from_the_menu(running, qtbot):
    running.window.library.choose("google-bert/bert-base-uncased")
    trigger(running, "load_B")
    qtbot.waitUntil(lambda: "B" in running.bench.models.cards)
    trigger(running, "swap")
    assert running.bench.models.active == "B"
    trigger(running, "unload_B")
    assert running.bench.models.active == "A"


def test_another_device_loads_the_models_again_there(running, engine, paths, qtbot):
    names = [a.data() for a in running.window.menus.chosen["device"].actions()]
    assert names == ["auto", "cpu", "cuda:0", "offload"]
    trigger(running, "device_cuda:0")
    qtbot.waitUntil(lambda: running.bench.models.cards["A"].stamp.device == "cuda:0")
    assert engine.requests(LoadModel)[-1].options.device == "cuda:0"
    assert running.bench.settings_store.settings.device == "cuda:0"
    assert running.window.menus.action("device_cuda:0").isChecked()


def test_precision_is_a_choice_too(running, engine, qtbot):
    trigger(running, "dtype_float16")
    qtbot.waitUntil(lambda: engine.requests(LoadModel)[-1].options.dtype == "float16")


def test_colours_and_text_size_are_remembered(running, qapp):
    size = qapp.font().pointSizeF()
    trigger(running, "scheme_dark")
    assert current_theme().scheme == "dark"
    trigger(running, "larger")
    assert qapp.font().pointSizeF() > size
    assert running.bench.settings_store.settings.color_scheme == "dark"
    assert running.bench.settings_store.settings.font_scale == 1.1
    trigger(running, "usual_size")
    trigger(running, "scheme_light")
    assert qapp.font().pointSizeF() == size
    assert current_theme().scheme == "light"


def test_docks_are_closed_and_opened_from_the_view_menu(running, qtbot):
    dock = running.window.side_docks[0]
    assert dock.isHidden()
    trigger(running, "toggle_dock_token")
    assert dock.isVisible()
    trigger(running, "toggle_dock_token")
    assert dock.isHidden()
    trigger(running, "find_model")
    assert running.window.picker.isVisible()
    trigger(running, "show_view_tokens")
    area = running.window.view_area
    assert running.bench.asking.askers["tokens"].is_visible
    area.close_page("tokens")
    assert not running.bench.asking.askers["tokens"].is_visible
    trigger(running, "show_view_tokens")
    assert area.is_seen("tokens")


def test_a_floating_view_comes_back_with_the_layout(running):
    area = running.window.view_area
    area.open_beside("tokens")
    area.turn_floating("tokens")
    assert area.place_of("tokens").isWindow()
    trigger(running, "reset_layout")
    assert area.opened == ["overview"]
    assert not area.floating


def test_a_view_is_exported_from_the_menu(running, tmp_path, monkeypatch, qapp):
    target = tmp_path / "view.json"
    asked = []

    def save(_title, name, kind, then, _also):
        asked.append((name, kind))
        then(target)

    monkeypatch.setattr(running.window.commands.dialogs, "save", save)
    trigger(running, "export_view_table")
    dialog = running.window.findChild(QDialog, "tableDialog")
    dialog.form.setCurrentIndex(dialog.form.findData("json"))
    dialog.save.click()
    assert asked == [
        ("masked-tokens-bert-miniature.json", "JSON table (*.json);;CSV table (*.csv)")
    ]
    assert json.loads(target.read_text(encoding="utf-8"))["rows"][0][2] == "cooked"
    trigger(running, "export_view_copy_table")
    assert "cooked" in qapp.clipboard().text()
    assert running.window.status.currentMessage() == "The table is copied."


def test_an_answer_is_copied_as_code(running, qapp):
    trigger(running, "export_view_copy_python")
    assert 'model = explorer.open("bert-miniature")' in qapp.clipboard().text()
    assert "model.masked_tokens(" in qapp.clipboard().text()
    assert running.window.status.currentMessage() == "The code is copied."
    trigger(running, "export_view_copy_command")
    assert qapp.clipboard().text().startswith("plm-explorer ask masked_tokens --model=")
    trigger(running, "export_view_copy_transformers")
    assert "AutoModelForMaskedLM.from_pretrained(folder)" in qapp.clipboard().text()


def test_an_export_of_nothing_is_a_notice(running):
    trigger(running, "clear_masks")
    trigger(running, "export_view_table")
    assert running.window.notices.texts == ("Masked tokens has nothing to export yet.",)


def test_pages_open_and_close(running):
    for name, page in (
        ("page_help", "page_help"),
        ("shortcuts", "shortcut_sheet"),
        ("glossary", "glossary"),
        ("about", "about"),
        ("licences", "licences"),
        ("report_problem", "problem_report"),
    ):
        trigger(running, name)
        found = running.window.findChild(QDialog, page)
        assert found.isVisible()
        found.close()


def test_a_fault_nobody_caught_is_a_notice_with_details(running):
    running.window.notifications.fault(Failure.of(ZeroDivisionError("division by zero")))
    assert "ZeroDivisionError" in running.window.notices.texts[0]


def test_everything_a_user_or_a_test_must_find_has_a_name_and_says_what_it_is(running):
    window = running.window
    widgets = [
        *window.sentence.editors,
        window.sentence.strip,
        window.sentence.samples,
        window.sentence.pair,
        window.sentence.clear,
        window.model_bar.other,
        *window.model_bar.slots.values(),
        window.model_bar,
        window.log_line,
        window.log_line.button,
        window.library.tree,
        window.library.filter_box,
        window.library.details,
        window.log.table,
        window.log.filters.search,
        window.token,
        *window.view_area.frames.values(),
    ]
    for widget in widgets:
        assert widget.objectName(), widget
        assert widget.accessibleName(), widget.objectName()
