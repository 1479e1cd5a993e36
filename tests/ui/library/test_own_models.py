"""The library leads to models that are not in its list: in a folder, or not on this machine yet."""

from PySide6.QtWidgets import QFileDialog, QPushButton

from explorer.ui.library.hub.real_models import RealModels
from tests.ui.fake_engine import CACHED


def test_a_folder_is_opened_for_the_slot_that_a_model_is_chosen_for(running, qtbot):
    running.window.open_library("B")
    running.window.library.findChild(QPushButton, "library_open_folder").click()
    dialog = running.window.findChild(QFileDialog, "file_dialog")
    dialog.fileSelected.emit(CACHED.folder)
    dialog.close()
    models = running.bench.models
    qtbot.waitUntil(lambda: "B" in models.cards)
    assert models.cards["B"].stamp.id == CACHED.id


def test_published_models_are_offered(running):
    running.window.open_library("A")
    running.window.library.findChild(QPushButton, "library_published").click()
    published = running.window.findChild(RealModels)
    assert published.isVisible()
    published.close()


def test_both_are_read_whole_in_the_narrowest_library(running, qtbot):
    running.window.open_library("A")
    library = running.window.library
    buttons = [
        library.findChild(QPushButton, name)
        for name in ("library_open_folder", "library_published")
    ]
    library.resize(library.minimumWidth(), 500)
    qtbot.waitUntil(lambda: all(one.width() >= one.sizeHint().width() for one in buttons))
