"""The benchmark of a GPU, on a simulated one: a small model, few sentences, no times."""

import pytest

from benchmarks import accelerator
from benchmarks.row import NotMeasured
from explorer.engine import runner
from tests.simulated_gpu import simulated_gpu

SMALL = {
    "num_hidden_layers": 2,
    "hidden_size": 32,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 64,
}


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Little of everything, as much as shows what is shown by more."""
    monkeypatch.setattr(accelerator, "TRAINED", ("bert-miniature",))
    monkeypatch.setattr(accelerator, "READ", 3)
    monkeypatch.setattr(accelerator, "SWEPT", 20)
    monkeypatch.setattr(accelerator, "LEFT", 3_000_000)
    monkeypatch.setattr(accelerator, "ROWS", 8)
    # What a load tries of a model is no row, and is tried in tests/hf.
    monkeypatch.setattr(runner, "keep_proved", lambda *_, **__: ())


@pytest.mark.parametrize("device", ["cuda", pytest.param("mps", marks=pytest.mark.costly), "cpu"])
def test_everything_is_measured_and_held(device):
    if device == "cpu":
        rows = list(accelerator.measured("cpu", 2, 1, **SMALL))
    else:
        with simulated_gpu(device):
            rows = list(accelerator.measured(device, 2, 1, **SMALL))
    times = {row.what.split()[0]: row for row in rows if not row.unit}
    assert set(times) == {"load", "fill", "sweep", "attentions", "two"}
    assert all(row.ours > 0 for row in times.values())
    if device != "cpu":
        assert all(row.theirs for row in times.values()), "against the CPU"
    held = [row for row in rows if row.unit]
    assert len(held) == len(accelerator.TOLERANCE) + 2
    assert all(row.holds for row in held), held
    exact, half, coarse = (row.ours for row in held[:3])
    assert exact < half < coarse
    assert "batches did not fit" in held[3].note
    assert "has not enough free memory for this model" in held[4].note


def test_without_a_gpu_the_page_says_so(monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(NotMeasured, match="no GPU was at hand"):
        accelerator.measure()
