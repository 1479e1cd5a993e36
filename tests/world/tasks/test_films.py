"""Labelled texts of films: their labels follow from the grammar, and the exact answer adds up."""

import collections
import itertools
import math

import pytest

from explorer.world.tasks.films import (
    CONTRADICTED,
    ENTAILED,
    NEGATIVE,
    POSITIVE,
    TaskText,
    exact_sentiment,
    inference,
    loss_of_best,
    paraphrase,
    right_of_best,
    sentiment,
    task_texts,
)


def test_exact_answers_add_up_and_are_what_is_drawn():
    exact = exact_sentiment()
    assert sum(sum(one.values()) for one in exact.values()) == pytest.approx(1.0)
    drawn = collections.Counter(
        (one.text, one.label) for one in itertools.islice(task_texts(sentiment, 5), 4000)
    )
    for (text, label), count in drawn.most_common(5):
        share = exact[text][label]
        assert count / 4000 == pytest.approx(share, abs=4 * math.sqrt(share / 4000))


def test_the_best_reader_is_right_and_loses_as_bayes_says():
    texts = {"a": {POSITIVE: 0.3, NEGATIVE: 0.1}, "b": {POSITIVE: 0.0, NEGATIVE: 0.6}}
    assert right_of_best(texts) == pytest.approx(0.9)
    wanted = -(0.3 * math.log(0.75) + 0.1 * math.log(0.25))
    assert loss_of_best(texts) == pytest.approx(wanted)


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
