import json
import os
import shutil
import struct
import subprocess
import sys

import pytest

from explorer.api.family import CheckpointFault, Tensor, UserMistake
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.library.pickle_index import read_pickle_index
from tests.hf import tiny


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def folder(models):
    return tiny.save_bert(models / "bert")


@pytest.fixture(scope="module")
def expected(folder):
    """Shapes as the safetensors library reads them."""
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", "np") as file:
        return {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118


def copied(folder, to):
    shutil.copytree(folder, to)
    return to


def test_a_folder(folder, expected):
    files = inspect_folder(folder)
    assert {name: tensor.shape for name, tensor in files.tensors.items()} == expected
    assert {tensor.dtype for tensor in files.tensors.values()} == {"F32"}
    assert files.config["model_type"] == "bert"
    assert files.weight_files == ("model.safetensors",)
    assert files.size_bytes == (folder / "model.safetensors").stat().st_size
    assert files.tokenizer_files == ("tokenizer.json", "tokenizer_config.json")
    assert (files.pickled, files.name, files.folder) == (False, "bert", folder)


@pytest.mark.parametrize("name", ["config.json", "model.safetensors"])
def test_a_file_of_it_will_do(folder, name):
    assert inspect_folder(folder / name) == inspect_folder(folder)


def test_a_weight_file_of_another_name(models, folder):
    other = copied(folder, models / "renamed")
    (other / "model.safetensors").rename(other / "epoch-3.safetensors")
    files = inspect_folder(other / "epoch-3.safetensors")
    assert files.weight_files == ("epoch-3.safetensors",)
    assert not inspect_folder(other).weight_files


@pytest.mark.parametrize("parameters", [False, True])
def test_a_pickle_is_listed_without_being_run(models, expected, parameters):
    import torch

    folder = tiny.save_bert(models / f"pickled-{parameters}", pickled=True)
    if parameters:
        weights = {n: torch.nn.Parameter(t) for n, t in tiny.weights_of(tiny.bert_module()).items()}
        torch.save({"state_dict": weights, "step": 3}, folder / "pytorch_model.bin")
    files = inspect_folder(folder)
    assert files.pickled
    assert {name: tensor.shape for name, tensor in files.tensors.items()} == expected
    assert files.tensors["bert.pooler.dense.bias"] == Tensor((32,), "F32", "pytorch_model.bin")


def test_number_types_of_a_pickle(tmp_path):
    import torch

    kinds = {"F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64, "F32": torch.float32}
    path = tmp_path / "pytorch_model.bin"
    torch.save({name: torch.zeros(2, 3, dtype=kind) for name, kind in kinds.items()}, path)
    assert read_pickle_index(path) == {name: Tensor((2, 3), name, path.name) for name in kinds}


class _Runs:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_a_pickle_that_would_run_code(models, folder):
    import torch

    hostile = copied(folder, models / "hostile")
    (hostile / "model.safetensors").unlink()
    ran = models / "ran"
    torch.save({"x": torch.zeros(2), "y": _Runs(ran)}, hostile / "pytorch_model.bin")
    with pytest.raises(CheckpointFault, match=r"would run \w+\.mkdir"):
        inspect_folder(hostile)
    assert not ran.exists()


def test_an_old_pickle_keeps_its_secrets(models):
    import torch

    folder = tiny.save_bert(models / "old", pickled=True)
    torch.save(
        {"x": torch.zeros(2)},
        folder / "pytorch_model.bin",
        _use_new_zipfile_serialization=False,
    )
    files = inspect_folder(folder)
    assert (files.pickled, dict(files.tensors)) == (True, {})


def cut_header(content):
    return content[:50]


def cut_data(content):
    return content[:-10]


def no_json(content):
    return struct.pack("<Q", 20) + b"x" * 40


def wrong_offsets(content):
    header = json.dumps({"a": {"dtype": "F32", "shape": [2]}}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(8)


def not_weights(content):
    return b"<html>Not found</html>"


def pointer(content):
    return b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 440449768\n"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (cut_header, "cut short"),
        (cut_data, "cut short: it should hold"),
        (no_json, "damaged header"),
        (wrong_offsets, "damaged header"),
        (not_weights, "not a safetensors file"),
        (pointer, "only a pointer"),
        (lambda _: b"", "not a safetensors file"),
    ],
)
def test_damaged_safetensors(tmp_path, folder, damage, words):
    broken = copied(folder, tmp_path / "broken")
    path = broken / "model.safetensors"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CheckpointFault, match=words) as caught:
        inspect_folder(broken)
    assert caught.value.hint
    assert not inspect_folder(broken, weights=False).weight_files


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda content: content[: len(content) // 2], "cut short"),
        (lambda _: b"garbage", "not a PyTorch file"),
        (lambda _: b"", "not a PyTorch file"),
        (lambda content: content.replace(b"_rebuild_tensor_v2", b"_rebuild_tensor_v9"), "damaged"),
    ],
)
def test_damaged_pickles(tmp_path, damage, words):
    broken = tiny.save_bert(tmp_path / "broken", pickled=True)
    path = broken / "pytorch_model.bin"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CheckpointFault, match=words):
        inspect_folder(broken)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "not valid JSON"),
        ("[1, 2]", "does not describe a model"),
        ('"bert"', "does not describe a model"),
        ("[" * 100_000, "not valid JSON"),
    ],
)
def test_a_damaged_config(tmp_path, folder, content, words):
    broken = copied(folder, tmp_path / "broken")
    (broken / "config.json").write_text(content)
    with pytest.raises(CheckpointFault, match=words):
        inspect_folder(broken)


