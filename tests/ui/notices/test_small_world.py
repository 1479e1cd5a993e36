"""A miniature's world is said where a text leaves it, and how to get a model that knows more."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton

from explorer.api.family.checkpoint import Source
from explorer.settings import Settings
from explorer.ui.blocks.widget import accessible
from tests.ui.fake_engine import CATALOGUE, HUB, MINIATURE

FOREIGN = "The astronaut [MASK] a quiche in the microwave"
KEY = "small_world"
BERT = replace(
    HUB, id="google-bert/bert-base-uncased", title="BERT base, uncased", size_bytes=440_000_000
)
DISCRIMINATOR = replace(HUB, id="google/electra-small-discriminator", size_bytes=54_000_000)
GENERATOR = replace(HUB, id="google/electra-small-generator", size_bytes=46_000_000)


@pytest.fixture(autouse=True)
def of_the_small_world(engine):
    """The miniature says which world it knows, as the bundled one does."""
    of_hub = (BERT, DISCRIMINATOR, GENERATOR)
    rest = tuple(one for one in CATALOGUE[1:] if one.id != BERT.id)
    engine.catalogue = (replace(MINIATURE, world=("en",)), *of_hub, *rest)


def type_text(running, qtbot, text):
    running.bench.edits.type_text(text, 0)
    view = running.window.view_of("masked_tokens")
    qtbot.waitUntil(lambda: view.document is not None and view.document.text == text)


def said(running):
    texts = running.window.notices.texts
    return (
        texts[running.window.notices.keys.index(KEY)] if KEY in running.window.notices.keys else ""
    )


def button(running, name, kind=QToolButton):
    return running.window.findChild(QLabel, "notice_text").parent().findChild(kind, name)


def test_a_text_of_the_world_says_nothing(running, qtbot):
    type_text(running, qtbot, "The chef [MASK] the meal in the kitchen.")
    assert said(running) == ""


def test_new_words_are_counted_and_named(running, qtbot):
    type_text(running, qtbot, FOREIGN)
    assert said(running) == (
        "3 of your 7 words are new to this model, which knows a small made-up world."
    )
    tip = running.window.notices.findChild(QLabel, "notice_text").toolTip()
    assert tip == "astronaut, quiche, microwave"


def test_one_new_word_in_a_long_sentence_is_no_matter(running, qtbot):
    sentence = (
        "The chef [MASK] the meal in the kitchen and the baker baked the bread with a quiche."
    )
    type_text(running, qtbot, sentence)
    assert said(running) == ""


def test_a_typed_mask_is_no_new_word(running, qtbot):
    type_text(running, qtbot, "The [MASK] cooked the [MASK] in the [MASK].")
    assert said(running) == ""


def test_it_goes_with_the_words_and_comes_with_an_answer(running, qtbot, engine):
    type_text(running, qtbot, FOREIGN)
    assert said(running)
    type_text(running, qtbot, "The chef [MASK] the meal.")
    assert said(running) == ""
    engine.held.add("view:")
    running.bench.edits.type_text(f"{FOREIGN} .", 0)
    qtbot.waitUntil(lambda: "view:masked_tokens" in engine.waiting)
    assert said(running) == "", "said while the answer is not there yet"
    engine.held.clear()
    engine.release("view:masked_tokens")
    qtbot.waitUntil(lambda: said(running) != "")


def test_a_model_of_the_users_own_has_no_such_line(start, engine, qtbot):
    engine.catalogue = tuple(replace(one, world=()) for one in engine.catalogue)
    running = start()
    type_text(running, qtbot, FOREIGN)
    assert said(running) == ""


def test_another_model_takes_it_away(running, qtbot):
    type_text(running, qtbot, FOREIGN)
    assert said(running)
    pickled = running.bench.checkpoints.find("/home/me/old")
    running.bench.actions._load(pickled, "A", None, pickle=True)
    qtbot.waitUntil(lambda: running.bench.models.cards["A"].stamp.id == pickled.id)
    assert said(running) == ""


def test_put_away_it_does_not_come_back_for_these_words(start, qtbot, engine):
    running = start()
    type_text(running, qtbot, FOREIGN)
    running.window.notices.findChild(QToolButton, "notice_dismiss").click()
    assert said(running) == ""
    type_text(running, qtbot, f"{FOREIGN} .")
    assert said(running) == "", "the same new words again"
    kept = running.bench.settings_store.settings.new_words_told
    assert kept == ("astronaut", "quiche", "microwave")
    type_text(running, qtbot, FOREIGN.replace("quiche", "baguette"))
    assert said(running), "another new word is told of"
    running.close()
    again = start(Settings(new_words_told=kept))
    type_text(again, qtbot, FOREIGN)
    assert said(again) == "", "remembered over a start"


def test_a_page_that_reads_no_text_says_nothing_of_words(running, qtbot):
    running.window.view_area.bring_forward("architecture")
    running.bench.edits.type_text(FOREIGN, 0)
    qtbot.waitUntil(lambda: running.bench.asking.tokenising.is_idle)
    assert said(running) == ""


def test_its_buttons_open_the_samples_and_real_models(running, qtbot):
    type_text(running, qtbot, FOREIGN)
    button(running, "notice_action_0").click()
    menu = running.window.sentence.samples.menu()
    qtbot.waitUntil(menu.isVisible)
    menu.close()
    assert said(running), "the line stays while samples are looked at"
    button(running, "notice_action_1").click()
    dialog = running.window.findChild(object, "real_models")
    qtbot.waitUntil(dialog.isVisible)


def row_of(running, name):
    return running.window.findChild(object, f"real_model_{name}")


def get(row):
    return row.findChild(QPushButton, "real_model_get")


def state(row):
    return row.findChild(QLabel, "real_model_state").text()


def test_a_real_model_is_downloaded_with_one_click_and_loaded_with_another(running, qtbot, engine):
    running.window.commands.get_real_model()
    row = row_of(running, "bert-base-uncased")
    assert state(row) == "440 MB to download"
    engine.held.add("download:")
    get(row).click()
    assert get(row).isHidden()
    engine.progress(f"download:{BERT.id}", "Downloading", 44e6, 440e6)
    qtbot.waitUntil(lambda: "44.0 MB of 440" in state(row))
    engine.held.clear()
    engine.release(f"download:{BERT.id}")
    qtbot.waitUntil(lambda: running.bench.checkpoints.find(BERT.id).source is Source.CACHE)
    assert state(row) == "On this computer."
    assert get(row).text() == "Load"
    get(row).click()
    qtbot.waitUntil(lambda: running.bench.models.cards["A"].stamp.id == BERT.id)


def test_a_pair_is_fetched_as_a_pair(running, qtbot):
    running.window.commands.get_real_model()
    row = row_of(running, "electra-small-discriminator")
    assert state(row) == "100 MB to download"
    get(row).click()
    for one in (DISCRIMINATOR, GENERATOR):
        qtbot.waitUntil(
            lambda one=one: running.bench.checkpoints.find(one.id).source is Source.CACHE
        )
    assert get(row).text() == "Load"


def test_a_download_can_be_stopped_from_its_row(running, engine, qtbot):
    running.window.commands.get_real_model()
    row = row_of(running, "bert-base-uncased")
    engine.held.add("download:")
    get(row).click()
    row.findChild(QPushButton, "real_model_cancel").click()
    qtbot.waitUntil(lambda: state(row) == "440 MB to download")


def test_offline_the_dialog_says_so_and_opens_a_folder(start, engine, qtbot):
    why = "It is not on this machine, and the program is offline."
    engine.catalogue = tuple(
        replace(one, problem=why) if one.source is Source.HUB else one for one in engine.catalogue
    )
    running = start()
    running.window.commands.get_real_model()
    dialog = running.window.findChild(object, "real_models")
    assert "offline" in dialog.findChild(QLabel, "real_models_about").text()
    row = row_of(running, "bert-base-uncased")
    assert not get(row).isEnabled()
    assert state(row) == why
    dialog.findChild(QPushButton, "real_models_folder").click()
    asked = running.window.findChild(object, "file_dialog")
    assert asked is not None
    asked.close()


def test_a_screen_reader_says_it_once_as_it_appears(running, qtbot, monkeypatch):
    """Qt's own end is the only thing that is stood in for: nothing listens in a test."""
    heard = []
    listening = SimpleNamespace(
        isActive=lambda: True, updateAccessibility=lambda event: heard.append(event.message())
    )
    type_text(running, qtbot, "The chef [MASK] the meal.")
    monkeypatch.setattr(accessible, "QAccessible", listening)
    type_text(running, qtbot, FOREIGN)
    first = said(running)
    type_text(running, qtbot, f"{FOREIGN} and a vacuum")
    assert said(running) != first
    assert [words for words in heard if "made-up world" in words] == [first]
