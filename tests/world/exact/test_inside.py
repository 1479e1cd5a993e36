import math

import pytest

from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import Grammar

# "a b" has two derivations on purpose; texts differ in length.
AMBIGUOUS = Grammar(
    {
        "document": lambda: [(2.0, "<x> <y>"), (1.0, "a b"), (1.0, "<x> <x> <y>")],
        "x": lambda: [(1.0, "a"), (2.0, "c"), (1.0, "c a")],
        "y": lambda: [(3.0, "b"), (1.0, "<x>")],
    }
)


def letters(word):
    return {"a": ("a", "##a"), "b": ("b",), "c": ("c", "##a")}[word]


def whole(word):
    return (word,)


def by_enumeration(pattern, split):
    total, at = 0.0, {}
    for probability, words in AMBIGUOUS.derivations():
        units = [unit for word in words for unit in split(word)]
        if len(units) == len(pattern) and all(
            seen in (None, unit) for seen, unit in zip(pattern, units, strict=True)
        ):
            total += probability
            for place, unit in enumerate(units):
                at.setdefault(place, {}).setdefault(unit, 0.0)
                at[place][unit] += probability
    return total, at


PATTERNS = [
    (("a", "b"), whole),
    ((None, "b"), whole),
    (("c", None, "b"), whole),
    ((None, None, None), whole),
    (("c", "a", None, "b"), whole),
    (("a", None, "b"), letters),
    ((None, "##a", None, "##a", "b"), letters),
]


@pytest.mark.parametrize(("pattern", "split"), PATTERNS)
def test_probability_and_posterior_equal_enumeration(pattern, split):
    reader = ExactReader(AMBIGUOUS, split)
    total, at = by_enumeration(pattern, split)
    assert total > 0.0
    assert reader.probability(pattern) == pytest.approx(total)
    for place, seen in enumerate(pattern):
        if seen is None:
            expected = {unit: p / total for unit, p in at[place].items()}
            assert reader.posterior(pattern, place) == pytest.approx(expected)


def test_all_texts_of_all_lengths_sum_to_one():
    reader = ExactReader(AMBIGUOUS)
    assert math.fsum(reader.probability([None] * n) for n in range(1, 8)) == pytest.approx(1.0)


def test_what_cannot_be_read_says_so():
    reader = ExactReader(AMBIGUOUS)
    assert reader.probability(("b", "a")) == 0.0
    with pytest.raises(ValueError, match="not blank"):
        reader.posterior(("a", "b"), 0)
    with pytest.raises(ValueError, match="No text"):
        reader.posterior(("b", None), 1)
