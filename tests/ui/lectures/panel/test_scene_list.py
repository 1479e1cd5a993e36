"""The lectures panel: scenes by chapter, whose steps bring models, text and page along."""

import dataclasses

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from explorer import lectures
from explorer.engine.messages import LoadModel
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.settings import Settings
from explorer.ui.lectures.scene_list import SCENE
from explorer.ui.window.menus.command_finder import CommandFinder
from tests.ui.fake_engine import CACHED, CATALOGUE, MINIATURE
from tests.ui.lectures.panel.scenes import (
    CONTROL,
    KEY,
    LEFT,
    click,
    open_panel,
    row_of,
    rows,
    said,
    shows,
    titles,
    told,
)

# ---- the list -----------------------------------------------------------------------------------


def test_the_panel_opens_by_its_key_from_the_finder_and_at_the_next_start(start, qtbot):
    first = start()
    QTest.keyClick(first.window, KEY.Key_K, CONTROL)
    finder = first.window.findChild(CommandFinder)
    qtbot.waitUntil(finder.isVisible)
    QTest.keyClicks(finder.field, "lectures")
    QTest.keyClick(finder.field, KEY.Key_Return)
    qtbot.waitUntil(first.window.lectures.isVisible)
    first.window.close()
    first.close()
    second = start().window
    assert second.lectures.isVisible()
    QTest.keyClick(second.lectures.list.search, KEY.Key_Escape)
    assert second.lecture_dock.isHidden()
    QTest.keyClick(second, KEY.Key_F12)
    qtbot.waitUntil(second.lectures.isVisible)


def test_the_panel_is_made_when_it_is_first_shown_and_tab_goes_through_it_in_its_place(start):
    window = start().window
    assert window.lectures.findChildren(QWidget) == []
    window.lecture_dock.show()
    chain, one = [], window.nextInFocusChain()
    while one is not window:
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus:
            chain.append(one)
        one = one.nextInFocusChain()
    names = [one.objectName() for one in chain]
    inside = ["lecture_menu", "scene_search", "scenes", "scene_library"]
    inside += ["ask_typed", "ask_check", "ask_hint", "ask_show", "scene_again"]
    inside += ["scene_back", "scene_next", "scene_present", "scene_leave"]
    at = names.index(inside[0])
    assert names[at : at + len(inside)] == inside
    assert names[at - 1] == "status_cancel"
    assert names.index("log_search") < at < names.index("dock_close")
    assert window.lectures.list.isVisible()
    assert window.lectures.hint.isVisible()


def test_the_bundled_lecture_is_open_at_first(start, qtbot):
    window = start().window
    open_panel(window, qtbot)
    assert lectures.bundled().scenes[0].title() in titles(window)
    assert window.lectures.name.text() == "Bundled lecture"


def test_scenes_stand_in_their_chapters_and_are_found_by_any_of_their_words(window, qtbot):
    everything = {
        "Masks": ["A mask has many answers"],
        "Two models": [
            "A second model stands beside the first",
            "A model that nobody has",
            "A model that is not here yet",
            "A question of a plugin",
        ],
    }
    assert rows(window) == everything
    assert window.lectures.name.text() == "my lecture"
    search = window.lectures.list.search
    for words, found in (
        ("devlin", ["A mask has many answers"]),
        ("답은", ["A mask has many answers"]),
        ("TWO nobody", ["A model that nobody has"]),
        ("masked tokens beside", ["A second model stands beside the first"]),
    ):
        search.setText(words)
        assert titles(window) == found
    QTest.keyClicks(search, "zzz")
    assert rows(window) == {}
    assert said(window, "no_scene") == "No scene has these words."
    search.clear()
    assert rows(window) == everything


def test_a_chapter_folds_and_a_search_looks_into_it(window):
    tree, search = window.lectures.list.tree, window.lectures.list.search
    heading = row_of(window, "first").parent()
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(heading).center())
    assert not tree.isExpanded(row_of(window, "first").parent())
    QTest.keyClicks(search, "many")
    assert tree.isExpanded(row_of(window, "first").parent())
    search.clear()
    assert not tree.isExpanded(row_of(window, "first").parent())
    assert tree.isExpanded(row_of(window, "second").parent())


