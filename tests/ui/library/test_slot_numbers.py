"""A slot has a device and a number type of its own, whatever the other one is loaded as."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QMenu

from explorer.api.family import LoadOptions
from explorer.engine.messages import LoadModel
from explorer.ui.saved_documents.file import read_document
from tests.ui.fake_engine import MINIATURE


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
