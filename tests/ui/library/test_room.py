"""Models for which there is no room: what the library says of them, and what is offered instead."""

import dataclasses
import itertools

import pytest
from PySide6.QtWidgets import QToolButton

from explorer.api.family import LoadOptions, NeedsRoom
from explorer.api.question import Failure
from explorer.engine.messages import LoadModel
from explorer.ui.library.panel import checkpoint_details
from tests.ui.fake_engine import CACHED, card_of


@pytest.mark.parametrize(
    ("button", "way"),
    [
        ("Load as 8 bit", LoadOptions("cpu", "8bit")),
        ("Load with the disk", LoadOptions("offload", "float32")),
    ],
)
def test_one_for_which_there_is_no_room_is_offered_as_it_fits(running, engine, qtbot, button, way):
    actions, notices = running.bench.actions, running.window.notices
    actions.device, actions.dtype = "cpu", "float32"
    engine.failures["load:"] = Failure.of(
        NeedsRoom("There is not enough memory for it.", fitting="8bit,offload")
    )
    actions.load(CACHED, "B")
    qtbot.waitUntil(lambda: any("was not loaded" in text for text in notices.texts))
    engine.failures.clear()
    buttons = {one.text(): one for one in notices.findChildren(QToolButton)}
    assert "Load as 4 bit" not in buttons
    buttons[button].click()
    qtbot.waitUntil(lambda: "B" in running.bench.models.cards)
    assert engine.requests(LoadModel)[-1] == LoadModel("B", CACHED.id, way)
    assert (actions.device, actions.dtype) == ("cpu", "float32"), "for this load alone"


def facts(qtbot, checkpoint, card=None):
    details = checkpoint_details.CheckpointDetails()
    qtbot.addWidget(details)
    details.show_checkpoint(checkpoint, card=card)
    lines = details.toPlainText().splitlines()
    return dict(itertools.pairwise(lines))


@pytest.mark.parametrize(
    ("free", "told"),
    [
        (500, "500 MB"),
        (300, "300 MB: too little for float32; there is room for float16 or 8bit"),
        (140, "140 MB: too little for float32; there is room for 8bit or layers on the disk"),
        (20, "20.0 MB: too little for this model"),
    ],
)
def test_details_say_for_which_numbers_there_is_room(monkeypatch, qtbot, free, told):
    monkeypatch.setattr(checkpoint_details, "free_memory", lambda: free * 10**6)
    sizes = {"float32": 440 * 10**6, "float16": 220 * 10**6, "8bit": 139 * 10**6}
    offloaded = 139 * 10**6 if free < 200 else 400 * 10**6
    large = dataclasses.replace(CACHED, weights_bytes=sizes, offloaded_bytes=offloaded)
    assert facts(qtbot, large)["Free memory"] == told


def test_details_of_a_loaded_model_say_what_lies_on_the_disk(qtbot):
    card = dataclasses.replace(card_of(CACHED, "A", "cpu + disk"), disk_bytes=3_100_000)
    told = facts(qtbot, CACHED, card)
    assert told["Runs on"] == "cpu + disk as float32"
    assert told["On the disk now"] == "3.1 MB"
    assert "Free memory" not in told
