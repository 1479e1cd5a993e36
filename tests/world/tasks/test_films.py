"""Labelled texts of films: their labels follow from the grammar, and the exact answer adds up."""

import collections
import functools
import itertools
import math

import pytest

from explorer.world.korean.grammar import korean_world
from explorer.world.tasks.films import (
    CONTRADICTED,
    ENTAILED,
    NEGATIVE,
    POSITIVE,
    TaskText,
    best_reading,
    exact_sentiment,
    inference,
    paraphrase,
    sentiment,
    task_texts,
    whole_review,
)


@pytest.mark.parametrize("world", [None, korean_world()], ids=["English", "Korean"])
def test_exact_answers_add_up_and_are_what_is_drawn(world):
    exact = exact_sentiment(world)
    assert sum(sum(one.values()) for one in exact.values()) == pytest.approx(1.0)
    draw = functools.partial(sentiment, world=world)
    drawn = collections.Counter(
        (one.text, one.label) for one in itertools.islice(task_texts(draw, 5), 4000)
    )
    for (text, label), count in drawn.most_common(5):
        share = exact[text][label]
        assert count / 4000 == pytest.approx(share, abs=4 * math.sqrt(share / 4000))


def test_the_best_reader_says_what_is_likelier():
    told = exact_sentiment()["It was sad."]
    share = told[NEGATIVE] / sum(told.values())
    assert 0.5 < share < 1
    texts = [TaskText("It was sad.", None, label) for label in (NEGATIVE, NEGATIVE, POSITIVE)]
    right, lost = best_reading(texts)
    assert right == pytest.approx(2 / 3)
    assert lost == pytest.approx(-(2 * math.log(share) + math.log(1 - share)) / 3)


@pytest.mark.parametrize("draw", [inference, paraphrase])
def test_every_label_is_drawn_and_pairs_are_two_sentences(draw):
    drawn = list(itertools.islice(task_texts(draw, 1), 300))
    assert len({one.label for one in drawn}) == (3 if draw is inference else 2)
    assert all(one.text.endswith(".") and one.pair.endswith(".") for one in drawn)
    assert drawn == list(itertools.islice(task_texts(draw, 1), 300))


def test_what_follows_has_the_same_verdict_on_the_same_film():
    bad = ("hated", "did not")
    for one in itertools.islice(task_texts(inference, 2), 400):
        same = any(word in one.text for word in bad) == any(word in one.pair for word in bad)
        assert {ENTAILED: same, CONTRADICTED: not same}.get(one.label, True), one


def test_one_text_in_five_is_withheld_by_its_words_alone():
    texts = [TaskText(text, None, POSITIVE) for text in exact_sentiment()]
    assert 0.15 < sum(one.is_withheld for one in texts) / len(texts) < 0.25
    assert (
        TaskText("It was fun.", None, "a").is_withheld
        == TaskText("it was fun.", None, "b").is_withheld
    )


def test_a_whole_review_has_the_label_of_its_verdict():
    english = itertools.islice(task_texts(whole_review, 3), 400)
    korean = itertools.islice(
        task_texts(functools.partial(whole_review, world=korean_world()), 3), 400
    )
    bad = ("hated", "did not", "싫어했다", "않았다")
    good = ("liked", "loved", "enjoyed", "좋아했다", "사랑했다", "즐겼다")
    told = 0
    for one in (*english, *korean):
        if any(word in one.text for word in bad):
            assert one.label == NEGATIVE
        elif any(word in one.text for word in good):
            assert one.label == POSITIVE
        else:
            told += 1
    assert 0 < told < 300, "some say what a film was like and no more"
