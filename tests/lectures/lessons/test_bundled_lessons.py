"""Every bundled lesson is played: what it says holds, and what it asks has its answer there."""

import re

import pytest

from explorer import lectures
from explorer.api.question import UserMistake
from explorer.lectures.claims.cells import names_of
from explorer.lectures.lessons.ask import AskKind, here_of, is_right, live_answer

LESSONS = lectures.lessons().scenes
NAMES = [lesson.name for lesson in LESSONS]
HANGUL = re.compile("[가-힣]")


@pytest.fixture(params=NAMES)
def lesson(request):
    return lectures.lessons().scene(request.param)


def test_there_are_six_of_twenty_minutes():
    assert len(LESSONS) == 6
    assert all(lesson.minutes == 20 for lesson in LESSONS)


def test_what_it_claims_holds_and_what_it_asks_has_its_answer(lesson, played, player):
    found = played(lesson)
    for number, step in enumerate(found.steps):
        assert not step.failures, (number, step.failures)
        assert step.claims, number
        assert all(one.holds for one in step.claims), (number, step.claims)
        asked = player.play_ask(found, number)
        assert asked is not None, number
        assert asked.holds, (number, asked)


def test_a_wrong_answer_is_not_taken(lesson, played, player):
    found = played(lesson)
    for number in lesson.asks:
        ask, asked = lesson.steps[number].ask, player.play_ask(found, number)
        match ask.kind:
            case AskKind.NUMBER:
                assert is_right(ask, str(asked.live), asked.live)
                for wrong in (
                    asked.live + 1.1 * ask.within + 0.01,
                    asked.live - 2 * ask.within - 1,
                ):
                    assert not is_right(ask, str(wrong), asked.live), number
            case AskKind.WORD:
                assert not is_right(ask, "xylophone", asked.live)
            case AskKind.CHOICE:
                places = range(len(ask.said("en").choices))
                assert sum(is_right(ask, str(one), asked.live) for one in places) == 1
            case AskKind.DO:
                assert (asked.done, asked.live) == (True, False), number


def test_every_answer_names_something_of_the_page(lesson):
    for number in lesson.asks:
        step = lesson.steps[number]
        nothing = names_of({}, []).with_field("here", here_of("", step.document()))
        with pytest.raises(UserMistake):
            live_answer(step.ask, nothing)


def test_it_guesses_tries_and_ends_with_now_you(lesson):
    asks = [step.ask for step in lesson.steps]
    assert all(asks), "each step asks something"
    assert any(one.first for one in asks), "something is guessed before it is shown"
    assert any(not one.first and one.kind is not AskKind.DO for one in asks)
    assert asks[-1].kind is AskKind.DO
    assert all(one.said("en").hints for one in asks if not one.first and one.kind is AskKind.DO)
    assert not asks[0].first, "something is there to begin with"


def test_it_speaks_english_and_korean(lesson):
    for number, step in enumerate(lesson.steps):
        english, korean = step.ask.words["en"], step.ask.words["ko"]
        assert HANGUL.search(korean.question), number
        assert len(english.choices) == len(korean.choices)
        assert len(english.hints) == len(korean.hints)
        assert bool(english.reveal) == bool(korean.reveal)
        assert len(step.look("en")) == len(step.look("ko")) > 0
        assert all(HANGUL.search(one) for one in step.look("ko"))
        for said in (*step.look("ko"), korean.question, *filter(None, [korean.reveal])):
            assert said.rstrip(")").endswith((".", "?", "요.)", "까?", "쓰세요")), said
