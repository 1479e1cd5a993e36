import math
import statistics
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from explorer.learning.measured.floors import compare
from explorer.learning.measured.places import EvaluatedPiece, draw_places
from explorer.learning.measured.predictions import predict
from explorer.pretraining.measures import evaluation
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader


@pytest.fixture(scope="module")
def reader(tokenizer):
    return exact_reader(tokenizer.tokenize)


@pytest.fixture(scope="module")
def places(reader):
    return draw_places(reader, held_out_documents(25), seed=1)


def test_what_stood_there_is_possible(places):
    for place in places:
        assert place.pieces[place.position] is None
        assert place.exact[place.truth] > 0.0
        assert math.fsum(place.exact.values()) == pytest.approx(1.0)


def test_more_masks_at_the_same_places_leave_more_open(reader, places):
    more = draw_places(reader, held_out_documents(25), seed=1, share=0.3)
    assert [place.position for place in more] == [place.position for place in places]
    assert sum(p.pieces.count(None) for p in more) > 2 * len(more)
    assert sum(p.entropy for p in more) > sum(p.entropy for p in places)


class Oracle:
    """Answers with the exact distribution of the place it is asked about."""

    def __init__(self, tokenizer, places):
        self.tokenizer = tokenizer
        self.known = {tuple(place.pieces): place for place in places}

    def __call__(self, input_ids):
        logits = torch.full((*input_ids.shape, len(self.tokenizer)), -60.0)
        for row, numbers in zip(logits, input_ids, strict=True):
            seen = self.tokenizer.convert_ids_to_tokens(numbers.tolist())[1:-1]
            masked = tuple(None if piece == "[MASK]" else piece for piece in seen)
            place = self.known[masked]
            for piece, probability in place.exact.items():
                number = self.tokenizer.convert_tokens_to_ids(piece)
                row[place.position + 1, number] = math.log(probability)
        return SimpleNamespace(logits=logits)


def test_the_error_of_a_loss_is_that_of_its_mean(tokenizer, places):
    logs = np.log(np.random.default_rng(1).dirichlet(np.ones(len(tokenizer)), len(places)))
    found = compare(tokenizer, places, logs)
    alone = [
        compare(tokenizer, [place], row[None]).loss for place, row in zip(places, logs, strict=True)
    ]
    assert found.loss_error == pytest.approx(statistics.stdev(alone) / len(alone) ** 0.5)
    assert found.told_loss == f"{found.loss:.3f} ± {found.loss_error:.3f}"


def test_nothing_is_better_than_the_floor_and_the_exact_distribution_reaches_it(tokenizer, places):
    report = evaluation.report(Oracle(tokenizer, places), tokenizer, places)
    assert report.loss == pytest.approx(report.floor, abs=1e-5)
    assert report.accuracy == pytest.approx(report.best_accuracy)

    def uniform(input_ids):
        return SimpleNamespace(logits=torch.zeros(*input_ids.shape, len(tokenizer)))

    worse = evaluation.report(uniform, tokenizer, places)
    assert worse.loss == pytest.approx(math.log(len(tokenizer)))
    assert worse.floor == report.floor


def test_entropy_of_a_place():
    place = EvaluatedPiece((None,), 0, "a", {"a": 0.5, "b": 0.25, "c": 0.25})
    assert place.entropy == pytest.approx(1.5 * math.log(2))


def test_prediction_rows_are_log_probabilities(tokenizer, places):
    rows = predict(Oracle(tokenizer, places), tokenizer, places)
    assert rows.shape == (len(places), len(tokenizer))
    assert np.exp(rows).sum(axis=1) == pytest.approx(1.0)
