"""Files made to end, stop or fill whoever looks at them, each in a process of its own.

Nobody has agreed to anything yet when a folder is inspected, so it may never take more than a
gigabyte or five seconds, and always ends with a sentence or a list of tensors.
"""

import io
import json
import os
import pickle
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.api.family import CheckpointFault, Tensor
from explorer.engine.library.inspection import inspect_folder

ROOT = Path(__file__).resolve().parents[2]
GIGABYTE = 1_000_000_000
SECONDS = 5

LOOKER = """
import json, os, resource, sys, time
from pathlib import Path
from explorer.api.family import ExplorerError
from explorer.engine.library.inspection import inspect_folder

def look(folder):
    resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    began = time.process_time()
    try:
        found = f"{{len(inspect_folder(Path(folder)).tensors)}} tensors"
    except ExplorerError as error:
        found = error.message
    print(json.dumps([time.process_time() - began, found]), flush=True)

for line in sys.stdin:
    child = os.fork()
    if not child:
        look(json.loads(line))
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status:
        print(json.dumps([0.0, f"it ended with {{status}}\\n"]), flush=True)
"""
"""Forks for each folder: to import what inspects them takes longer than they do."""


@pytest.fixture(scope="module")
def looker() -> Iterator[Any]:
    """What inspects folders, each in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-c", LOOKER.format(memory=GIGABYTE)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        yield running
        running.kill()


@pytest.fixture
def inspected(looker: Any) -> Callable[[Path], str]:
    """What inspecting says: a sentence, or how many tensors there are."""

    def look(folder: Path) -> str:
        looker.stdin.write(json.dumps(str(folder)) + "\n")
        looker.stdin.flush()
        seconds, found = json.loads(looker.stdout.readline())
        assert seconds < SECONDS, found
        assert "\n" not in found
        return str(found)

    return look


def zipped(content: bytes) -> bytes:
    """An archive as torch writes one, but deflated."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", content)
    return buffer.getvalue()


def many_members(count: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({}, 2))
        for number in range(count):
            archive.writestr(f"archive/data/{number}{'x' * 1000}", b"")
    return buffer.getvalue()


def text(word: bytes) -> bytes:
    return b"X" + struct.pack("<I", len(word)) + word


LONG_NAME = b"m" * 1_000_000
PICKLES: dict[str, Callable[[], bytes]] = {
    "nested tuples as a key": lambda: b"\x80\x02})" + b"\x85" * 300_000 + b"K\x01s.",
    "tuples of themselves as a key": lambda: b"\x80\x02})" + b"2\x86" * 200 + b"K\x01s.",
    "a place far away in the memo": lambda: b"\x80\x02}r\xff\xff\xff\x0f.",
    "lists without end": lambda: b"\x80\x02" + b"]" * 60_000_000 + b".",
    "lists, as many as are read": lambda: b"\x80\x02" + b"]" * 15_000_000 + b".",
    "marks": lambda: b"\x80\x02" + b"(" * 15_000_000 + b".",
    "lists in lists": lambda: b"\x80\x02" + b"]" * 400_000 + b"a" * 399_999 + b".",
    "dictionaries in a dictionary": lambda: (
        b"\x80\x02" + b"}K\x01" * 300_000 + b"s" * 100_000 + b"."
    ),
    "one long key again and again": lambda: (
        b"\x80\x02(" + b"N" * 300_000 + b"tq\x000}" + b"h\x00Ns" * 150_000 + b"."
    ),
    "one long shape again and again": lambda: (
        b"\x80\x02("
        + b"K\x01" * 300_000
        + b"tq\x000ctorch._utils\n_rebuild_tensor_v2\nq\x010"
        + (b"h\x01" + text(b"F32") + b"K\x00h\x00\x87R0") * 100_000
        + b"}."
    ),
    "one long list of pairs again and again": lambda: (
        b"\x80\x02]("
        + (text(b"a") + b"N\x86") * 200_000
        + b"e\x85q\x000ccollections\nOrderedDict\n"
        b"q\x010" + b"h\x01h\x00R" * 100_000 + b"."
    ),
    "one long name again and again": lambda: (
        b"\x80\x04" + text(LONG_NAME) + b"q\x000" + b"h\x00h\x00\x93" * 100_000 + b"."
    ),
    "a number of many digits": lambda: b"\x80\x02L" + b"9" * 10_000_000 + b"L\n.",
    "a long number": lambda: (
        b"\x80\x02\x8b" + struct.pack("<i", 12_000_000) + b"\x7f" * 12_000_000 + b"."
    ),
    "a text that is not there": lambda: b"\x80\x04\x8d" + struct.pack("<Q", 2**62) + b"abc.",
    "a shape beyond any machine": lambda: (
        b"\x80\x02}"
        + text(b"w")
        + b"ctorch._utils\n_rebuild_tensor_v2\n(("
        + text(b"storage")
        + b"ctorch\nFloatStorage\n"
        + text(b"0")
        + text(b"cpu")
        + b"K\x01tQK\x00\x8a\xfe"
        + b"\x7f" * 254
        + b"\x85)\x89N"
        + b"tRs."
    ),
    "too little on the stack": lambda: b"\x80\x02\x86\x86\x86.",
    "no end": lambda: b"\x80\x02}",
}
"""What makes them: a hundred megabytes, which nobody holds for longer than a test."""


