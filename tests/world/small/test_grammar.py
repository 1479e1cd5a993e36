import math
from collections import Counter
from itertools import islice

import pytest

from explorer.world.corpus import documents as drawn
from explorer.world.corpus import sentence_words
from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import Grammar, Symbol
from explorer.world.small.grammar import rules, smallest_world
from explorer.world.small.korean import rules as korean_rules
from explorer.world.small.korean import smallest_world_in_korean
from explorer.world.small.rules import RULES, rules_in, rules_of
from explorer.world.small.tables import NAMES

LANGUAGES = {"English": smallest_world, "Korean": smallest_world_in_korean}
BOOKS = {"English": rules, "Korean": korean_rules}
both = pytest.mark.parametrize("language", LANGUAGES)


def one_story(language):
    """What one person does with one thing: few enough texts to list."""
    grammar = Grammar(BOOKS[language])
    grammar.start = Symbol("story", ("chef", "soup", "past", "chef.she"))
    return grammar


@both
def test_probabilities_of_all_texts_of_a_story_sum_to_one(language):
    assert math.fsum(p for p, _ in one_story(language).derivations()) == pytest.approx(1.0)


@both
def test_words_are_few_and_texts_are_two_or_three_sentences(language):
    grammar = LANGUAGES[language]()
    assert 80 <= len(grammar.words()) <= 150
    lengths = {
        len(list(sentence_words(document.words))) for document in islice(drawn(5, grammar), 500)
    }
    assert lengths == {2, 3}


@both
def test_the_exact_answer_equals_that_of_a_list_of_all_texts(language):
    grammar = one_story(language)
    listed = list(grammar.derivations())
    reader = ExactReader(grammar)
    for document in islice(drawn(3, grammar), 4):
        words = document.words
        for blank in range(0, len(words), 3):
            hidden = {blank, (blank + 4) % len(words)}
            pattern = [None if n in hidden else word for n, word in enumerate(words)]
            expected: Counter[str] = Counter()
            for probability, text in listed:
                if len(text) == len(words) and all(
                    seen in (None, word) for seen, word in zip(pattern, text, strict=True)
                ):
                    expected[text[blank]] += probability
            total = sum(expected.values())
            found = reader.posterior(pattern, blank)
            assert found == pytest.approx({w: p / total for w, p in expected.items()})
            assert math.fsum(found.values()) == pytest.approx(1.0)


@both
def test_counts_follow_the_exact_next_word(language):
    grammar, count = LANGUAGES[language](), 6000
    reader = ExactReader(grammar)
    expected = reader.posterior([None], 0, open_end=True)
    seen = Counter(document.words[0] for document in islice(drawn(7, grammar), count))
    assert set(seen) <= set(expected)
    for word, probability in expected.items():
        spread = math.sqrt(probability * (1 - probability) / count)
        assert seen[word] / count == pytest.approx(probability, abs=4.5 * spread)


@both
def test_every_rule_writes_words(language):
    grammar = LANGUAGES[language]()
    known = rules_in(grammar)
    assert set(RULES) - set(known) == (set() if language == "English" else {"agreement"})
    seen: Counter[str] = Counter()
    for document in islice(drawn(9, grammar), 400):
        assert len(rules_of(document)) == len(document.words)
        seen.update(rules_of(document))
    assert set(seen) == set(known)
    assert min(seen.values()) >= 20


def test_who_cooked_is_likely_and_not_certain():
    reader = ExactReader(smallest_world())
    found = reader.posterior(["the", None, "cooked", "the", "soup", "."], 1, open_end=True)
    alone = {word: p for word, p in found.items() if not word.endswith("s")}
    assert max(found.values()) == pytest.approx(found["chef"])
    assert alone["chef"] / sum(alone.values()) == pytest.approx(0.8)
    assert alone["gardener"] == pytest.approx(alone["painter"]) == pytest.approx(0.05)


def at_blank(told):
    """What may stand at the question mark of a beginning."""
    pattern = [None if one == "?" else one for one in told.split()]
    reader = ExactReader(smallest_world())
    return reader.posterior(pattern, pattern.index(None), open_end=True)


def test_pronouns_agree_with_the_name_before():
    for name, pronoun in NAMES.items():
        found = at_blank(f"{name} cooked the soup . then ? served it .")
        assert found == pytest.approx({pronoun: 2 / 3, name: 1 / 3})


def test_number_and_tense_agree():
    assert set(at_blank("Anna cooked the soup . the soup ? hot .")) == {"was"}
    assert set(at_blank("Anna cooked the beans . the beans ? hot .")) == {"were"}
    assert set(at_blank("Anna cooks the beans . the beans ? hot .")) == {"are"}
    assert set(at_blank("today the chefs ? the soup .")) == {"prepare", "cook", "serve"}
    assert set(at_blank("today the chef ? the soup .")) == {"prepares", "cooks", "serves"}


def test_what_follows_is_likely_and_not_certain():
    reader = ExactReader(smallest_world())
    pattern = ["Anna", "prepared", "the", "soup", ".", "she", None, "it", "."]
    found = reader.posterior(pattern, 6)
    assert set(found) == {"cooked", "served"}
    assert 0.75 < found["cooked"] < 0.95


def test_a_word_comes_again():
    reader = ExactReader(smallest_world())
    pattern = ["Anna", "planted", "the", "rose", ".", "she", "watered", "the", None, "."]
    assert reader.posterior(pattern, 8) == pytest.approx({"rose": 1.0})
    pattern = ["Anna", "planted", "the", None, ".", "she", "watered", "the", "beans", "."]
    assert reader.posterior(pattern, 3) == pytest.approx({"beans": 1.0})
