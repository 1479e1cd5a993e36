import math
import random

import pytest

from explorer.world.corpus import documents
from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import Grammar, GrammarError
from explorer.world.language.spelling import SpelledGrammar, as_typed, surface, surfaces
from explorer.world.scenes import small_world


def test_surfaces_joined_are_the_text():
    for _, document in zip(range(300), documents(3), strict=False):
        spelled = [word for _, shown in surfaces(document.words) for word in shown]
        assert "".join(spelled) == document.text


def test_the_spelled_grammar_draws_the_same_texts():
    plain, spelled = small_world(), SpelledGrammar(small_world())
    for seed in range(200):
        one, other = plain.sample(random.Random(seed)), spelled.sample(random.Random(seed))
        shown = [word for _, words in surfaces(tuple(one.words())) for word in words]
        assert list(other.words()) == shown
        assert spelled.log_probability(other) == pytest.approx(plain.log_probability(one))
    assert spelled.entropy() == pytest.approx(plain.entropy())


def test_a_text_is_as_probable_spelled_as_plain():
    plain, spelled = ExactReader(small_world()), ExactReader(SpelledGrammar(small_world()))
    for _, document in zip(range(5), documents(4), strict=False):
        shown = [word for _, words in surfaces(document.words) for word in words]
        blank = len(shown) // 2
        pattern = [None if i == blank else word for i, word in enumerate(document.words)]
        spelled_pattern = [None if i == blank else word for i, word in enumerate(shown)]
        expected = plain.posterior(pattern, blank)
        found = spelled.posterior(spelled_pattern, blank)
        assert math.fsum(found.values()) == pytest.approx(1.0)
        assert sorted(found.values()) == pytest.approx(sorted(expected.values()))


def test_where_a_word_stands_decides_its_surface():
    assert [surface("the", where) for where in ("^^", "^", "")] == ["The", " The", " the"]
    assert [surface(",", where) for where in ("^^", "^", "")] == [",", ",", ","]


def test_a_symbol_that_only_sometimes_ends_a_sentence_is_refused():
    grammar = Grammar(
        {"document": lambda: [(1.0, "<a> b .")], "a": lambda: [(1.0, "x ."), (1.0, "x")]}
    )
    with pytest.raises(GrammarError, match="some of its texts only"):
        SpelledGrammar(grammar).entropy()


def test_people_type_with_and_without_capitals_and_spaces():
    typed = []
    for number, document in zip(range(2000), documents(5), strict=False):
        parts = as_typed(number, document)
        text = "".join(parts)
        assert as_typed(number, document) == parts
        assert text.lower().replace(" ", "") == document.text.lower().replace(" ", "")
        assert all(part.startswith(" ") == bool(index) for index, part in enumerate(parts))
        typed.append((text[0].isupper() or document.words[0][0].isupper(), text.endswith(" .")))
    capital, apart = (sum(column) / len(typed) for column in zip(*typed, strict=True))
    assert capital == pytest.approx(0.8, abs=0.07)
    assert apart == pytest.approx(0.25, abs=0.04)
