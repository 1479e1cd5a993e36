"""A lesson from end to end: a real window, a real engine, and a beginner's guesses and mistakes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.journeys.acting import SLOW

LESSON = "lesson_2_prediction"


@pytest.fixture
def learner(running, qtbot):
    """Whoever takes a lesson: the lecture, its card, and what waits for the page."""
    window = running.window
    window.first_steps.take_lesson()
    lecturing = window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: lecturing.at is not None, timeout=SLOW)
    return Learner(window, lecturing, qtbot)


class Learner:
    """Reads the card, types, clicks, and waits until the page has answered."""

    def __init__(self, window, lecturing, qtbot):
        self.window, self.lecturing, self._qtbot = window, lecturing, qtbot
        self.card = window.lectures.card
        self.asking, self.ask = self.card.asking, self.card.ask

    def wait(self, is_so):
        self._qtbot.waitUntil(is_so, timeout=SLOW)

    def page_answers(self):
        self.wait(lambda: self.asking.live is not None)

    def types(self, text):
        self.ask.typed.setFocus()
        self.ask.typed.clear()
        QTest.keyClicks(self.ask.typed, text)
        QTest.keyClick(self.ask.typed, Qt.Key.Key_Return)

    def chooses(self, number):
        self.ask.choices[number].setChecked(True)
        QTest.mouseClick(self.ask.check, Qt.MouseButton.LeftButton)

    def goes_on(self):
        QTest.mouseClick(self.card.next, Qt.MouseButton.LeftButton)

    @property
    def looks(self):
        return [one.text() for one in self.card._looks]


def test_somebody_takes_a_lesson_and_comes_back_to_it(learner, running, qtbot):
    lecturing, card, ask = learner.lecturing, learner.card, learner.ask
    assert lecturing.at.scene.name == "lesson_1_token"
    lecturing.resume(lecturing.lecture.scene(LESSON))
    # A word: nothing, something wrong, a hint, and the right one.
    learner.page_answers()
    assert ask.isVisible()
    assert ask.typed.isVisible()
    assert not card.claim.isVisible(), "a claim would give the answer away"
    learner.types("")
    assert ask.problem.text() == "Write your answer first."
    learner.types("meal")
    assert "“meal” is not it." in ask.outcome.text()
    assert ask.typed.isVisible(), "it can be tried again"
    QTest.mouseClick(ask.hint, Qt.MouseButton.LeftButton)
    assert "longest bar" in ask.hints.text()
    learner.types(" Kitchen")
    assert ask.outcome.text().startswith("Right: Kitchen.")
    assert not ask.typed.isVisible()
    assert (lecturing.given.right, lecturing.given.hints) == (True, 1)
    # A guess: what is guessed about is not shown before.
    learner.goes_on()
    qtbot.waitUntil(lambda: lecturing.at.number == 1 and not lecturing.going.is_under_way)
    assert lecturing.is_guessing
    assert learner.looks == []
    asked = lecturing.at.step.ask.said().question
    running.window.lecture_actions.present.trigger()
    strip = running.window.findChild(QWidget, "scene_strip")
    learner.wait(strip.isVisible)
    assert (strip.look.text(), strip.claim.words.text()) == (asked, ""), "nor on the stage"
    running.window.lecture_actions.present.trigger()
    learner.wait(strip.isHidden)
    shown = running.bench.state.document
    assert [shown.text[one.start : one.end] for one in shown.masks] == ["kitchen"]
    learner.types("much")
    assert ask.problem.text() == "“much” is no number: write one as 12 or 0.5."
    learner.types("80 %")
    learner.wait(lambda: lecturing.given is not None and lecturing.given.right is False)
    assert ask.outcome.text().startswith("You guessed 80 %. It is 36.")
    assert len(learner.looks) == 2
    shown = running.bench.state.document
    assert [shown.text[one.start : one.end] for one in shown.masks] == ["meal"]
    # A sum, which is read off the page of now.
    learner.goes_on()
    learner.page_answers()
    best = running.window.view_of("masked_tokens").result.masks[0].predictions[:3]
    learner.types(f"{100 * sum(one.probability for one in best):.0f}")
    assert lecturing.given.right is True
    # A guess that is passed over, by going on.
    learner.goes_on()
    assert lecturing.is_guessing
    assert card.next.text() == "Show it"
    learner.goes_on()
    assert (lecturing.at.number, lecturing.given.shown) == (3, True)
    learner.page_answers()
    # What is to be done, in one's own words.
    lecturing.show(lecturing.at.scene, 7)
    learner.page_answers()
    assert learner.asking.live is False
    assert not learner.asking.is_over
    running.bench.edits.type_text("The chef cooked the telescope in the kitchen.", 0)
    learner.wait(lambda: learner.asking.is_over)
    assert ask.outcome.text().startswith("Done.")
    # Nothing is locked: any step can be gone to. And everything is kept.
    lecturing.show(lecturing.at.scene, 4)
    learner.page_answers()
    QTest.mouseClick(ask.show_answer, Qt.MouseButton.LeftButton)
    assert "0.265" in ask.outcome.text()
    answered = lecturing.answers.answered(lecturing.path, lecturing.at.scene)
    assert answered == 6
    settings = running.bench.settings_store.settings
    assert settings.lesson_steps[f"lessons#{LESSON}"] == 4
    lecturing.go_back()
    qtbot.waitUntil(lambda: lecturing.at is None)
    lecturing.resume(lecturing.lecture.scene(LESSON))
    assert lecturing.at.number == 4
    learner.page_answers()
    assert not ask.typed.isVisible()
    assert "0.265" in ask.outcome.text()
    lecturing.begin_anew()
    assert lecturing.at.number == 0
    assert lecturing.given is None
    assert lecturing.answers.answered(lecturing.path, lecturing.at.scene) == 0


def test_a_lesson_goes_on_where_it_was_left_at_the_next_start(open_window, qtbot, paths):
    first = open_window()
    first.window.first_steps.take_lesson()
    lecturing = first.window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: lecturing.at is not None, timeout=SLOW)
    asking = first.window.lectures.card.asking
    qtbot.waitUntil(lambda: asking.live is not None, timeout=SLOW)
    asking.answer("8")
    lecturing.step(1)
    first.close()
    again = open_window()
    again.window.first_steps.take_lesson()
    lecturing = again.window.lecture_actions.lecturing
    qtbot.waitUntil(lambda: lecturing.at is not None, timeout=SLOW)
    assert (lecturing.at.scene.name, lecturing.at.number) == ("lesson_1_token", 1)
    assert lecturing.is_guessing
    assert lecturing.answers.of("lessons", lecturing.at.scene, 0).right is True
