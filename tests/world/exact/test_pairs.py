"""Exact answers about pairs against an enumeration of how they are drawn, and against draws."""

import math
import random
import re
from collections import defaultdict

import numpy as np
import pytest

from explorer.objectives.pairs.next_sentence import draw_pair
from explorer.objectives.pairs.sentence_order import draw_ordered_pair
from explorer.world.corpus import documents, sentence_words
from explorer.world.exact import truth as module
from explorer.world.exact.pairs import Outside, PairTruth, follows, in_order
from explorer.world.exact.truth import Truth
from explorer.world.grammar import Grammar, RuleBook
from explorer.world.language.spelling import STYLES, surfaces

RULES = RuleBook()


@RULES
def document():
    return [
        (3.0, "<told chef> <then he>"),
        (2.0, "<told cook> <then he> <told chef>"),
        (1.0, "<told chef>"),
        (1.0, "it was good . <some>"),
        (1.0, "did he cook ? he cooked . it was good ."),
    ]


@RULES
def some():
    return [(2.0, "<then he>"), (1.0, "<then he> <then he>"), (1.0, "<told chef> it was good .")]


@RULES
def told(who):
    return [(1.0, f"the {who} cooked ."), (2.0, f"the {who} ate the soup .")]


@RULES
def then(who):
    return [(1.0, f"{who} cooked ."), (3.0, "it was good ."), (1.0, "the chef cooked .")]


def words_of(text):
    return re.findall(r"[.,?!]|[^\s.,?!]+", text.lower())


def small_letters(text):
    """Pieces that know spaces before marks, and no capitals; a text's first one has a space."""
    return re.findall(r" ?[.,?!]| [^\s.,?!]+", f" {text.lower()}".replace("  ", " "))


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(module, "small_world", lambda: Grammar(RULES))


def texts():
    """Every text as its sentences, with its probability."""
    found = defaultdict(float)
    for mass, words in Grammar(RULES).derivations():
        found[tuple(sentence_words(words))] += mass
    return found


def joined(sentences):
    return tuple(word for sentence in sentences for word in sentence)


def pairs_as_drawn():
    """P(first, second, second follows) of every pair, as `draw_pair` draws them."""
    every = texts()
    long = {one: mass for one, mass in every.items() if len(one) > 1}
    found = defaultdict(lambda: [0.0, 0.0])
    for one, mass in long.items():
        for cut in range(1, len(one)):
            drawn = mass / (len(one) - 1) / 2
            first = joined(one[:cut])
            found[first, joined(one[cut:])][0] += drawn
            for other, weight in every.items():
                for start in range(len(other)):
                    found[first, joined(other[start:])][1] += drawn * weight / len(other)
    return found


def orders_as_drawn():
    found = defaultdict(lambda: [0.0, 0.0])
    for one, mass in texts().items():
        for cut in range(1, len(one)):
            drawn = mass / (len(one) - 1) / 2
            first, second = joined(one[:cut]), joined(one[cut:])
            found[first, second][0] += drawn
            found[second, first][1] += drawn
    return found


def test_whether_the_second_follows_is_what_the_draws_of_all_pairs_say(small):
    truth = Truth(words_of)
    drawn = pairs_as_drawn()
    shares = [kept / (kept + other) for kept, other in drawn.values()]
    assert min(shares) == 0.0
    assert sum(0.0 < share < 1.0 for share in shares) > 20
    for (first, second), share in zip(drawn, shares, strict=True):
        assert follows(truth, first, second).probability == pytest.approx(share, rel=1e-9)


def test_whether_they_stand_in_order_is_what_the_draws_say(small):
    truth = Truth(words_of)
    drawn = orders_as_drawn()
    shares = [right / (right + wrong) for right, wrong in drawn.values()]
    assert {0.0, 1.0} < set(shares)
    for (first, second), share in zip(drawn, shares, strict=True):
        assert in_order(truth, first, second).probability == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize("style", STYLES)
