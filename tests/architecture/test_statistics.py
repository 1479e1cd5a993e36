import numpy as np
import pytest
import torch
from torch import nn

from explorer.architecture import statistics
from explorer.architecture.statistics import (
    BINS,
    describe,
    pattern_of,
    statistics_of,
)


def test_the_numbers_are_torchs():
    generator = torch.Generator().manual_seed(3)
    weight = torch.randn(30, 50, generator=generator)
    weight[0, :7] = 0
    found = describe("w", weight)
    assert found.shape == (30, 50)
    assert found.dtype == "float32"
    assert found.mean == pytest.approx(weight.double().mean().item(), abs=1e-12)
    assert found.std == pytest.approx(weight.double().std(unbiased=False).item(), rel=1e-9)
    assert found.norm == pytest.approx(weight.double().norm().item(), rel=1e-9)
    assert (found.minimum, found.maximum) == (weight.min().item(), weight.max().item())
    assert found.zeros == 7
    counts, _ = np.histogram(
        weight.double().numpy(), bins=BINS, range=(found.minimum, found.maximum)
    )
    assert (found.counts == counts).all()
    assert found.counts.sum() == 1500


def test_in_pieces_it_is_the_same(monkeypatch):
    weight = torch.linspace(-2, 5, 1000).reshape(10, 100)
    whole = describe("w", weight)
    monkeypatch.setattr(statistics, "CHUNK", 37)
    pieces = describe("w", weight)
    assert (pieces.counts == whole.counts).all()
    assert pieces.mean == pytest.approx(whole.mean)
    assert pieces.norm == pytest.approx(whole.norm)


def test_all_the_same_number():
    found = describe("ones", torch.ones(8, dtype=torch.float16))
    assert (found.mean, found.std, found.minimum, found.maximum) == (1, 0, 1, 1)
    assert found.counts.sum() == 8


@pytest.mark.parametrize(
    ("path", "name", "fits"),
    [
        ("layer.*.attention", "layer.11.attention.query.weight", True),
        ("layer.*.attention", "layer.x.attention.query.weight", False),
        ("layer.1-3", "layer.2.norm.bias", True),
        ("layer.1-3", "layer.4.norm.bias", False),
        ("layer.1-3", "layer.12.norm.bias", False),
        ("lm_head", "lm_head.weight", True),
        ("lm_head", "lm_head_other.weight", False),
        ("a.b", "axb.weight", False),
    ],
)
def test_which_weights_a_path_means(path, name, fits):
    assert bool(pattern_of(path).match(name)) is fits


def test_only_what_was_asked_for_and_it_can_be_stopped():
    module = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.Linear(2, 2)})
    seen = statistics_of(module, "b", lambda: None)
    assert [one.name for one in seen] == ["b.weight", "b.bias"]

    def stop() -> None:
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        statistics_of(module, "a", stop)


def test_without_numbers_there_is_nothing_to_say():
    with torch.device("meta"):
        module = nn.Linear(2, 2)
    assert statistics_of(module, "weight", lambda: None) == ()
