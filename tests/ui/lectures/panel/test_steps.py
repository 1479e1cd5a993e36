"""Steps of a scene in the panel and in presenter mode: keys, claims."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from explorer import lectures
from explorer.settings import Settings
from explorer.ui.controls.gliding import Glide
from explorer.ui.lectures.claims.verdict import Verdict
from tests.ui.lectures.panel.scenes import (
    CONTROL,
    KEY,
    LEFT,
    click,
    open_panel,
    said,
    said_in,
    shows,
)

# ---- steps and keys -----------------------------------------------------------------------------


def test_one_key_goes_on_and_one_back_through_steps_and_scenes(window, running, qtbot):
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    QTest.keyClick(window.focusWidget(), KEY.Key_PageDown)
    qtbot.waitUntil(shows(running, "The teacher read a book."))
    assert said(window, "scene_step") == "Step 2 of 2"
    # An option of the step before is the next one's too.
    assert running.bench.state.document.option("surprisal.unit") == "bits"
    QTest.keyClick(window.focusWidget(), KEY.Key_PageDown)
    qtbot.waitUntil(shows(running, "The chef ate the meal."))
    assert said(window, "scene_title") == "A second model stands beside the first"
    for text in ("The teacher read a book.", "The gardener dug the garden."):
        QTest.keyClick(window.focusWidget(), KEY.Key_PageUp)
        qtbot.waitUntil(shows(running, text))
    assert not window.lectures.card.back.isEnabled()
    QTest.mouseClick(window.lectures.card.next, LEFT)
    qtbot.waitUntil(shows(running, "The teacher read a book."))


def test_a_card_that_scrolls_ends_where_its_words_end(window, running, qtbot):
    lecturing, card = window.lecture_actions.lecturing, window.lectures.card
    card.area.setMaximumHeight(60)
    inside = card.area.widget()

    def spare():
        shown = [one for one in inside.findChildren(QWidget) if one.isVisible()]
        ends = [one.mapTo(inside, one.rect().bottomLeft()).y() for one in shown]
        return inside.height() - 1 - max(ends)

    click(window, "first")
    qtbot.waitUntil(lambda: bool(said(window, "claim_words")))
    qtbot.waitUntil(lambda: spare() == inside.layout().contentsMargins().bottom())
    # A question, what came of a wrong answer, and hints.
    lecturing.show(lectures.lessons().scene("lesson_1_token"))
    card.ask.hint.click()
    card.ask.hint.click()
    qtbot.waitUntil(lambda: said(window, "ask_hints").count("Hint:") == 2)
    qtbot.waitUntil(lambda: spare() == inside.layout().contentsMargins().bottom())


def test_where_an_axis_was_is_said_between_settings_of_a_text_and_not_between_texts(
    window, running, qtbot
):
    lecturing = window.lecture_actions.lecturing
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    qtbot.waitUntil(lambda: lecturing.result is not None)
    glide = Glide(window.view_of("masked_tokens"))
    glide.begin()
    lecturing.show_again()
    assert lecturing.result is not None
    assert glide.is_told, "the same text at another setting is the same axis"
    lecturing.step(1)
    qtbot.waitUntil(shows(running, "The teacher read a book."))
    qtbot.waitUntil(lambda: lecturing.result is not None)
    assert not glide.is_told


def test_a_list_keeps_its_page_keys_and_another_key_works_there_too(window, running, qtbot):
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    tree = window.lectures.list.tree
    tree.setFocus()
    qtbot.waitUntil(tree.hasFocus)
    QTest.keyClick(tree, KEY.Key_PageDown)
    qtbot.wait(50)
    assert said(window, "scene_step") == "Step 1 of 2"
    QTest.keyClick(tree, KEY.Key_F4)
    qtbot.waitUntil(shows(running, "The teacher read a book."))
    tree.setFocus()
    QTest.keyClick(tree, KEY.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))


def test_a_long_text_keeps_its_page_keys_and_a_short_one_needs_none(window, running, qtbot):
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    editor = window.sentence.editors[0]
    QTest.keyClick(window, KEY.Key_T, CONTROL)
    qtbot.waitUntil(editor.hasFocus)
    QTest.keyClick(editor, KEY.Key_PageDown)
    qtbot.waitUntil(shows(running, "The teacher read a book."))
    running.bench.edits.take_text("a word " * 800, "a long text")
    QTest.keyClick(window, KEY.Key_T, CONTROL)
    qtbot.waitUntil(lambda: editor.hasFocus() and editor.verticalScrollBar().maximum() > 0)
    window.lecture_actions.refresh()
    QTest.keyClick(editor, KEY.Key_PageUp)
    qtbot.wait(50)
    assert said(window, "scene_step") == "Step 2 of 2"


def test_without_a_scene_on_screen_the_page_keys_are_the_windows(window, running, qtbot):
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    QTest.keyClick(window, KEY.Key_F12)
    qtbot.waitUntil(window.lecture_dock.isHidden)
    QTest.keyClick(window.view_of("masked_tokens").page, KEY.Key_PageDown)
    qtbot.wait(50)
    assert running.bench.state.document.text == "The gardener dug the garden."


# ---- claims -------------------------------------------------------------------------------------


def test_a_claim_is_judged_in_the_answer_on_screen(window, running, engine, qtbot):
    lecturing, card = window.lecture_actions.lecturing, window.lectures.card
    click(window, "first")
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS)
    assert said(window, "claim_words") == "The best word is cooked."
    assert "It holds in the answer on screen." in card.claim.accessibleName()
    # The same probability as in the step before, and not more.
    QTest.keyClick(window, KEY.Key_PageDown)
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.FAILS)
    assert "masks[0].predictions[0].probability = 0.5" in said(window, "claim_why")
    assert "It does not hold" in card.claim.accessibleName()


def test_a_claim_about_a_step_that_was_not_seen_says_so(window, running, qtbot):
    lecturing = window.lecture_actions.lecturing
    click(window, "second")
    qtbot.waitUntil(shows(running, "The chef ate the meal."))
    QTest.keyClick(window, KEY.Key_PageUp)
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.UNKNOWN)
    assert said(window, "claim_why") == (
        "It is compared with the steps before: go through them first."
    )


def test_what_the_user_changes_is_judged_and_the_scene_is_one_click_away(window, running, qtbot):
    lecturing, card = window.lecture_actions.lecturing, window.lectures.card
    click(window, "first")
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS)
    assert not card.again.isVisible()
    running.bench.edits.take_text("The gardener dug the garden.", "no mask")
    qtbot.waitUntil(lambda: lecturing.told.verdict is not Verdict.HOLDS)
    assert said(window, "scene_changed")
    QTest.mouseClick(card.again, LEFT)
    qtbot.waitUntil(lambda: lecturing.told.verdict is Verdict.HOLDS)
    assert not card.again.isVisible()


# ---- presenting ---------------------------------------------------------------------------------


def test_presenter_mode_says_what_to_look_at_and_takes_the_clickers_keys(window, running, qtbot):
    click(window, "first")
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    assert not window.strip.isVisible()
    QTest.mouseClick(window.lectures.card.present, LEFT)
    qtbot.waitUntil(window.isFullScreen)
    assert window.strip.isVisible()
    assert not window.lectures.isVisible()
    assert said_in(window.stage_title, "strip_title") == "A mask has many answers"
    assert said_in(window.stage_title, "strip_step") == "Step 1 of 2"
    assert said_in(window.strip, "strip_look") == "Look at the first bar."
    QTest.keyClick(window.focusWidget(), KEY.Key_PageDown)
    qtbot.waitUntil(shows(running, "The teacher read a book."))
    assert said_in(window.stage_title, "strip_step") == "Step 2 of 2"
    QTest.mouseClick(window.stage_title.back, LEFT)
    qtbot.waitUntil(shows(running, "The gardener dug the garden."))
    QTest.keyClick(window.focusWidget(), KEY.Key_Escape)
    qtbot.waitUntil(window.lectures.isVisible)
    assert not window.strip.isVisible()


def test_a_scene_waits_for_the_library_that_is_read_after_the_start(start, folder, engine, qtbot):
    engine.held = {"library"}
    running = start(Settings(lecture=str(folder)), wait=False)
    window = running.window
    qtbot.waitUntil(lambda: "A" in running.bench.models.cards)
    open_panel(window, qtbot)
    click(window, "second")
    qtbot.waitUntil(lambda: "library" in engine.waiting)
    assert said(window, "scene_loading") == "Reading the library…"
    assert window.lecture_actions.lecturing.problem == ""
    engine.release("library")
    qtbot.waitUntil(shows(running, "The chef ate the meal."))
    assert said(window, "scene_loading") == ""
