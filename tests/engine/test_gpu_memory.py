"""Two models on one simulated GPU, and what happens where it has too little memory."""

import gc

import pytest

from explorer.api.errors import is_out_of_memory
from explorer.api.family import Context, LoadOptions, MachineFault, NeedsRoom
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.hf.loading.memory import room
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.serialise import to_builtins
from tests.hf import tiny
from tests.questions.one_of_each import difference
from tests.simulated_gpu import simulated_gpu

TEXT = "the [MASK] sat"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return [tiny.save_bert(folder / f"bert-{seed}", seed=seed) for seed in (0, 1)]


@pytest.fixture
def runner(tmp_path):
    host = tiny.families()
    return Runner(host, Catalogue(host, tmp_path, tmp_path))


def load(runner, slot, folder, device="cuda"):
    return runner.load(slot, str(folder), LoadOptions(device=device), Context())


def filled(runner, slot="A"):
    answer = runner.ask(MaskedTokensRequest(TEXT), {"model": slot}, Context())
    return [(one.token, one.probability) for one in answer.masks[0].predictions]


def test_two_models_share_a_gpu_and_each_gives_its_own_memory_back(runner, folders):
    with simulated_gpu() as gpu:
        taken = []
        for slot, folder in zip("AB", folders, strict=True):
            before = gpu.allocated
            card = load(runner, slot, folder)
            taken.append(gpu.allocated - before)
            assert taken[-1] >= card.weights_bytes
        first, second = filled(runner, "A"), filled(runner, "B")
        assert first != second
        assert filled(runner, "A") == first, "neither disturbs the other"
        runner.unload("A")
        assert gpu.allocated == taken[1]
        assert filled(runner, "B") == second
        runner.unload("B")
        assert gpu.allocated == 0


@pytest.mark.parametrize("devices", [("cuda", "cpu"), ("cpu", "cuda")])
def test_a_model_on_the_gpu_is_compared_with_one_on_the_cpu(runner, folders, devices):
    roles = {"teacher": "A", "student": "B"}
    load(runner, "A", folders[0], "cpu")
    load(runner, "B", folders[1], "cpu")
    expected = runner.ask(SoftTargetsRequest(TEXT), roles, Context())
    with simulated_gpu():
        for slot, folder, device in zip("AB", folders, devices, strict=True):
            load(runner, slot, folder, device)
        answer = runner.ask(SoftTargetsRequest(TEXT), roles, Context())
        assert difference(to_builtins(answer), to_builtins(expected)) is None
        runner.unload("A")
        runner.unload("B")


def test_a_model_that_does_not_fit_is_refused_with_what_does(runner, folders, monkeypatch):
    with simulated_gpu() as gpu:
        card = load(runner, "A", folders[0])
        weights = gpu.allocated
        gpu.memory = weights + card.weights_bytes * 3 // 4
        monkeypatch.setattr(room, "can_quantise", lambda: True)
        with pytest.raises(NeedsRoom, match="cuda:0 has not enough free memory") as refused:
            load(runner, "B", folders[1])
        ways = str(refused.value.values["fitting"]).split(",")
        assert ways[0] == "float16"
        assert ways[-1] == "offload"
        assert gpu.allocated == weights


def test_one_whose_room_is_taken_meanwhile_is_given_up(runner, folders, monkeypatch):
    with simulated_gpu() as gpu:
        card = load(runner, "A", folders[0])
        before, weights = filled(runner), gpu.allocated
        gpu.memory = weights + card.weights_bytes // 2
        # It was there when it was looked for.
        monkeypatch.setattr(room, "free_memory", lambda _device, **_: 2**40)
        with pytest.raises(MachineFault, match="cuda:0 has not enough free memory") as refused:
            load(runner, "B", folders[1])
        assert "float16" in refused.value.hint
        assert is_out_of_memory(refused.value.__cause__)
        del refused
        gc.collect()
        assert gpu.allocated == weights, "the half that was there already is given back"
        gpu.memory = 8 * 2**30
        assert filled(runner) == before
        load(runner, "B", folders[1])


def test_an_answer_that_does_not_fit_is_told_and_leaves_nothing_behind(runner, folders):
    import torch

    with simulated_gpu() as gpu:
        load(runner, "A", folders[0])
        weights, plenty = gpu.allocated, gpu.memory
        expected = filled(runner)
        gpu.memory = weights + 2048
        with pytest.raises(torch.OutOfMemoryError):
            runner.ask(AttentionRequest("the cat sat on the mat ."), {"model": "A"}, Context())
        gc.collect()
        assert gpu.allocated == weights
        gpu.memory = plenty
        assert filled(runner) == expected
