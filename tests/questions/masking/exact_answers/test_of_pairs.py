"""Exact answers about pairs of texts, beside the heads that judge them."""

import math

import numpy as np
import pytest

from explorer.api.question import Cancelled, Context, UserMistake
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.hf.predict.heads.tasks import NEXT_SENTENCE_LABELS, SENTENCE_ORDER_LABELS
from explorer.objectives.pairs.next_sentence import draw_pair
from explorer.objectives.pairs.sentence_order import draw_ordered_pair
from explorer.questions.masking.exact_answers.question import QUESTION
from explorer.questions.pairs.sentence_pair.question import SentencePairRequest
from explorer.questions.pairs.sentence_pair.wording import CLASSES
from explorer.world.corpus import documents
from tests.hf import tiny
from tests.hf.kept import miniature

pytest.importorskip("torch")

FIRST, SECOND = "The chef cooked the soup in the kitchen.", "He used a pan."


def ask(name, first=FIRST, second=SECOND):
    return tiny.ask(miniature(name), ExactAnswersRequest(first, second, about=About.PAIR))


def drawn(count, *, ordered):
    """Pairs as the miniatures' training draws them, of texts that it has not seen drawn."""
    stream, rng = documents(991), np.random.default_rng(3)
    found = []
    while len(found) < count:
        # A sentence is as good as a token for what draws pairs of them.
        one, other = next(stream).sentences, next(stream).sentences
        if len(one) > 1:
            numbered = [[n] for n in range(len(one))], [[-1 - n] for n in range(len(other))]
            pair = draw_ordered_pair(numbered[0], rng) if ordered else draw_pair(*numbered, rng)
            first, second = (
                " ".join(one[n] if n >= 0 else other[-1 - n] for n in part)
                for part in (pair.first, pair.second)
            )
            found.append((first, second, pair.label))
    return found


@pytest.mark.parametrize(
    ("name", "ordered"),
    [("bert-miniature", False), ("mobilebert-miniature", False), ("ib-bert-miniature", False),
     ("albert-miniature", True)],
)  # fmt: skip
def test_no_head_does_better_than_the_posterior_on_fresh_pairs(name, ordered):
    exact, own = [], []
    for first, second, label in drawn(24, ordered=ordered):
        (place,) = ask(name, first, second).places
        by_class = {one.id: one for one in place.words}
        assert sum(one.exact for one in place.words) == pytest.approx(1.0)
        assert sum(one.model for one in place.words) == pytest.approx(1.0)
        exact.append(-math.log(by_class[label].exact))
        own.append(-math.log(by_class[label].model))
    assert np.mean(exact) < np.mean(own)
    assert np.mean(exact) < 0.05


@pytest.mark.parametrize("name", ["bert-miniature", "albert-miniature"])
def test_the_models_side_is_what_its_head_says(name):
    (place,) = ask(name).places
    (judged,) = tiny.ask(miniature(name), SentencePairRequest(FIRST, SECOND)).judgements
    assert place.about is About.PAIR
    model = {one.token: one.model for one in place.words}
    said = dict(zip(judged.labels, judged.probabilities, strict=True))
    assert model == pytest.approx(said, abs=1e-6)
    logs = {one.token: math.log(one.model) for one in place.words}
    divergence = sum(
        one.exact * (math.log(one.exact) - logs[one.token]) for one in place.words if one.exact
    )
    assert place.divergence == pytest.approx(divergence, abs=1e-9)


def test_order_is_told_by_the_order():
    right, swapped = ask("albert-miniature"), ask("albert-miniature", SECOND, FIRST)
    for result, best in ((right, "right order"), (swapped, "swapped")):
        assert {one.token: one.exact for one in result.places[0].words}[best] == 1.0


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("The chef flew.", SECOND, "can't read “flew” there."),
        (FIRST, "He is a dog.", "can't read “dog” there."),
        ("The chef cooked", SECOND, "ends inside a sentence"),
        (FIRST, "It took him", "ends with the second one"),
        ("Ten minus four is six. The cat is red.", SECOND, "can't read “The” there."),
    ],
)
def test_a_pair_that_is_not_of_the_world_says_where_it_leaves_it(first, second, said):
    result = ask("bert-miniature", first, second)
    assert not result.places
    assert said in str(result.note)


def test_every_class_of_such_heads_has_words():
    assert set(CLASSES) == {*NEXT_SENTENCE_LABELS, *SENTENCE_ORDER_LABELS}


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(UserMistake):
        ask("bert-miniature", FIRST, None)


def test_it_can_be_stopped():
    request = ExactAnswersRequest(FIRST, SECOND, about=About.PAIR)
    with pytest.raises(Cancelled):
        QUESTION.run(miniature("bert-miniature"), request, Context(is_cancelled=lambda: True))
