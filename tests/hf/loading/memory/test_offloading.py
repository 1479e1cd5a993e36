"""Layers on the disk: the same answers, and what can't be had so says why."""

import dataclasses
import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.api.family import (
    AttentionDecomposition,
    Cancelled,
    Context,
    LoadOptions,
    MachineFault,
    ModelStamp,
    NeedsRoom,
    Unavailable,
    UserMistake,
)
from explorer.api.question import Distribution
from explorer.engine.library.inspection import inspect_folder
from explorer.hf.loading import products
from explorer.hf.loading.memory import offloading, room
from explorer.hf.loading.memory.offloading import layers_of, outside_of
from explorer.hf.loading.memory.placement import Placement
from explorer.hf.loading.memory.weighing import weigh
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.attention.head_ablation.question import HeadAblationRequest
from explorer.questions.cause.attribution.question import AttributionRequest
from explorer.questions.cause.patching.question import PatchingRequest
from explorer.questions.layers.logit_lens.question import LogitLensRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[4] / "resources" / "models"
TEXT = "the chef cooked the [MASK] in the kitchen ."


@pytest.fixture
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for what is outside of the layers, and for none of them."""
    left = offloading.AROUND / offloading.SHARE
    monkeypatch.setattr(offloading, "free_memory", lambda _device: left)


def load(folder: Path, cache: Path | None = None, **options: Any) -> Any:
    files = inspect_folder(folder)
    family, _ = tiny.families().family_of(files)
    return family.load(str(folder), files, LoadOptions(**options), Context(cache=cache))


def same(found: Any, expected: Any) -> None:
    """Whether two answers are the same, whoever gave them: numbers but for their last bits.

    Weights lie at other addresses when they come from the disk, and where a row begins can decide
    in which order a processor sums it.
    """
    assert type(found) is type(expected)
    if isinstance(found, Distribution):
        same(found.values, expected.values)
    elif dataclasses.is_dataclass(found) and not isinstance(found, ModelStamp):
        for field in dataclasses.fields(found):
            same(getattr(found, field.name), getattr(expected, field.name))
    elif isinstance(found, tuple | list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif np.asarray(found).dtype.kind == "f":
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    elif not isinstance(found, ModelStamp):
        np.testing.assert_array_equal(found, expected)


def on_disk(name: str, cache: Path | None = None) -> Any:
    return load(MODELS / name, cache, device="offload")


def in_memory(name: str) -> Any:
    return load(MODELS / name, device="cpu")


def test_a_model_is_all_of_its_layers_and_what_is_outside() -> None:
    module = in_memory("bert-miniature").module
    layers, outside = layers_of(module), outside_of(module)
    assert set(layers) == {f"bert.encoder.layer.{n}" for n in range(len(layers))}
    paths = (*layers, *outside)
    for name, _ in (*module.named_parameters(), *module.named_buffers()):
        assert sum(name == path or name.startswith(f"{path}.") for path in paths) == 1, name


@pytest.mark.parametrize("name", ["bert-miniature", "gpt2-miniature", "deberta-v1-miniature"])
@pytest.mark.usefixtures("no_room")
def test_layers_on_the_disk_answer_the_same(name: str) -> None:
    model, other = on_disk(name), in_memory(name)
    assert model.stamp.device == "cpu + disk"
    assert (model.device, model.dtype) == ("cpu", "float32")
    assert model.report == other.report
    assert weigh(model.module).parameters == weigh(other.module).parameters
    layers = sum(p.numel() for one in layers_of(other.module).values() for p in one.parameters())
    assert weigh(model.module).on_disk == layers * 4
    text = TEXT if model.tokenizer.mask_token else TEXT.replace("[MASK]", "meal")
    for request in (LogitLensRequest(text), AttentionRequest(text), SurprisalRequest(text)):
        same(tiny.ask(model, request), tiny.ask(other, request))


@pytest.mark.skipif(not products.has_onednn(), reason="This PyTorch has no oneDNN.")
@pytest.mark.usefixtures("no_room")
@pytest.mark.parametrize("name", ["bert-miniature", "gpt2-miniature"])
def test_layers_that_are_fetched_multiply_by_the_same_library(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    from torch.profiler import ProfilerActivity, profile

    # As on a processor that is quicker with it, and with these small products too.
    monkeypatch.setattr(products, "is_quicker", lambda: True)
    monkeypatch.setattr(products, "WORTH", 0)
    request = SurprisalRequest(TEXT.replace("[MASK]", "meal"))
    taken = []
    for model in (on_disk(name), in_memory(name)):
        with profile(activities=[ProfilerActivity.CPU]) as seen:
            tiny.ask(model, request)
        counts = {one.key: one.count for one in seen.key_averages()}
        taken.append((counts["mkldnn::_linear_pointwise"], counts.get("aten::linear", 0)))
    assert taken[0] == taken[1]


@pytest.mark.usefixtures("no_room")
def test_heads_are_silenced_in_layers_on_the_disk() -> None:
    request = HeadAblationRequest(TEXT, every=True)
    model, other = on_disk("bert-miniature"), in_memory("bert-miniature")
    same(tiny.ask(model, request), tiny.ask(other, request))


@pytest.mark.usefixtures("no_room")
def test_gradients_are_refused_and_what_needs_none_is_answered() -> None:
    model, other = on_disk("bert-miniature"), in_memory("bert-miniature")
    with pytest.raises(UserMistake, match="need all layers in memory at once"):
        tiny.ask(model, AttributionRequest(TEXT, method="integrated_gradients"))
    request = AttributionRequest(TEXT, method="occlusion")
    same(tiny.ask(model, request), tiny.ask(other, request))
    patched = PatchingRequest(TEXT, swap=("chef > waiter",))
    found, expected = tiny.ask(model, patched), tiny.ask(other, patched)
    same(found.grids[0].effects, expected.grids[0].effects)
    assert expected.grids[0].first_order is not None
    assert found.grids[0].first_order is None
    assert "need all layers in memory" in found.note


@pytest.mark.usefixtures("no_room")
def test_weights_that_are_not_there_are_not_taken_apart() -> None:
    model = on_disk("deberta-v3-miniature")
    with pytest.raises(Unavailable, match="some of this model's are not in memory"):
        model.port(AttentionDecomposition)


@pytest.mark.usefixtures("no_room")
def test_the_layers_lie_in_the_cache_as_long_as_the_model(tmp_path: Path) -> None:
    left_over = tmp_path / "offload" / "plm-explorer-offload-4194305-killed"
    left_over.mkdir(parents=True)
    model = on_disk("bert-miniature", tmp_path)
    (folder,) = (tmp_path / "offload").iterdir()
    assert not left_over.exists(), "of a process that is gone"
    assert len(list(folder.iterdir())) > len(layers_of(model.module))
    del model
    gc.collect()
    assert not folder.exists()


@pytest.mark.usefixtures("no_room")
@pytest.mark.parametrize("looks", [30, 60, 90])
def test_a_cancelled_load_leaves_nothing(tmp_path: Path, looks: int) -> None:
    files = inspect_folder(MODELS / "bert-miniature")
    family, _ = tiny.families().family_of(files)
    asked = iter(range(looks))
    context = Context(is_cancelled=lambda: next(asked, None) is None, cache=tmp_path)
    with pytest.raises(Cancelled):
        family.load("bert", files, LoadOptions(device="offload"), context)
    gc.collect()
    assert list(tmp_path.glob("offload/*")) == []


def test_what_there_is_room_for_stays_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = in_memory("bert-miniature")
    layers = layers_of(whole.module).values()
    sizes = [sum(p.numel() * 4 for p in one.parameters()) for one in layers]
    outside = weigh(whole.module).in_memory - sum(sizes)
    # One layer, and room for another one to be fetched.
    free = (offloading.AROUND + outside + 2 * max(sizes) + 10_000) / offloading.SHARE
    monkeypatch.setattr(offloading, "free_memory", lambda _device: free)
    model = on_disk("bert-miniature")
    assert weigh(model.module).on_disk == sum(sizes[1:])
    request = MaskedTokensRequest(TEXT)
    same(tiny.ask(model, request), tiny.ask(whole, request))


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (1, ["cuda:0", "cuda:1", "cpu", "cpu"]),
        (0, ["cuda:0", "cpu", "disk", "disk"]),
    ],
)
def test_gpus_are_filled_first_then_memory_then_the_disk(
    monkeypatch: pytest.MonkeyPatch, second: int, expected: list[str]
) -> None:
    import torch

    module = in_memory("bert-miniature").module
    layers = layers_of(module)
    sizes = [sum(p.numel() * 4 for p in one.parameters()) for one in layers.values()]
    outside = weigh(module).in_memory - sum(sizes)
    # Room is left for the largest layer that is still to come, until there is none.
    free = {
        "cuda:0": outside + 2 * max(sizes),
        "cuda:1": second * sizes[1],
        "cpu": offloading.AROUND + 2 * max(sizes),
    }
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(
        offloading, "free_memory", lambda device: (free[device] + 10_000) / offloading.SHARE
    )
    placement = Placement("cuda:0", torch.float32, offload=True)
    places = offloading.places_of(module, placement)
    assert [places[path] for path in layers] == expected
    assert {places[path] for path in outside_of(module)} == {"cuda:0"}
    assert offloading.told(places, placement) == " + ".join(dict.fromkeys(expected))


def test_one_with_room_for_all_says_nothing_of_the_disk() -> None:
    assert on_disk("bert-miniature").stamp.device == "cpu"


def test_no_room_is_told_with_what_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    files = inspect_folder(MODELS / "bert-miniature")
    sizes = room.sizes_of(files.tensors, 4)
    takes = {
        "8bit": room.sizes_of(files.tensors, 4, bits=8).whole,
        "4bit": room.sizes_of(files.tensors, 4, bits=4).whole,
        "offload": sizes.offloaded,
    }
    assert max(takes.values()) < sizes.whole
    for free in takes.values():
        fitting = ",".join(way for way, size in takes.items() if size <= free)
        monkeypatch.setattr(room, "can_quantise", lambda: True)
        monkeypatch.setattr(room, "free_memory", lambda _device, free=free, **_: room.AROUND + free)
        with pytest.raises(NeedsRoom, match="not enough memory for bert-miniature") as refused:
            in_memory("bert-miniature")
        assert refused.value.values["fitting"] == fitting
        assert ("device offload" in refused.value.hint) == ("offload" in fitting)
    monkeypatch.setattr(room, "can_quantise", lambda: False)
    with pytest.raises(NeedsRoom) as refused:
        in_memory("bert-miniature")
    assert "bit" not in refused.value.hint.replace("bitsandbytes", "")
    monkeypatch.setattr(room, "free_memory", lambda _device, **_: room.AROUND + sizes.offloaded - 1)
    with pytest.raises(NeedsRoom) as refused:
        on_disk("bert-miniature")
    assert refused.value.values["fitting"] == ""


def test_the_estimate_is_what_a_model_takes() -> None:
    for name in ("bert-miniature", "gpt2-miniature", "deberta-v3-miniature", "t5-miniature"):
        files = inspect_folder(MODELS / name)
        assert room.sizes_of(files.tensors, 4).whole == pytest.approx(
            weigh(in_memory(name).module).in_memory, rel=0.01
        )


@pytest.mark.usefixtures("no_room")
def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(
        offloading.shutil, "disk_usage", lambda _folder: type("Usage", (), {"free": 1000})
    )
    with pytest.raises(MachineFault, match="not enough room on the disk"):
        on_disk("bert-miniature", tmp_path)
    assert list((tmp_path / "offload").iterdir()) == []
