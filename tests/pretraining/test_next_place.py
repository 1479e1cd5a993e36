import math
from types import SimpleNamespace

import pytest
import torch

from explorer.pretraining.next_place import draw_next_places, next_report, predict_next
from explorer.world.corpus import held_out_documents
from explorer.world.grammar import Grammar
from explorer.world.inside import ExactReader
from explorer.world.readers import exact_reader

SMALL = Grammar(
    {
        "document": lambda: [(2.0, "<x> <y>"), (1.0, "a b"), (1.0, "<x> <x> <y>")],
        "x": lambda: [(1.0, "a"), (2.0, "c"), (1.0, "c a")],
        "y": lambda: [(3.0, "b"), (1.0, "<x>")],
    }
)


@pytest.mark.parametrize("before", [(), ("a",), ("c",), ("c", "a"), ("c", "a", "c")])
def test_the_next_unit_equals_enumeration(before):
    expected = {}
    for probability, words in SMALL.derivations():
        if words[: len(before)] == before and len(words) > len(before):
            word = words[len(before)]
            expected[word] = expected.get(word, 0.0) + probability
    total = math.fsum(expected.values())
    found = ExactReader(SMALL).posterior((*before, None), len(before), open_end=True)
    assert found == pytest.approx({word: p / total for word, p in expected.items()})


def test_blanks_before_an_open_end_are_summed_out():
    expected = {}
    for probability, words in SMALL.derivations():
        if len(words) > 2 and words[1] == "a":
            expected[words[2]] = expected.get(words[2], 0.0) + probability
    total = math.fsum(expected.values())
    found = ExactReader(SMALL).posterior((None, "a", None), 2, open_end=True)
    assert found == pytest.approx({word: p / total for word, p in expected.items()})


@pytest.fixture(scope="module")
def places(tokenizer):
    return draw_next_places(exact_reader(tokenizer.tokenize), held_out_documents(25), seed=1)


def test_places_end_before_what_is_asked_for(places):
    for place in places:
        assert place.pieces[place.position] is None
        assert len(place.pieces) == place.position + 1
        assert None not in place.pieces[:-1]
        assert place.exact[place.truth] > 0.0
        assert math.fsum(place.exact.values()) == pytest.approx(1.0)


def test_a_uniform_model_loses_the_logarithm_of_its_vocabulary(places, tokenizer):
    def model(input_ids):
        return SimpleNamespace(logits=torch.zeros(*input_ids.shape, len(tokenizer)))

    assert predict_next(model, tokenizer, places).shape == (len(places), len(tokenizer))
    found = next_report(model, tokenizer, places)
    assert found.loss == pytest.approx(math.log(len(tokenizer)))
    entropies = [-math.fsum(p * math.log(p) for p in place.exact.values()) for place in places]
    assert found.floor == pytest.approx(math.fsum(entropies) / len(places))