def test_weights_without_a_config(tmp_path, folder):
    broken = copied(folder, tmp_path / "broken")
    (broken / "config.json").unlink()
    with pytest.raises(CheckpointFault, match=r"no config\.json"):
        inspect_folder(broken)


def test_what_is_no_checkpoint_is_said_in_one_sentence(tmp_path):
    with pytest.raises(UserMistake, match="There is nothing at"):
        inspect_folder(tmp_path / "nowhere")
    (tmp_path / "holiday.jpg").write_bytes(b"x")
    with pytest.raises(UserMistake, match="holds no checkpoint"):
        inspect_folder(tmp_path)
    with pytest.raises(UserMistake, match="not part of a checkpoint"):
        inspect_folder(tmp_path / "holiday.jpg")


def test_a_bare_config(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    files = inspect_folder(tmp_path / "config.json")
    assert (files.weight_files, dict(files.tensors), files.size_bytes) == ((), {}, 0)


@pytest.mark.parametrize("name", ["tf_model.h5", "flax_model.msgpack", "bert.ckpt.index", "a.onnx"])
def test_foreign_weights(tmp_path, name):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(CheckpointFault, match="which can't be opened"):
        inspect_folder(tmp_path)


def shards(folder, to, names):
    from safetensors.torch import save_file

    copied(folder, to)
    (to / "model.safetensors").unlink()
    weights = sorted(tiny.weights_of(tiny.bert_module()).items())
    parts = (dict(weights[:20]), dict(weights[20:]))
    for name, part in zip(names, parts, strict=True):
        save_file(part, to / name)
    where = {key: name for name, part in zip(names, parts, strict=True) for key in part}
    (to / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}))
    return to


def test_shards(tmp_path, folder, expected):
    names = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
    sharded = shards(folder, tmp_path / "sharded", names)
    files = inspect_folder(sharded)
    assert {name: tensor.shape for name, tensor in files.tensors.items()} == expected
    assert files.weight_files == names
    assert {tensor.file for tensor in files.tensors.values()} == set(names)
    (sharded / names[1]).unlink()
    with pytest.raises(CheckpointFault, match=f"1 of 2 weight files are missing, {names[1]}"):
        inspect_folder(sharded)


@pytest.mark.parametrize(
    "index", ["{", "{}", '{"weight_map": [1]}', '{"weight_map": {"a": "../secret"}}']
)
def test_a_damaged_index(tmp_path, folder, index):
    broken = copied(folder, tmp_path / "broken")
    (broken / "model.safetensors").unlink()
    (broken / "model.safetensors.index.json").write_text(index)
    with pytest.raises(CheckpointFault, match=r"damaged|outside its folder"):
        inspect_folder(broken)


def test_the_name_of_a_cached_checkpoint(tmp_path, folder):
    snapshot = tmp_path / "models--google-bert--bert-base-uncased" / "snapshots" / "0a1b"
    copied(folder, snapshot)
    assert inspect_folder(snapshot).name == "bert-base-uncased"


def test_torch_is_not_imported(folder):
    code = (
        "import sys; from pathlib import Path; from explorer.engine.library.inspection import *;"
        f"inspect_folder(Path({str(folder)!r}));"
        "assert not {'torch', 'transformers', 'safetensors'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
