"""Cuts and draws, beside what transformers' `generate` does with the same settings."""

import pytest

from explorer.hf.generate.warping import (
    BARRED,
    MIN_P,
    TEMPERATURE,
    TOP_K,
    TOP_P,
    TYPICAL,
    Sampling,
    draw,
    warped,
)
from tests.hf.kept import miniature

VECTORS, PIECES = 1000, 60
SETTINGS = {
    "nothing": Sampling(),
    "temperature": Sampling(temperature=0.7),
    "top_k": Sampling(top_k=7),
    "top_p": Sampling(top_p=0.8),
    "min_p": Sampling(min_p=0.1),
    "typical": Sampling(typical_p=0.6),
    "all": Sampling(temperature=1.6, top_k=40, top_p=0.97, min_p=0.1, typical_p=0.8),
}


@pytest.fixture(scope="module")
def logits():
    import torch

    spread = torch.linspace(0.5, 6.0, VECTORS)[:, None]
    return torch.randn(VECTORS, PIECES, generator=torch.Generator().manual_seed(0)) * spread


def own(sampling):
    """The processors that `generate` makes of the same settings."""
    from transformers import GenerationConfig

    model = miniature("gpt2-miniature").module
    settings = GenerationConfig(
        do_sample=True,
        temperature=sampling.temperature,
        top_k=sampling.top_k,
        top_p=sampling.top_p,
        min_p=sampling.min_p or None,
        typical_p=sampling.typical_p,
    )
    return model._get_logits_processor(settings, input_ids_seq_length=1)


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_left_and_its_probabilities_are_transformers_own(name, logits):
    import torch

    sampling = SETTINGS[name]
    scores = own(sampling)(None, logits)
    expected = scores.softmax(-1)
    warpers = sampling.warpers()
    for row, score, shares in zip(logits, scores, expected, strict=True):
        found = warped(row, warpers)
        assert torch.equal(found.cut_by == 0, score.isfinite())
        assert float((found.shares - shares).abs().max()) < 1e-6
        assert float((found.logs.exp() - row.softmax(-1)).abs().max()) < 1e-6


def test_every_cut_is_told_of_the_first_that_made_it(logits):
    import torch

    sampling = SETTINGS["all"]
    names = [name for name, _ in sampling.warpers()]
    assert names == [TEMPERATURE, TOP_K, TOP_P, MIN_P, TYPICAL]
    cutting = set()
    for row in logits[::5]:
        found = warped(row, sampling.warpers())
        scores = row[None]
        for number, (_, apply) in enumerate(sampling.warpers(), start=1):
            before, scores = scores[0].isfinite(), apply(None, scores)
            gone = before & ~scores[0].isfinite()
            assert torch.equal(found.cut_by == number, gone)
            cutting |= {number} if bool(gone.any()) else set()
    assert cutting == {2, 3, 4, 5}  # a temperature cuts nothing


def test_the_order_changes_what_is_left(logits):
    """A temperature above one flattens before the nucleus is cut: more is left."""
    import torch

    hot, plain = Sampling(temperature=1.5, top_p=0.8), Sampling(top_p=0.8)
    left = [
        sum(int((warped(row, one.warpers()).cut_by == 0).sum()) for row in logits[:100])
        for one in (hot, plain)
    ]
    assert left[0] > left[1]
    assert torch.equal(
        warped(logits[0] / 1.5, plain.warpers()).shares, warped(logits[0], hot.warpers()).shares
    )


def test_barred_pieces_are_cut_before_all_others(logits):
    top = int(logits[0].argmax())
    found = warped(logits[0], Sampling(top_k=3).warpers(), barred=(top,))
    assert found.names == (BARRED, TOP_K)
    assert int(found.cut_by[top]) == 1
    assert int((found.cut_by == 0).sum()) == 3
    assert draw(found, None) != top


def test_draws_follow_the_shares_and_their_seeds(logits):
    import torch

    found = warped(logits[100], Sampling(top_p=0.9).warpers())
    drawn = [draw(found, (7, number)) for number in range(4000)]
    assert drawn == [draw(found, (7, number)) for number in range(4000)]
    counts = torch.bincount(torch.tensor(drawn), minlength=PIECES) / len(drawn)
    assert float((counts - found.shares).abs().max()) < 0.03
    assert not bool(counts[found.cut_by > 0].any())
    assert draw(found, None) == int(logits[100].argmax())
