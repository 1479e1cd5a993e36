"""Masks that are drawn again and again, beside the predictor's own distributions."""

import torch

from explorer.api.family import BidirectionalPredictor, Context, Query
from explorer.hf.generate.gibbs import gibbs
from explorer.hf.generate.warping import Sampling
from tests.hf.kept import miniature

TEXT = "the chef [MASK] the [MASK] in the kitchen ."


def drawn(**how):
    model = miniature("bert-miniature")
    encoded = model.encode(TEXT)
    port = model.port(BidirectionalPredictor)
    return model, encoded, list(gibbs(port, encoded, 3, Context(), **how))


def test_every_mask_is_drawn_once_a_round_given_all_others():
    model, encoded, found = drawn(seed=3)
    assert [one.round for one in found] == [0, 0, 1, 1, 2, 2]
    standing = dict.fromkeys(range(2))
    for number in range(3):
        assert {one.mask for one in found if one.round == number} == {0, 1}
    for one in found:
        places = encoded.mask_positions
        pieces = {places[mask]: piece for mask, piece in standing.items() if piece is not None}
        pieces[places[one.mask]] = None
        query = Query(encoded, (places[one.mask],), pieces)
        row = model.port(BidirectionalPredictor).log_probabilities([query], Context())[0][0]
        assert torch.allclose(one.warped.logs, row, atol=1e-6)
        assert one.before == standing[one.mask]
        standing[one.mask] = one.id


def test_the_same_seed_draws_the_same_and_another_does_not():
    first, again, other = (
        [one.id for one in drawn(seed=seed, sampling=Sampling(temperature=2.0))[2]]
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_the_most_probable_is_taken_where_nothing_is_drawn_and_barred_pieces_never():
    _, _, found = drawn(greedy=True)
    assert all(one.id == int(one.warped.logs.argmax()) for one in found)
    barred = (found[0].id,)
    _, _, others = drawn(greedy=True, barred=barred)
    assert barred[0] not in {one.id for one in others}
