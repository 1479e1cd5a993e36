"""What the world knows of a typed passage, against the derivations that drew it."""

import random

from explorer.world.corpus import documents
from explorer.world.tasks.passages import PassageTruth, Unread, truth_of_passage
from explorer.world.tasks.questions import QuestionWriter


def test_drawn_questions_are_read_back_from_text_alone():
    stream = documents(77)
    asker, rng = QuestionWriter([next(stream) for _ in range(800)]), random.Random(3)
    answers = []
    for _ in range(8):
        drawn = asker.draw(rng)
        assert truth_of_passage(drawn.text, drawn.passage) == PassageTruth(drawn.answers)
        answers.append(len(drawn.answers))
    assert {0, 1} <= set(answers)


def test_an_answer_that_is_told_twice_is_found_twice():
    passage = "The chef cooked the soup with a pan. He used an old pan."
    first, second = truth_of_passage("what did the chef use?", passage).spans
    assert [passage[slice(*one)] for one in (first, second)] == ["a pan", "an old pan"]


def test_what_is_none_says_why():
    who, told = "Who cooked the soup?", "The chef cooked the soup."
    assert truth_of_passage(who, told).spans == ((0, 8),)
    assert truth_of_passage(who, "The chef flew.") == PassageTruth((), Unread.WORD, (9, 13))
    assert truth_of_passage(who, "The chef cooked the").unread is Unread.OPEN
    assert truth_of_passage(who, "").unread is Unread.OPEN
    assert truth_of_passage("Who flew?", told).unread is Unread.UNASKED