def test_how_it_is_typed_says_nothing_of_an_order(small, style):
    """Pieces know spaces before marks; both parts are typed alike."""
    first, second = ("the", "chef", "cooked", "."), ("it", "was", "good", ".")
    share = in_order(Truth(words_of), first, second).probability
    assert 0.0 < share < 1.0
    shown = [" " + "".join(part).strip() for _, part in surfaces((*first, *second), style)]
    known = Truth(small_letters)
    one, other = (small_letters(part) for part in shown)
    assert in_order(known, one, other).probability == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("the chef flew .", "it was good .", PairTruth(None, Outside.FIRST, 2)),
        ("the chef ate", "it was good .", PairTruth(None, Outside.FIRST_OPEN)),
        ("the cook cooked . he cooked . the chef cooked .", "it was good .",
         PairTruth(None, Outside.FIRST_LAST)),
        ("the chef cooked .", "it was bad .", PairTruth(None, Outside.SECOND, 2)),
        ("the chef cooked .", "it was", PairTruth(None, Outside.SECOND_OPEN, 2)),
        ("the chef cooked .", "the cook cooked .", PairTruth(None, Outside.SECOND_OPEN, 4)),
    ],
)  # fmt: skip
def test_what_is_no_pair_of_the_world_says_why(small, first, second, said):
    assert follows(Truth(words_of), words_of(first), words_of(second)) == said


def test_two_texts_that_make_none_together_have_no_order(small):
    truth = Truth(words_of)
    first, second = words_of("the chef ate the soup ."), words_of("did he cook ?")
    assert in_order(truth, first, second) == PairTruth(None, Outside.NO_ORDER)
    assert in_order(truth, words_of("the chef flew ."), first).reach == 2


def test_it_can_be_stopped_anywhere_and_asked_again(small):
    class Stopped(Exception):
        pass

    asked = words_of("the chef cooked ."), words_of("it was good .")
    expected = follows(Truth(words_of), *asked)
    for steps in range(0, 20, 3):
        left = iter(range(steps))

        def stop(left=left):
            if next(left, None) is None:
                raise Stopped

        truth = Truth(words_of, stop)
        with pytest.raises(Stopped):
            follows(truth, *asked)
        with truth.checking(lambda: None):
            assert follows(truth, *asked) == expected


def drawn_pairs(count, ordered):
    """Pairs of the world's own texts, each with whether it was left as it is."""
    stream, rng = documents(77), np.random.default_rng(5)
    numbers = {}
    found = []
    while len(found) < count:
        one, other = (
            [
                [numbers.setdefault(word, len(numbers)) for word in part]
                for part in sentence_words(next(stream).words)
            ]
            for _ in range(2)
        )
        if len(one) > 1:
            pair = draw_ordered_pair(one, rng) if ordered else draw_pair(one, other, rng)
            by_number = list(numbers)
            first, second = ([by_number[n] for n in part] for part in (pair.first, pair.second))
            found.append((first, second, pair.label == 0))
    return found


def test_the_chances_of_small_world_pairs_come_true():
    """Log-loss on fresh pairs is the posterior's own entropy, within what chance allows."""
    truth = Truth(words_of)
    chances, kept = [], []
    for first, second, is_next in drawn_pairs(40, ordered=False):
        lower = ([word.lower() for word in part] for part in (first, second))
        chance = follows(truth, *lower).probability
        chances.append(chance)
        kept.append(is_next)
    p, came = np.array(chances), np.array(kept)
    assert p[came].min() > 0.5
    # The chance by which so many come true as would be expected.
    spread = math.sqrt(float((p * (1 - p)).sum())) + 1e-9
    assert abs(float((came - p).sum())) < 3 * spread + 1.0
    loss = -np.log(np.where(came, p, 1 - p)).mean()
    assert loss < 0.05


def test_small_draws_are_calibrated(small):
    """Of pairs whose exact chance lies in a tenth, as many follow as the mean of the chances."""
    truth = Truth(words_of)
    grammar, rng = Grammar(RULES), np.random.default_rng(3)
    drawer = random.Random(4)
    numbered = {
        word: n for n, word in enumerate(sorted({w for t in texts() for s in t for w in s}))
    }
    words = list(numbered)
    known, found = {}, []
    while len(found) < 3000:
        one, other = (
            [[numbered[word] for word in part] for part in sentence_words(tuple(node.words()))]
            for node in (grammar.sample(drawer), grammar.sample(drawer))
        )
        if len(one) > 1:
            pair = draw_pair(one, other, rng)
            if (pair.first, pair.second) not in known:
                texts_of = ([words[n] for n in part] for part in (pair.first, pair.second))
                known[pair.first, pair.second] = follows(truth, *texts_of).probability
            found.append((known[pair.first, pair.second], pair.label == 0))
    p, came = (np.array(one, dtype=float) for one in zip(*found, strict=True))
    for low in np.arange(0.0, 1.0, 0.2):
        here = (p >= low) & (p < low + 0.2)
        if here.sum() > 50:
            spread = math.sqrt(float((p[here] * (1 - p[here])).sum())) + 1e-9
            assert abs(float((came[here] - p[here]).sum())) < 3.5 * spread