def with_weights(folder: Path, content: bytes) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert"}')
    (folder / "pytorch_model.bin").write_bytes(content)
    return folder


EXCESSIVE = (
    "nested tuples as a key",
    "tuples of themselves as a key",
    "lists, as many as are read",
    "one long key again and again",
    "one long shape again and again",
    "one long list of pairs again and again",
    "one long name again and again",
)


SAID = {
    "lists without end": "was not listed: its list of tensors takes",
    "a shape beyond any machine": "beyond any machine",
    "a number of many digits": "damaged",
    "a text that is not there": "damaged",
    "too little on the stack": "damaged",
    "no end": "damaged",
}
"""What is said of an archive of them."""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize("name", PICKLES)
@pytest.mark.parametrize("in_archive", [True, False], ids=["zip", "old"])
def test_a_hostile_pickle_is_told_in_a_sentence_or_listed(tmp_path, name, in_archive, inspected):
    content = PICKLES[name]()
    found = inspected(with_weights(tmp_path / "x", zipped(content) if in_archive else content))
    if name in EXCESSIVE:
        assert "longer or more nested than any model's" in found
    elif found != "0 tensors":
        assert found.startswith("pytorch_model.bin")
        assert found.endswith(".")
    if in_archive:
        assert SAID.get(name, "") in found


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_an_archive_of_very_many_files_is_refused(tmp_path, inspected):
    found = inspected(with_weights(tmp_path / "x", many_members(10_000)))
    assert "longer or more nested" in found


def header(content: bytes) -> bytes:
    return struct.pack("<Q", len(content)) + content


def safetensors(folder: Path, content: bytes) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert"}')
    (folder / "model.safetensors").write_bytes(content)
    return folder


def entry(**values: object) -> bytes:
    one = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], **values}
    return header(json.dumps({"a": one}).encode().replace(b'"1e999"', b"1e999")) + bytes(4)


