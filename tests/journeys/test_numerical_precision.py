"""The same checkpoint as A and B, B in coarser numbers by its menu, in the real window."""

import pytest
from PySide6.QtWidgets import QMenu

from tests.journeys.acting import SLOW, answered, load, newest
from tests.ui.page_tree import click_page
from tests.ui.pages import words_on

pytestmark = [
    pytest.mark.usefixtures("warm_engine"),
    pytest.mark.qt_log_ignore("This plugin does not support", extend=True),
]


def test_b_is_loaded_in_coarser_numbers_and_compared(running, hands, paths, qtbot):
    load(running, qtbot, A="bert-miniature", B="bert-miniature")
    models, window = running.bench.models, running.window
    click_page(window, "numerical_precision")
    view = answered(running, qtbot, "numerical_precision")
    assert "nothing can differ" in words_on(view)
    chip = window.model_bar.slots["B"]
    chip.customContextMenuRequested.emit(chip.rect().center())
    menu = window.model_bar.findChild(QMenu, "slot_menu")
    types = menu.findChild(QMenu, "slot_number_type")
    next(one for one in types.actions() if one.text().replace("&", "") == "bfloat16").trigger()
    menu.close()
    qtbot.waitUntil(lambda: models.cards["B"].stamp.dtype == "bfloat16", timeout=SLOW)
    assert models.cards["A"].stamp.dtype == "float32"
    view = answered(
        running, qtbot, "numerical_precision", lambda one: one.result.other.dtype == "bfloat16"
    )
    words = words_on(view)
    assert "float32 (cpu) against bfloat16 (cpu)." in words
    assert "nothing can differ" not in words
    assert view.result.pooled.divergence.mean > 0
    hands.settle()
    logged = newest(paths, "numerical_precision")
    assert {role: one.dtype for role, one in logged.models.items()} == {
        "reference": "float32",
        "rounded": "bfloat16",
    }
