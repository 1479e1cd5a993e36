"""A slot has a device and a number type of its own, whatever the other one is loaded as."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMenu

from explorer.api.family import LoadOptions
from explorer.engine.messages import LoadModel
from explorer.ui.saved_documents.file import read_document
from tests.ui.fake_engine import CACHED, HUB, MINIATURE


def menu_of(running, slot):
    """The number types and devices in the menu of a chip, by the names that people read."""
    menu = QMenu(running.window)
    running.window.model_bar.menu_made.emit(slot, menu)
    types, places = (menu.findChild(QMenu, name) for name in ("slot_number_type", "slot_device"))
    return [
        {one.text().replace("&", ""): one for one in each.actions()} for each in (types, places)
    ]


@pytest.fixture
def both(running, qtbot):
    """The same checkpoint in both slots."""
    models = running.bench.models
    running.bench.actions.load(MINIATURE, "B")
    qtbot.waitUntil(lambda: len(models.cards) == 2)
    return running


def test_b_alone_is_loaded_as_what_its_menu_says(both, engine, qtbot):
    models = both.bench.models
    loads = len(engine.requests(LoadModel))
    menu_of(both, "B")[0]["bfloat16"].trigger()
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "bfloat16")
    later = engine.requests(LoadModel)[loads:]
    assert later == [LoadModel("B", MINIATURE.id, LoadOptions("auto", "bfloat16"))]
    assert models.options_of("A").dtype == "auto"
    assert both.window.model_bar.slots["B"].said == "BERT miniature · bfloat16"
    assert "bfloat16" not in both.window.model_bar.slots["A"].said
    chosen = [name for name, action in menu_of(both, "B")[0].items() if action.isChecked()]
    assert chosen == ["bfloat16"]


def test_what_the_settings_say_reaches_the_slot_without_a_choice_of_its_own(both, engine, qtbot):
    models = both.bench.models
    both.bench.actions.choose_numbers("B", dtype="bfloat16")
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "bfloat16")
    loads = len(engine.requests(LoadModel))
    both.window.menus.action("dtype_float16").trigger()
    qtbot.waitUntil(lambda: models.options_of("A").dtype == "float16")
    assert [one.slot for one in engine.requests(LoadModel)[loads:]] == ["A"]
    menu_of(both, "B")[0]["As for all models"].trigger()
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "float16")


def test_a_device_of_its_own_is_kept_until_the_next_start(both, start, qtbot):
    both.bench.actions.choose_numbers("B", device="cpu", dtype="bfloat16")
    qtbot.waitUntil(lambda: both.bench.models.options_of("B").dtype == "bfloat16")
    both.close()
    later = start()
    models = later.bench.models
    qtbot.waitUntil(lambda: len(models.cards) == 2)
    assert models.options_of("A") == LoadOptions()
    assert models.options_of("B") == LoadOptions("cpu", "bfloat16")


def test_a_document_brings_the_number_type_back(both, tmp_path, qtbot):
    models, documents = both.bench.models, both.window.documents
    both.bench.actions.choose_numbers("B", dtype="bfloat16")
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "bfloat16")
    path = tmp_path / "both.plm"
    with qtbot.waitSignal(documents.written):
        documents.save_in(path)
    named = read_document(path).on_screen.models
    assert (named["A"].dtype, named["B"].dtype) == ("", "bfloat16")
    documents.let_go()
    both.bench.actions.choose_numbers("B", dtype="")
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "auto")
    documents.open(path)
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "bfloat16")
    assert models.options_of("A").dtype == "auto"


def test_two_kinds_of_numbers_of_one_checkpoint_have_two_names(both):
    view = both.window.view_of("masked_tokens")
    stamp = both.bench.models.cards["A"].stamp
    other = replace(stamp, dtype="bfloat16")
    assert view.title_of(stamp) == "BERT miniature"
    view.origin = replace(view.origin, models={"teacher": stamp, "student": other})
    assert view.title_of(stamp) == f"BERT miniature, {stamp.dtype}"
    assert view.title_of(other) == "BERT miniature, bfloat16"


def choose_in_picker(running, title):
    """Choose a number type in the open model picker, as a person does."""
    box = running.window.library.numbers.box
    box.setCurrentIndex(box.findText(title))
    box.activated.emit(box.currentIndex())
    return running.window.library


def test_a_slots_numbers_are_undone_and_done_again(both, qtbot):
    models, state = both.bench.models, both.bench.state
    menu_of(both, "B")[0]["bfloat16"].trigger()
    menu_of(both, "B")[1]["cpu"].trigger()
    qtbot.waitUntil(lambda: models.options_of("B") == LoadOptions("cpu", "bfloat16"))
    assert state.stack.undoText() == "run model B on cpu"
    state.stack.undo()
    qtbot.waitUntil(lambda: models.options_of("B") == LoadOptions("auto", "bfloat16"))
    assert state.stack.undoText() == "load model B as bfloat16"
    state.stack.undo()
    qtbot.waitUntil(lambda: models.options_of("B") == LoadOptions())
    state.stack.redo()
    qtbot.waitUntil(lambda: models.options_of("B") == LoadOptions("auto", "bfloat16"))
    # What is so already is no step.
    menu_of(both, "B")[0]["bfloat16"].trigger()
    assert state.stack.canRedo()
    assert models.options_of("A") == LoadOptions()


def test_the_picker_gives_what_is_loaded_its_numbers_at_once(both, engine, qtbot):
    models = both.bench.models
    both.window.open_library("B")
    library = choose_in_picker(both, "float16")
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "float16")
    assert models.options_of("A").dtype == "auto"
    assert library.numbers.box.currentText() == "float16"
    both.window.open_library("A")
    assert library.numbers.box.currentText() == "As for all models"
    both.bench.state.stack.undo()
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "auto")


def test_the_picker_gives_the_next_model_its_numbers_in_one_load(both, engine, qtbot):
    models = both.bench.models
    both.window.open_library("B")
    both.window.library.choose(CACHED.id)
    loads = len(engine.requests(LoadModel))
    library = choose_in_picker(both, "bfloat16")
    assert len(engine.requests(LoadModel)) == loads
    library.load_b.click()
    qtbot.waitUntil(lambda: models.slots_of(CACHED.id) == ("B",))
    assert engine.requests(LoadModel)[loads:] == [
        LoadModel("B", CACHED.id, LoadOptions("auto", "bfloat16"))
    ]
    both.bench.state.stack.undo()
    qtbot.waitUntil(lambda: models.options_of("B").dtype == "auto")
    assert models.slots_of(CACHED.id) == ("B",)


def test_nothing_is_chosen_for_what_is_not_on_this_computer(both):
    both.window.open_library("A")
    both.window.library.choose(HUB.id)
    assert both.window.library.numbers.isHidden()
    both.window.library.choose(CACHED.id)
    assert not both.window.library.numbers.isHidden()
