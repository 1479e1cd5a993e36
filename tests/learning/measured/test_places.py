import math
from collections import Counter
from itertools import islice

import pytest

from explorer.learning.measured.places import next_places_by_rule, places_by_rule
from explorer.learning.texts.training_text import HeldOutText
from explorer.world.corpus import documents
from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import Grammar, Symbol
from explorer.world.small.grammar import rules
from explorer.world.small.rules import rules_in, rules_of
from tests.learning.measured.conftest import TEXTS, tokenizer_of

END = "[SEP]"


@pytest.mark.parametrize("language", TEXTS)
def test_every_rule_is_asked_and_weighs_what_it_writes(language):
    text = TEXTS[language]()
    tokenizer = tokenizer_of(text)
    held_out = text.held_out(60)
    places = places_by_rule(text.reader(tokenizer.tokenize), held_out, 1, each=6)
    seen = Counter(place.rule for place in places)
    assert set(seen) == set(rules_in(text.grammar))
    assert set(seen.values()) == {6}
    written: Counter[str] = Counter()
    for one in held_out:
        for word, rule in zip(one.words, one.rules, strict=True):
            written[rule] += len(tokenizer.tokenize(word))
    for rule, count in written.items():
        weight = sum(place.weight for place in places if place.rule == rule)
        assert weight == pytest.approx(count)
    for place in places:
        assert place.pieces[place.position] is None
        assert place.exact[place.truth] > 0.0
        assert math.fsum(place.exact.values()) == pytest.approx(1.0)
        assert place.pieces.count(None) == max(1, round(0.15 * len(place.pieces)))


def test_held_out_texts_are_not_in_the_training_draw(text):
    held_out = {one.words for one in text.held_out(200)}
    read = text.documents(0, 5)
    assert held_out.isdisjoint(read[place].words for place in range(2000))
    assert held_out.isdisjoint(one.words for one in text.documents(2000, 1))


def test_the_same_places_are_drawn_again(text, tokenizer):
    reader, held_out = text.reader(tokenizer.tokenize), text.held_out(40)
    first, second = (places_by_rule(reader, held_out, 7, each=2) for _ in range(2))
    assert first == second


def test_from_the_left_nothing_is_seen_behind_a_place(text, tokenizer):
    reader, held_out = text.reader(tokenizer.tokenize), text.held_out(40)
    for place in next_places_by_rule(reader, held_out, 1, each=4):
        assert place.position == len(place.pieces) - 1 > 0
        assert None not in place.pieces[:-1]
        assert place.pieces[place.position - 1] != "."
        assert place.exact[place.truth] > 0.0


def test_the_end_of_a_text_is_as_probable_as_a_list_of_all_texts_says():
    grammar = Grammar(rules)
    grammar.start = Symbol("story", ("chef", "soup", "past", "chef.she"))
    listed = list(grammar.derivations())
    drawn = list(islice(documents(2, grammar), 12))
    held_out = [HeldOutText(one.words, rules_of(one)) for one in drawn]
    places = next_places_by_rule(ExactReader(grammar), held_out, 1, each=200, end=END)
    ending = [one for one in places if END in one.exact]
    assert len(ending) >= 3
    assert all(one.pieces[:-1].count(".") == 2 for one in ending)
    assert all(math.fsum(one.exact.values()) == pytest.approx(1.0) for one in places)
    for place in ending:
        before = place.pieces[:-1]
        begun = [(p, words) for p, words in listed if words[: len(before)] == before]
        ends = sum(p for p, words in begun if len(words) == len(before))
        assert place.exact[END] == pytest.approx(ends / sum(p for p, _ in begun))