HEADERS = {
    "an infinite shape": entry(shape=["1e999"]),
    "an enormous shape": entry(shape=[10**400]),
    "many large numbers": entry(shape=[2**40] * 40),
    "a negative shape": entry(shape=[-1]),
    "a fraction": entry(shape=[1.5]),
    "an infinite end": entry(data_offsets=[0, "1e999"]),
    "an enormous end": entry(data_offsets=[0, 10**400]),
    "very many dimensions": entry(shape=[1] * 1000),
    "deep lists": header(b'{"a":' + b"[" * 200_000),
    "a header of 90 MB": header(b"[" + b"{}," * 30_000_000 + b"{}]"),
    "a header of 15 MB": header(b"[" + b"{}," * 5_000_000 + b"{}]"),
}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize("name", HEADERS)
def test_a_hostile_header_is_told_in_a_sentence(tmp_path, name, inspected):
    found = inspected(safetensors(tmp_path / "x", HEADERS[name]))
    assert found.startswith("model.safetensors")
    assert found.endswith(".")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_many_shards_may_not_take_more_together_than_one(tmp_path, inspected):
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert"}')
    filling = json.dumps(
        {f"{n:06}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for n in range(150_000)}
    )
    names = [f"{n}.safetensors" for n in range(20)]
    (folder / names[0]).write_bytes(header(filling.encode()))
    for name in names[1:]:
        os.link(folder / names[0], folder / name)
    where = {name: name for name in names}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": where}))
    assert "was not listed" in inspected(folder)


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/proc/kmsg")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    """Takes no room on the disk, and 3 GB when it is read."""
    with path.open("wb") as file:
        file.truncate(3_000_000_000)


NOT_READ = (
    "config.json",
    "model.safetensors",
    "pytorch_model.bin",
    "model.safetensors.index.json",
    "tokenizer.json",
    "vocab.txt",
)


@pytest.mark.skipif(sys.platform != "linux", reason="there are no such files")
@pytest.mark.parametrize("name", NOT_READ)
@pytest.mark.parametrize("make", [pipe, endless, device, huge])
def test_what_is_no_ordinary_file_is_refused_in_a_sentence(tmp_path, name, make, inspected):
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert"}')
    (folder / name).unlink(missing_ok=True)
    make(folder / name)
    found = inspected(folder)
    assert name in found
    assert found.endswith(".")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes")
def test_a_pipe_that_is_named_itself_is_refused(tmp_path, inspected):
    os.mkfifo(tmp_path / "model.safetensors")
    assert "is a pipe" in inspected(tmp_path / "model.safetensors")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_config_that_is_one_deep_or_wide_list(tmp_path, inspected):
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "config.json").write_bytes(b'{"a":[' + b"[]," * 1_300_000 + b"[]]}")
    assert inspected(folder) == "0 tensors"
    (folder / "config.json").write_bytes(b'{"a":[' + b"[]," * 10_000_000 + b"[]]}")
    assert "config.json takes 30 MB" in inspected(folder)


@pytest.mark.parametrize("name", ["x" * 300 + ".bin", "a\0b", "\ud800"])
def test_an_index_naming_what_no_file_can_be_called(tmp_path, name):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    index = {"weight_map": {"a": name}}
    (tmp_path / "pytorch_model.bin.index.json").write_text(json.dumps(index))
    with pytest.raises(CheckpointFault, match="1 of 1 weight files are missing") as caught:
        inspect_folder(tmp_path)
    assert len(caught.value.message) < 250
    caught.value.message.encode("utf-8")


# ---- what honest programs write ---------------------------------------------------------------


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", ["plain", "parameters", "module", "nested"])
def test_every_way_torch_saves_weights_is_listed(tmp_path, protocol, kind):
    import torch

    module = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.BatchNorm1d(5))
    state = module.state_dict()
    expected = {name: tuple(tensor.shape) for name, tensor in state.items()}
    saved = {
        "plain": dict(state),
        "parameters": {n: torch.nn.Parameter(t, requires_grad=False) for n, t in state.items()},
        "module": state,  # an OrderedDict with a _metadata of its own
        "nested": {
            "state_dict": state,
            "epoch": 3,
            "optimizer": {"state": {0: {"step": 1, "of": (1, 2)}}, "lr": [0.1, None, True]},
            ("a", 1): "text",
        },
    }[kind]
    folder = with_weights(tmp_path / "x", b"")
    torch.save(saved, folder / "pytorch_model.bin", pickle_protocol=protocol)
    files = inspect_folder(folder)
    assert {name: tensor.shape for name, tensor in files.tensors.items()} == expected
    assert files.tensors["0.weight"] == Tensor((5, 3), "F32", "pytorch_model.bin")
    assert files.tensors["1.num_batches_tracked"].dtype == "I64"


def test_a_model_of_very_many_tensors_is_listed(tmp_path):
    """Twenty thousand are more than any encoder has, and within the limits."""
    import torch

    folder = with_weights(tmp_path / "x", b"")
    one = torch.zeros(1)
    names = [f"encoder.layers.{n}.experts.dense.weight" for n in range(20_000)]
    torch.save(dict.fromkeys(names, one), folder / "pytorch_model.bin")
    assert len(inspect_folder(folder).tensors) == 20_000
    torch.save({name: torch.zeros(1, 2) for name in names}, folder / "pytorch_model.bin")
    assert len(inspect_folder(folder).tensors) == 20_000


def test_a_pickle_of_python_2_is_listed(tmp_path):
    """It wrote an ordered dictionary as a list of pairs."""
    tensor = (
        b"ctorch._utils\n_rebuild_tensor\n(("
        + text(b"storage")
        + b"ctorch\nHalfStorage\n"
        + text(b"0")
        + text(b"cpu")
        + b"K\x06tQK\x00(K\x02K\x03t(K\x03K\x01ttR"
    )
    content = b"\x80\x02ccollections\nOrderedDict\n]](" + text(b"w") + tensor + b"ea\x85R."
    folder = with_weights(tmp_path / "x", zipped(content))
    assert dict(inspect_folder(folder).tensors) == {"w": Tensor((2, 3), "F16", "pytorch_model.bin")}
