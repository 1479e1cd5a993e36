import pytest

from explorer.api.family import LoadOptions, UserMistake
from tests.hf import tiny


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.mark.parametrize(
    ("device", "words"),
    [
        ("gpu", '"gpu" is not a device'),
        ("cuda", "No CUDA device"),
        ("cuda:7", "CUDA device"),
        ("mps", "no Apple GPU"),
    ],
)
def test_devices_that_are_not_there(monkeypatch, folder, device, words):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(UserMistake, match=words) as caught:
        tiny.load(folder, device=device)
    assert "cpu" in caught.value.hint


def test_devices(monkeypatch):
    import torch

    from explorer.hf.loading.devices import resolve_device

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert [resolve_device(d) for d in ("auto", "cuda", "CUDA:1", "cpu")] == [
        "cuda:0",
        "cuda:0",
        "cuda:1",
        "cpu",
    ]
    with pytest.raises(UserMistake, match=r"no cuda:2.*end at cuda:1"):
        resolve_device("cuda:2")


def test_number_types(folder):
    import torch

    from explorer.api.family import Tensor
    from explorer.hf.loading.devices import resolve_dtype

    many = (1 << 28,)  # 1 GB as float32
    half = [Tensor(many, "F16", ""), Tensor((1,), "F16", ""), Tensor((1,), "I64", "")]
    assert resolve_dtype(LoadOptions(), "cuda:0", half[1:]) is torch.float32, "a small model"
    assert resolve_dtype(LoadOptions(), "cuda:0", half[:1]) is torch.float32, "just small"
    assert resolve_dtype(LoadOptions(), "cuda:0", half) is torch.float16
    assert resolve_dtype(LoadOptions(), "cpu", half) is torch.float32
    assert resolve_dtype(LoadOptions(dtype="bfloat16"), "cpu", half) is torch.bfloat16
    with pytest.raises(UserMistake, match="not a number type"):
        resolve_dtype(LoadOptions(dtype="int3"), "cpu", half)
