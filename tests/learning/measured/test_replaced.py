import itertools
import math
import random
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from explorer.learning.measured.replaced import (
    ReplacedText,
    chances_replaced,
    detection_report,
    generator_draws,
    replace,
)
from explorer.world.exact.inside import ExactReader
from explorer.world.grammar import Grammar, RuleBook

WORDS = ("a", "b", "c")


def grammar():
    rules = RuleBook()

    @rules
    def document():
        return [(3.0, "a <rest a> a"), (2.0, "b <rest b> c"), (1.0, "b <rest a> a")]

    @rules
    def rest(kind):
        return [(2.0, "a b"), (1.0, "b c")] if kind == "a" else [(1.0, "c c"), (1.0, "a b")]

    return Grammar(rules)


def said(patterns):
    """Some generator: sure of other things for every pattern."""
    rows = []
    for pattern in patterns:
        rng = np.random.default_rng([WORDS.index(one) + 1 if one else 0 for one in pattern])
        rows.append(rng.dirichlet(np.ones(len(WORDS)), len(pattern)))
    return np.stack(rows)


@pytest.mark.parametrize("hidden", [1, 2])
def test_chances_equal_those_of_a_list_of_all_that_can_happen(hidden):
    world = grammar()
    reader = ExactReader(world)
    total: dict[tuple[str, ...], float] = {}
    replaced: dict[tuple[str, ...], list[float]] = {}
    for probability, text in world.derivations():
        for way in itertools.combinations(range(len(text)), hidden):
            pattern = [None if at in way else word for at, word in enumerate(text)]
            row = said([pattern])[0]
            for draws in itertools.product(WORDS, repeat=hidden):
                shown = list(text)
                weight = probability
                for at, word in zip(way, draws, strict=True):
                    shown[at] = word
                    weight *= row[at, WORDS.index(word)]
                key = tuple(shown)
                total[key] = total.get(key, 0.0) + weight
                sums = replaced.setdefault(key, [0.0] * len(text))
                for at, (one, other) in enumerate(zip(text, shown, strict=True)):
                    sums[at] += weight * (one != other)
    for shown, weight in total.items():
        found = chances_replaced(reader, shown, hidden, said, WORDS.index)
        assert found == pytest.approx([one / weight for one in replaced[shown]], abs=1e-12)


def test_what_cannot_have_been_a_text_is_refused():
    with pytest.raises(ValueError, match="No text"):
        chances_replaced(ExactReader(grammar()), ("c", "a", "c", "b"), 1, said, WORDS.index)


def test_a_generators_draws_are_where_masks_are(bert, tokenizer, text):
    reader = text.reader(tokenizer.tokenize)
    texts = text.held_out(60)
    found = replace(bert, tokenizer, reader, texts, seed=2, count=6)
    assert len(found) == 6
    assert found == replace(bert, tokenizer, reader, texts, seed=2, count=6)
    drawn = generator_draws(bert, tokenizer)([[None, "chef", "cooked"]])
    assert drawn.shape == (1, 3, len(tokenizer))
    assert drawn.sum(axis=-1) == pytest.approx(1.0)
    for one in found:
        assert len(one.pieces) <= 16
        assert sum(one.replaced) <= max(1, round(0.15 * len(one.pieces)))
        assert all(0.0 <= chance <= 1.0 for chance in one.chances)
        # What surely stood there was not replaced.
        assert not any(r and c == 0.0 for r, c in zip(one.replaced, one.chances, strict=True))
    expected = sum(map(sum, (one.chances for one in found)))
    assert sum(map(sum, (one.replaced for one in found))) == pytest.approx(expected, abs=2.5)


def test_who_knows_has_no_excess(tokenizer):
    rng = random.Random(1)
    pieces = tokenizer.tokenize("the chef cooked the soup .")
    chances = tuple(rng.uniform(0.05, 0.95) for _ in pieces)
    text = ReplacedText(tuple(pieces), (False,) * len(pieces), chances)
    logits = torch.tensor([[0.0, *(math.log(p / (1.0 - p)) for p in chances), 0.0]])
    best = detection_report(lambda input_ids: SimpleNamespace(logits=logits), tokenizer, [text])
    assert best.excess == pytest.approx(0.0, abs=1e-6)
    assert best.accuracy == pytest.approx(best.best_accuracy)
    plain = SimpleNamespace(logits=torch.full_like(logits, -3.0))
    other = detection_report(lambda input_ids: plain, tokenizer, [text])
    assert other.excess > 0.1
    assert other.accuracy == pytest.approx(1.0 - sum(chances) / len(chances), abs=1e-6)
