"""How many rows at once, on the CPU and on a simulated GPU with little memory."""

import pytest

from explorer.api.family import Context, Predictor, Query
from explorer.hf.predict.passes.batching import (
    CPU_TOKENS,
    FIRST_ROWS,
    Batches,
    copies_at_once,
    row_bytes,
)
from tests.hf import tiny
from tests.simulated_gpu import simulated_gpu

TEXT = "the cat sat on the mat ."
KB = 1024


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "bert")


def asked(model, count):
    """A sweep: one of the tokens is asked for again and again."""
    encoded = model.encode(TEXT, None, ())
    places = [n for n, token in enumerate(encoded.tokens) if not token.special]
    return [Query(encoded, (places[n % len(places)],)) for n in range(count)]


def read(model, count):
    rows = model.port(Predictor).log_probabilities(asked(model, count), Context())
    return [row[0].cpu() for row in rows]


def sizes(monkeypatch):
    """The rows of every batch that is run, filled while a test goes on."""
    found = []
    measured = Batches.measured

    def noted(self, rows):
        found.append(rows)
        return measured(self, rows)

    monkeypatch.setattr(Batches, "measured", noted)
    return found


def same(ours, theirs):
    return all(one.allclose(other, atol=1e-5) for one, other in zip(ours, theirs, strict=True))


def test_the_first_batch_on_a_gpu_measures_a_row_and_the_next_takes_what_fits(folder, monkeypatch):
    expected = read(tiny.load(folder), 100)
    with simulated_gpu() as gpu:
        model = tiny.load(folder, device="cuda")
        weights = gpu.allocated
        batches = sizes(monkeypatch)
        assert same(read(model, 100), expected)
        assert batches == [FIRST_ROWS, 100 - FIRST_ROWS], "all the rest fits"
        assert gpu.allocated == weights, "nothing of the batches is left"


def test_half_of_what_is_free_is_enough_for_a_batch(folder, monkeypatch):
    with simulated_gpu() as gpu:
        model = tiny.load(folder, device="cuda")
        batches = sizes(monkeypatch)
        gpu.memory = gpu.allocated + 2000 * KB
        gpu.reset_peak()
        read(model, 400)
        first = batches[1]
        assert FIRST_ROWS < first < 400 - FIRST_ROWS, "not all at once"
        assert gpu.peak <= gpu.memory


def test_a_batch_for_which_memory_is_short_comes_again_in_halves(folder, monkeypatch):
    expected = read(tiny.load(folder), 60)
    with simulated_gpu() as gpu:
        model = tiny.load(folder, device="cuda")
        weights = gpu.allocated
        # What is said to be free is another program's a moment later.
        monkeypatch.setattr("explorer.hf.predict.passes.batching.free_memory", lambda device: 10**9)
        gpu.memory = weights + 300 * KB
        batches = sizes(monkeypatch)
        assert same(read(model, 60), expected)
        assert batches[:3] == [FIRST_ROWS, 60 - FIRST_ROWS, (60 - FIRST_ROWS) // 2]
        assert gpu.at_empty_cache, "what lay ready was given back"
        assert max(gpu.at_empty_cache) < weights + 100 * KB, "and the batch that failed before that"


def test_a_row_for_which_memory_is_short_is_told_and_the_next_question_answered(folder):
    import torch

    with simulated_gpu() as gpu:
        model = tiny.load(folder, device="cuda")
        weights = gpu.allocated
        gpu.memory = weights + 4 * KB
        with pytest.raises(torch.OutOfMemoryError):
            read(model, 20)
        assert gpu.allocated == weights
        gpu.memory = weights + 500 * KB
        assert len(read(model, 3)) == 3


def test_apples_gpu_reads_again_in_halves_too(folder, monkeypatch):
    expected = read(tiny.load(folder), 60)
    with simulated_gpu("mps") as gpu:
        model = tiny.load(folder, device="mps")
        gpu.memory = gpu.allocated + 500 * KB
        batches = sizes(monkeypatch)
        assert same(read(model, 60), expected)
        assert batches[1] == batches[0] // 2


def test_the_cpu_takes_so_many_tokens_at_once(folder, monkeypatch):
    model = tiny.load(folder)
    length = len(model.encode(TEXT, None, ()).tokens)
    batches = sizes(monkeypatch)
    read(model, CPU_TOKENS // length + 5)
    assert batches == [CPU_TOKENS // length, 5]


def test_copies_for_gradients_take_every_layers_states(folder):
    with simulated_gpu() as gpu:
        model = tiny.load(folder, device="cuda")
        gpu.memory = gpu.allocated + 20 * row_bytes(model, 16)
        assert copies_at_once(model, 16, traced=False) == 5, "half of 20, twice the room for each"
        assert copies_at_once(model, 16, traced=True) == 2, "of a model of 3 layers"


def test_for_one_row_nothing_is_measured(folder, monkeypatch):
    model = tiny.load(folder)
    expected = read(model, 2)[:1]

    def free_memory(device):
        raise AssertionError("it was asked how much memory is free")

    monkeypatch.setattr("explorer.hf.predict.passes.batching.free_memory", free_memory)
    assert same(read(model, 1), expected)
    with pytest.raises(AssertionError):
        read(model, 2)
