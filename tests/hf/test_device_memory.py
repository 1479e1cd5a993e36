import subprocess
import sys

from explorer.hf.device_memory import free_memory, give_back, wait_for
from tests.simulated_gpu import simulated_gpu


def test_what_is_free_is_what_a_gpu_has_and_what_torch_keeps_of_it(monkeypatch):
    import torch

    with simulated_gpu(memory=1000) as gpu:
        held = torch.zeros(100, dtype=torch.uint8, device="cuda:0")
        assert free_memory("cuda:0") == gpu.free == 900
        monkeypatch.setattr(torch.cuda, "memory_reserved", lambda device: 150)
        assert free_memory("cuda:0") == 950, "50 lie ready"
        del held
        assert gpu.free == 1000


def test_an_apple_gpu_has_the_machines_memory():
    import psutil

    total = psutil.virtual_memory().total
    assert 0 < free_memory("mps") <= total
    assert 0 < free_memory("cpu") <= total


def test_every_kind_of_gpu_gives_back_what_lies_ready():
    for kind in ("cuda", "mps"):
        with simulated_gpu(kind) as gpu:
            give_back()
            assert gpu.at_empty_cache == [0], kind


def test_nothing_is_given_back_without_torch():
    code = (
        "import sys; from explorer.hf.device_memory import give_back; give_back();"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_device_that_was_asked_is_waited_for():
    with simulated_gpu() as gpu:
        wait_for("cuda:1")
        wait_for("cpu")
        assert gpu.waited_for == ["cuda:1"]
    with simulated_gpu("mps") as gpu:
        wait_for("mps")
        assert len(gpu.waited_for) == 1
