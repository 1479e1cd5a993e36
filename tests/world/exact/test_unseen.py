"""What a word is worth to another one: sums over texts of the world, and the places shipped."""

import math
from itertools import islice

import pytest

from explorer.questions.cause.attribution_benchmark.places import KnownPlace, every_place
from explorer.world.corpus import held_out_documents, is_withheld, sentence_words
from explorer.world.exact.inside import ExactReader
from explorer.world.exact.unseen import LEAST, held_out_places, unseen
from explorer.world.scenes import small_world

WORDS = ("the", "chef", "cooked", "the", "meal", "in", "the", "kitchen", ".")
ASKED = WORDS.index("meal")


@pytest.fixture(scope="module")
def reader():
    return ExactReader(small_world())


@pytest.fixture(scope="module")
def chef(reader):
    return unseen(reader, WORDS, ASKED)


def test_a_hidden_word_is_summed_out(reader, chef):
    """By the law of total probability: over every word that may stand there, as seen from there."""
    at = WORDS.index("cooked")
    blank = [None if n in (at, ASKED) else word for n, word in enumerate(WORDS)]
    told = 0.0
    for word, chance in reader.posterior(blank, at).items():
        known = [word if n == at else one for n, one in enumerate(blank)]
        told += chance * reader.posterior(known, ASKED).get("meal", 0.0)
    seen = chef.log_probability
    assert chef.losses[at] == pytest.approx(seen - math.log(told), abs=1e-8)


def test_what_the_grammar_writes_in_any_case_is_worth_nothing(chef):
    assert chef.losses[ASKED] == 0.0
    assert chef.losses[-1] == 0.0
    # Some texts have "a meal" more often: who does not see "the" expects the word more.
    assert chef.losses[WORDS.index("the", 1)] < 0.0


def test_the_word_that_matters_is_the_one_of_the_largest_loss():
    sad = every_place()[2]
    assert (sad.words[sad.asked], sad.right) == ("hated", {sad.words.index("sad")})
    assert sad.largest == max(sad.losses) == pytest.approx(1.383737512)


def test_the_shipped_places_are_those_of_texts_that_nobody_was_trained_on():
    places = every_place()
    assert len(places) == 215
    assert len({one.words for one in places}) == len(places)
    held_out = {one.words for one in held_out_documents(1200)}
    for one in places:
        assert one.words in held_out
        start = 0
        for sentence in sentence_words(one.words):
            if start <= one.asked < start + len(sentence):
                assert is_withheld(sentence)
                assert one.asked > start
            start += len(sentence)
        assert one.words[one.asked].isalpha()
        assert one.largest > LEAST
        assert len(one.losses) == len(one.words)


def test_the_first_shipped_places_are_what_is_reckoned(reader):
    assert tuple(islice(held_out_places(reader), 2)) == every_place()[:2]


@pytest.mark.costly
@pytest.mark.timeout(3600)
def test_all_shipped_places_are_what_is_reckoned(reader):
    assert tuple(islice(held_out_places(reader), len(every_place()))) == every_place()


def test_words_stand_where_the_spelled_text_has_them():
    for one in every_place():
        place = KnownPlace.of(one)
        spelled = [place.word(n).lower() for n in range(len(place.words))]
        assert spelled == [word.lower() for word in one.words]
        assert place.text[place.words[-1][0] :] == one.words[-1]
        assert place.right == tuple(sorted(one.right))
