"""The Korean world: its texts are Korean, the notes' own among them, and its answers are exact."""

import itertools
import math
import re

import pytest

from explorer.world.corpus import documents
from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import Symbol
from explorer.world.korean.grammar import FOUNDERS, korean_world
from explorer.world.korean.hangul import final_of
from explorer.world.korean.words import NOUNS

NOTES = (
    "일론 머스크는 테슬라의 Co-Founder이다 .",
    "나는 꽃을 심을 것이다 . 그래서 땅을 팠다 .",
    "나는 집을 지을 것이다 . 그래서 땅을 팠다 .",
    "나는 꽃을 심을 것이다 . 그래서 땅을 팠다 . 땅을 무엇으로 팠니 ? 모종삽으로 팠다 .",
    "나는 집을 지을 것이다 . 그래서 땅을 팠다 . 땅을 무엇으로 팠니 ? 포크레인으로 팠다 .",
    "나는 집을 지을 것이다 . 그래서 땅을 팠다 . 땅을 왜 팠니 ? 집을 짓기 위해 팠다 .",
    "나는 꽃을 심을 것이다 . 그래서 땅을 팠다 . 땅을 왜 팠니 ? 꽃을 심기 위해 팠다 .",
    "나는 어제 액션 영화를 보았다 . 재미있었다 .",
    "나는 어제 본 영화를 좋아했다 . 영화는 재미있었다 .",
)
"""What the lecture notes say in Korean, and their English examples in Korean."""


@pytest.fixture(scope="module")
def reader():
    return ExactReader(korean_world(), lambda word: (word,))


@pytest.fixture(scope="module")
def texts():
    return list(itertools.islice(documents(7, korean_world()), 3000))


@pytest.mark.parametrize("text", NOTES)
def test_the_notes_examples_are_texts_of_the_world(reader, text):
    assert reader.probability(text.split()) > 0.0


def exact(reader, text):
    words = [None if word == "[MASK]" else word for word in text.split()]
    return reader.posterior(words, words.index(None))


def test_what_is_dug_with_follows_from_the_purpose(reader):
    dug = "그래서 땅을 팠다 . 땅을 무엇으로 팠니 ? [MASK] 팠다 ."
    flowers = exact(reader, f"나는 꽃을 심을 것이다 . {dug}")
    house = exact(reader, f"나는 집을 지을 것이다 . {dug}")
    assert flowers == pytest.approx({"모종삽으로": 5 / 8, "삽으로": 3 / 8})
    assert house == pytest.approx({"포크레인으로": 5 / 7, "굴착기로": 2 / 7})


def test_a_first_name_and_a_last_name_go_together(reader):
    """The notes' example of two masks that are no independent choices."""
    first = exact(reader, "[MASK] 머스크는 테슬라의 Co-Founder이다 .")
    assert first == {"일론": pytest.approx(1.0)}
    open_first = exact(reader, "[MASK] [MASK] 테슬라의 Co-Founder이다 .")
    assert open_first == pytest.approx({"일론": 0.75, "마틴": 0.25})
    assert reader.probability(["일론", "주커버그는", "테슬라의", "Co-Founder이다", "."]) == 0.0
    assert all(len(people) == 2 for people in FOUNDERS.values())


def test_probabilities_of_a_symbol_add_up_and_are_met_as_often(reader, texts):
    shares = {}
    for probability, words in korean_world().derivations(Symbol("founder")):
        shares[words] = shares.get(words, 0.0) + probability
    assert math.fsum(shares.values()) == pytest.approx(1.0)
    told = [one.words for one in texts if one.kind == "founder"]
    best = max(shares, key=shares.__getitem__)
    found = sum(one == best for one in told) / len(told)
    assert found == pytest.approx(shares[best], abs=4 * math.sqrt(shares[best] / len(told)))


def test_particles_agree_with_the_sound_before_them(texts):
    """은, 이, 을 and 과 come after a final consonant, 는, 가 and 를 after a vowel."""
    closed, open_ = "은이을과", "는가를"
    seen = set()
    for word in {word for one in texts for word in one.words}:
        noun, particle = word[:-1], word[-1:]
        if noun in NOUNS.values() and particle in closed + open_:
            assert (final_of(noun) != 0) == (particle in closed), word
            seen.add(particle)
    assert seen == set(closed + open_)


def test_every_word_is_korean_but_the_notes_own(texts):
    foreign = {
        word for one in texts for word in one.words if not re.fullmatch(r"[가-힣]+|[.?,]", word)
    }
    assert foreign == {"Co-Founder이다", "Co-Founder는"}
