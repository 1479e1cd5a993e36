import math
import statistics
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from explorer.learning.measured.floors import compare
from explorer.learning.measured.predictions import predict_next
from explorer.pretraining.measures.evaluation import standing
from explorer.pretraining.measures.next_place import draw_next_places
from explorer.world.corpus import held_out_documents
from explorer.world.exact.inside import ExactReader
from explorer.world.exact.readers import exact_reader
from explorer.world.grammar import Grammar

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


def test_the_pieces_that_stand_there_are_asked_about_alone(places, tokenizer):
    logs = np.log(np.random.default_rng(0).dirichlet(np.ones(len(tokenizer)), len(places)))
    found = standing(tokenizer, places, logs)
    truths = [place.truth for place in places]
    numbers = tokenizer.convert_tokens_to_ids(truths)
    losses = [-row[number] for row, number in zip(logs, numbers, strict=True)]
    assert found.loss == pytest.approx(statistics.mean(losses))
    assert found.loss_error == pytest.approx(statistics.stdev(losses) / len(losses) ** 0.5)
    floors = [-math.log(place.exact[place.truth]) for place in places]
    assert found.floor == pytest.approx(statistics.mean(floors))
    likeliest = [max(place.exact.items(), key=lambda pair: pair[1])[0] for place in places]
    hits = [one == truth for one, truth in zip(likeliest, truths, strict=True)]
    assert found.best_accuracy == pytest.approx(statistics.mean(hits))
    assert found.accuracy == 0.0  # of 25 draws among 1,600
    # What is expected of all that could stand there is another number.
    assert compare(tokenizer, places, logs).loss != pytest.approx(found.loss, rel=1e-3)


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

    logs = predict_next(model, tokenizer, places)
    assert logs.shape == (len(places), len(tokenizer))
    found = compare(tokenizer, places, logs)
    assert found.loss == pytest.approx(math.log(len(tokenizer)))
    entropies = [-math.fsum(p * math.log(p) for p in place.exact.values()) for place in places]
    assert found.floor == pytest.approx(math.fsum(entropies) / len(places))