def test_what_was_seen_is_marked_also_at_the_next_start(begin, qtbot):
    first = begin()
    assert told(first.window, "first") == "A mask has many answers"
    click(first.window, "first")
    assert told(first.window, "first") == "A mask has many answers, on screen"
    qtbot.waitUntil(shows(first, "The gardener dug the garden."))
    click(first.window, "unknown")
    assert told(first.window, "first") == "A mask has many answers, seen"
    seen = first.bench.settings_store.settings.scenes_seen
    first.window.close()
    first.close()
    second = begin(scenes_seen=seen)
    assert told(second.window, "first") == "A mask has many answers, seen"
    assert told(second.window, "second") == "A second model stands beside the first"


# ---- a scene ------------------------------------------------------------------------------------


def test_a_scene_comes_with_its_text_masks_options_and_page_in_one_step(
    window, running, engine, qtbot
):
    bench = running.bench
    before = bench.state.document
    window.view_area.bring_forward("tokens")
    steps = bench.state.stack.count()
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    assert window.status.currentMessage().startswith("Undo brings back your text")
    document = bench.state.document
    assert [document.text[one.start : one.end] for one in document.masks] == ["dug"]
    assert document.option("surprisal.unit") == "bits"
    assert window.view_area.current.question == "masked_tokens"
    assert window.view_of("masked_tokens").result.masks
    assert bench.state.stack.count() == steps + 1
    # What is loaded already is not loaded again.
    assert [one.checkpoint_id for one in engine.requests(LoadModel)] == [MINIATURE.id]
    window.menus.action("undo").trigger()
    assert bench.state.document == before
    assert window.lecture_actions.lecturing.was_changed


def test_the_scene_on_screen_says_what_to_look_at_and_where_that_is_from(window, running, qtbot):
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    assert said(window, "scene_title") == "A mask has many answers"
    assert said(window, "scene_step") == "Step 1 of 2"
    looks = [said(window, f"scene_look_{number}") for number in range(3)]
    assert looks == ["Look at the first bar.", "It is the longest.", "Others follow."]
    # The second one is marked as not looked up: a note to whoever writes scenes.
    assert said(window, "scene_sources") == "Source: Devlin et al. 2019, section 3.1"
    assert window.lectures.card.accessibleName() == "A mask has many answers"


def test_only_the_model_that_is_missing_is_loaded_and_the_old_text_is_not_asked_of_it(
    window, running, engine, qtbot
):
    engine.calls.clear()
    engine.held = {"load:"}
    click(window, "second")
    qtbot.waitUntil(lambda: said(window, "scene_loading").startswith("Loading BERT base"))
    assert running.bench.state.document.text.startswith("the chef cooked")
    engine.release("load:B")
    qtbot.waitUntil(shows(running, "The chef ate the meal."))
    assert [(one.slot, one.checkpoint_id) for one in engine.requests(LoadModel)] == [
        ("B", CACHED.id)
    ]
    assert running.bench.models.slots_of(MINIATURE.id) == ("A",)
    assert {one.text for one in engine.requests(MaskedTokensRequest)} == {"The chef ate the meal."}
    assert not said(window, "scene_loading")


