"""What a step asks: read from its file, answered, checked on the answer of the page."""

from dataclasses import replace

import pytest

from explorer.api.question import UserMistake
from explorer.document import Document, Mask
from explorer.lectures.lessons.ask import (
    AskKind,
    AskWords,
    LessonAsk,
    here_of,
    is_right,
    live_answer,
    told_answer,
    typed_answer,
)
from explorer.lectures.scene_file import read_scene, scene_text

LESSON = """
minutes = 20
[en]
title = "Lesson"
[[steps]]
models = ["bert-miniature"]
question = "masked_tokens"
text = "The movie was fun."
masked = ["fun"]
[steps.ask]
kind = "number"
answer = "100 * masks[0].predictions[0].probability"
first = true
within = 5
unit = "%"
[steps.ask.en]
question = "How sure?"
hints = ["Not very."]
reveal = "It is {answer}."
[steps.ask.ko]
question = "얼마나?"
[[steps]]
[steps.ask]
kind = "do"
answer = "masks[0].predictions[0].probability > 0.9"
[steps.ask.en]
question = "Hide another word."
[steps.ask.solution]
masked = ["was"]
[[steps]]
"""
NUMBER = LessonAsk(AskKind.NUMBER, "x", within=1, unit="%", words={"en": AskWords("?")})
WORD = LessonAsk(AskKind.WORD, "x", words={"en": AskWords("?")})
CHOICE = LessonAsk(AskKind.CHOICE, "x", words={"en": AskWords("?", ("one", "two", "three"))})
DO = LessonAsk(AskKind.DO, "x", words={"en": AskWords("?")})


def read(text):
    return read_scene(text.encode("utf-8"), "some.toml")


def test_a_lesson_is_read_and_written_as_the_same():
    scene = read(LESSON)
    first, second, third = scene.steps
    assert (scene.minutes, scene.asks) == (20, (0, 1))
    assert first.ask == LessonAsk(
        AskKind.NUMBER,
        "100 * masks[0].predictions[0].probability",
        first=True,
        within=5,
        unit="%",
        words={
            "en": AskWords("How sure?", hints=("Not very.",), reveal="It is {answer}."),
            "ko": AskWords("얼마나?"),
        },
    )
    assert (first.solution, second.solution.masked, second.solution.text) == (
        None,
        ("was",),
        "The movie was fun.",
    )
    assert second.solution.ask is None
    # A question belongs to its step alone.
    assert (third.ask, third.solution, third.masked) == (None, None, ("fun",))
    assert replace(read(scene_text(scene)), name=scene.name) == scene


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "number"', 'kind = "guess"', "steps[0].ask.kind must be one of number, word"),
        ('kind = "number"', 'kind = "choice"', "steps[0].ask must have the same number of choices"),
        ('hints = ["Not very."]', 'hints = "no"', "steps[0].ask.en.hints must be a list"),
        ("within = 5", "around = 5", "no key steps[0].ask.around"),
        ("unit = ", "units = ", "no key steps[0].ask.units"),
        ('[steps.ask.solution]\nmasked = ["was"]', "", "steps[1].ask.solution is there for what"),
        ('masked = ["was"]', 'masked = ["is"]', "steps[1].ask.solution.masked can't be so"),
        ('kind = "do"', 'kind = "do"\nfirst = true', "what is to be done is done on the page"),
        ('kind = "do"', "kind = 1", "steps[1].ask.kind must be a text"),
    ],
)
def test_what_is_mistyped_is_told_with_its_key(old, new, said):
    with pytest.raises(UserMistake) as caught:
        read(LESSON.replace(old, new, 1))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("ask", "typed", "kept"),
    [
        (NUMBER, " 36,1 % ", "36.1"),
        (NUMBER, "204,800", "204800"),
        (NUMBER, "1 049 922", "1049922"),
        (NUMBER, "−3.48", "-3.48"),
        (NUMBER, ".5", ".5"),
        (WORD, " Kitchen ", "Kitchen"),
        (CHOICE, "2", "2"),
    ],
)
def test_what_is_typed_is_understood(ask, typed, kept):
    assert typed_answer(ask, typed) == kept


@pytest.mark.parametrize(
    ("ask", "typed", "said"),
    [
        (NUMBER, "", "Write your answer first."),
        (NUMBER, "a lot", "“a lot” is no number: write one as 12 or 0.5."),
        (NUMBER, "1e999", "is no number"),
        (NUMBER, "nan", "is no number"),
        (NUMBER, "1/3", "is no number"),
        (WORD, "  ", "Write your answer first."),
        (WORD, "x" * 300, "at most 200 characters"),
        (CHOICE, "", "Choose one of the answers first."),
        (CHOICE, "3", "Choose one of the answers first."),
        (CHOICE, "-1", "Choose one of the answers first."),
    ],
)
def test_what_is_no_answer_is_told_in_a_sentence(ask, typed, said):
    with pytest.raises(UserMistake) as caught:
        typed_answer(ask, typed)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("ask", "given", "live", "right"),
    [
        (NUMBER, "36", 36.9, True),
        (NUMBER, "38", 36.9, False),
        (NUMBER, "37", 36, True),
        (WORD, "Kitchen", "kitchen", True),
        (WORD, "“kitchen”", "##kitchen", True),
        (WORD, "한다", ["##한다", "x"], True),
        (WORD, "chef", "Ġkitchen", False),
        (CHOICE, "1", 1, True),
        (CHOICE, "1", 0, False),
        (DO, "", True, True),
        (DO, "", False, False),
    ],
)
def test_an_answer_is_checked_on_what_the_page_shows(ask, given, live, right):
    assert is_right(ask, given, live) is right


@pytest.mark.parametrize(
    ("ask", "value"),
    [
        (NUMBER, "'three'"),
        (NUMBER, "1 == 1"),
        (WORD, "3"),
        (WORD, "[]"),
        (CHOICE, "3"),
        (CHOICE, "1 == 1"),
        (DO, "1"),
        (NUMBER, "nothing_there"),
    ],
)
def test_an_expression_of_another_kind_answers_nothing(ask, value):
    with pytest.raises(UserMistake):
        live_answer(replace(ask, answer=value), {})


def test_an_answer_is_told_as_people_write_it(speak):
    assert told_answer(NUMBER, 36.1234) == "36.1 %"
    assert told_answer(NUMBER, 204800) == "204,800 %"
    assert told_answer(WORD, ["##soup", "x"]) == "soup"
    assert told_answer(CHOICE, 1) == told_answer(CHOICE, "1") == "two"


def test_what_is_on_screen_can_be_named():
    document = Document("The chef ate.", masks=(Mask(4, 8),)).with_option("attention.head", "1.2")
    here = here_of("attention", document)
    assert (here["text"], here["pair"], here["masked"]) == ("The chef ate.", "", ["chef"])
    assert here["options"]["head"] == "1.2"
    assert here["options"]["draw"] == "matrix", "an option that was never changed, too"
    assert here_of("no_such_question", document)["options"] == {}
