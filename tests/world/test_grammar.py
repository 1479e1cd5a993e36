import math
import random
from collections import Counter

import pytest

from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import DerivationNode, Grammar, GrammarError, RuleBook, Symbol, spans
from explorer.world.scenes import DOCUMENT_KINDS, ENTITY_RULES, small_world


def small() -> Grammar:
    """Two people, agreement handed down as an argument, 2 x (1 + 3) x 2 texts."""
    rules = RuleBook()

    @rules
    def document():
        return [(3.0, "<told she>"), (1.0, "<told they>")]

    @rules
    def told(who):
        verb = "eats" if who == "she" else "eat"
        return [(2.0, f"{who} {verb} <noun> ."), (1.0, f"{who} {verb} <noun> and <noun> .")]

    @rules
    def noun():
        return [(0.7, "bread"), (0.2, "fish"), (0.1, "rice cake")]

    return Grammar(rules)


def test_entropy_equals_enumeration():
    grammar = small()
    listed = list(grammar.derivations())
    assert len(listed) == 2 * (3 + 9)
    assert math.fsum(p for p, _ in listed) == pytest.approx(1.0)
    assert len({words for _, words in listed}) == len(listed), "no text has two derivations"
    by_hand = -math.fsum(p * math.log(p) for p, _ in listed)
    assert grammar.entropy() == pytest.approx(by_hand, rel=1e-12)


def test_expected_words_equals_enumeration():
    grammar = small()
    by_hand = math.fsum(p * len(words) for p, words in grammar.derivations())
    assert grammar.expected_words() == pytest.approx(by_hand, rel=1e-12)


def test_samples_follow_the_probabilities():
    grammar, rng, count = small(), random.Random(3), 20_000
    seen = Counter(tuple(grammar.sample(rng).words()) for _ in range(count))
    for probability, words in grammar.derivations():
        spread = math.sqrt(probability * (1 - probability) / count)
        assert seen[words] / count == pytest.approx(probability, abs=5 * spread)


def test_log_probability_of_a_derivation():
    grammar = small()
    known = {words: p for p, words in grammar.derivations()}
    node = grammar.sample(random.Random(1))
    assert math.exp(grammar.log_probability(node)) == pytest.approx(known[tuple(node.words())])


def test_spans_are_word_ranges():
    tree = DerivationNode(
        Symbol("document"),
        0,
        ("the", DerivationNode(Symbol("noun", ("cat",)), 0, ("black", "cat")), "sleeps"),
    )
    (span,) = spans(tree, frozenset({"noun"}))
    assert (span.start, span.end, str(span.symbol)) == (1, 3, "<noun cat>")


def test_entities_of_a_document_are_found():
    rng = random.Random(4)
    for _ in range(200):
        node = small_world().sample(rng)
        words = tuple(node.words())
        for span in spans(node, ENTITY_RULES):
            assert 0 <= span.start < span.end <= len(words)
            if span.symbol.name == "noun":
                assert words[span.start : span.end] == span.symbol.args


@pytest.mark.parametrize(
    ("alternatives", "message"),
    [
        ([(1.0, "<nothing>")], "No rule is called"),
        ([], "needs alternatives"),
        ([(0.0, "word")], "needs alternatives"),
        ([(1.0, "a <document>")], "contains itself"),
    ],
)
def test_bad_rules_are_named(alternatives, message):
    grammar = Grammar({"document": lambda: alternatives})
    with pytest.raises(GrammarError, match=message):
        grammar.entropy()


def test_a_rule_cannot_be_defined_twice():
    rules = RuleBook()
    rules(small)
    with pytest.raises(GrammarError, match="twice"):
        rules(small)


def test_no_text_has_two_derivations_where_all_can_be_listed():
    """So the entropy of derivations is the entropy of texts."""
    grammar, seen, count = small_world(), set(), 0
    for _, text in DOCUMENT_KINDS:
        if text not in ("<work>", "<film_review>"):  # ten million texts and more
            for _, words in grammar.derivations(Symbol(text.strip("<>"))):
                seen.add(words)
                count += 1
    assert len(seen) == count > 90_000


def test_no_sampled_text_has_two_derivations():
    grammar, rng = small_world(), random.Random(9)
    reader = ExactReader(grammar)
    for _ in range(80):
        node = grammar.sample(rng)
        text = tuple(node.words())
        assert math.log(reader.probability(text)) == pytest.approx(grammar.log_probability(node))


def test_entropy_of_the_small_world_is_the_mean_surprise():
    grammar, rng, count = small_world(), random.Random(2), 4000
    surprises = [-grammar.log_probability(grammar.sample(rng)) for _ in range(count)]
    mean = math.fsum(surprises) / count
    spread = math.sqrt(math.fsum((s - mean) ** 2 for s in surprises) / count**2)
    assert grammar.entropy() == pytest.approx(mean, abs=5 * spread)