def test_a_page_that_is_opened_while_models_load_stays_and_the_step_waits(
    window, running, engine, qtbot
):
    lecturing, area, own = window.lecture_actions.lecturing, window.view_area, running.bench.state
    before = own.document.text
    engine.calls.clear()
    engine.held = {"load:"}
    click(window, "second")
    qtbot.waitUntil(lambda: said(window, "scene_loading").startswith("Loading BERT base"))
    area.bring_forward("tokens")
    # It answers about the text of now, and does not wait for the models of the lesson.
    qtbot.waitUntil(lambda: window.view_of("tokens").document is not None)
    assert (window.view_of("tokens").document.text, area.opened) == (before, ["tokens"])
    engine.release("load:B")
    ready = "This step is ready: you opened another page."
    qtbot.waitUntil(lambda: said(window, "scene_changed") == ready)
    assert (own.document.text, area.opened) == (before, ["tokens"])
    # What that page answers is not the step's.
    area.bring_forward("masked_tokens")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert (lecturing.result, own.document.text) == (None, before)
    assert window.lectures.card.again.text() == "Show this step"
    area.bring_forward("tokens")
    window.lectures.card.again.click()
    qtbot.waitUntil(shows(running, "The chef ate the meal."))
    qtbot.waitUntil(lambda: lecturing.result is not None)
    assert area.opened == ["masked_tokens"]
    assert not window.lectures.card.again.isVisible()


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        ("gone", "The model somebody/secret-model is not in the library."),
        ("published", "BERT large, uncased is not on this computer."),
        ("unknown", "This program has no question “crystal_ball”"),
    ],
)
def test_what_is_missing_is_told_in_one_sentence_and_nothing_is_changed(
    window, running, qtbot, scene, sentence
):
    before, cards = running.bench.state.document, dict(running.bench.models.cards)
    click(window, scene)
    qtbot.waitUntil(lambda: said(window, "scene_problem").startswith(sentence))
    assert running.bench.state.document == before
    assert running.bench.models.cards == cards
    library = window.lectures.card.library
    assert library.isVisible() == (scene != "unknown")
    assert window.lectures.card.again.text() == "Try again"
    assert not window.lecture_actions.lecturing.is_seen(row_of(window, scene).data(SCENE))
    # The window answers as before.
    running.bench.edits.take_text("The teacher read a [MASK].", "another text")
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    assert window.view_of("masked_tokens").document.text == "The teacher read a [MASK]."


def test_a_model_that_can_not_be_loaded_is_told_of(start, folder, engine, qtbot):
    broken = dataclasses.replace(CACHED, problem="model.safetensors is cut off.", hint="Again.")
    engine.catalogue = tuple(broken if one.id == CACHED.id else one for one in CATALOGUE)
    running = start(Settings(lecture=str(folder)))
    open_panel(running.window, qtbot)
    click(running.window, "second")
    assert said(running.window, "scene_problem") == (
        "BERT base, uncased can't be loaded: model.safetensors is cut off."
    )


def test_a_load_that_fails_ends_in_a_sentence(window, running, engine, qtbot):
    from explorer.api.question import Blame, Failure

    engine.failures = {"load:": Failure(Blame.MACHINE, "There is no memory for it.", "Close some.")}
    click(window, "second")
    sentence = "BERT base, uncased was not loaded. There is no memory for it."
    qtbot.waitUntil(lambda: said(window, "scene_problem") == sentence)
    running.bench.edits.take_text("The teacher read a [MASK].", "another text")
    qtbot.waitUntil(shows(running, "The teacher read a [MASK]."))
    assert window.view_of("masked_tokens").document.text == "The teacher read a [MASK]."


def test_leaving_brings_back_the_text_the_page_and_the_models(start, folder, engine, qtbot):
    running = start(Settings(lecture=str(folder)))
    bench, window = running.bench, running.window
    bench.actions.load_by_id(CACHED.id, "A")
    qtbot.waitUntil(lambda: bench.models.slots_of(CACHED.id) == ("A",))
    window.view_area.bring_forward("tokens")
    qtbot.waitUntil(lambda: bench.asking.is_idle)
    before = bench.state.document
    open_panel(window, qtbot)
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    assert bench.models.slots_of(MINIATURE.id) == ("A",)
    QTest.keyClick(window, KEY.Key_PageDown)
    qtbot.waitUntil(shows(running, "The teacher read a book."))
    QTest.mouseClick(window.lectures.card.leave, LEFT)
    qtbot.waitUntil(lambda: bench.models.slots_of(CACHED.id) == ("A",))
    qtbot.waitUntil(shows(running, before.text))
    assert bench.state.document == before
    assert window.view_area.current.question == "tokens"
    assert not window.lectures.card.isVisible()
    assert "Undo" in said(window, "lectures_hint")


def test_the_scene_on_screen_stays_in_sight_when_its_card_takes_room(start, qtbot):
    window = start().window
    window.resize(1024, 700)
    open_panel(window, qtbot)
    lecturing, tree = window.lecture_actions.lecturing, window.lectures.list.tree
    lecturing.show(lecturing.lecture.scenes[4])
    qtbot.waitUntil(window.lectures.card.isVisible)

    def is_in_sight():
        box = tree.visualRect(tree.currentIndex())
        return box.isValid() and tree.viewport().rect().contains(box.center())

    qtbot.waitUntil(is_in_sight)
    assert tree.currentIndex().data(SCENE) == lecturing.lecture.scenes[4]
