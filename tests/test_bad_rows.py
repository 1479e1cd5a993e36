"""One bad checkpoint is one bad row: the rest of the library is listed, by command and by window.

Every bad folder stands in the Hugging Face cache as well as among the folders the user opened.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import cli
from explorer.api.question import CheckpointFault
from explorer.paths import Paths
from tests.hf import tiny

ROOT = Path(__file__).resolve().parent.parent
INFINITE = b'{"a":{"dtype":"F32","shape":[1e999],"data_offsets":[0,4]}}'
ENORMOUS = b'{"a":{"dtype":"F32","shape":[1' + b"0" * 400 + b'],"data_offsets":[0,4]}}'


def header(folder: Path, content: bytes) -> None:
    weights = struct.pack("<Q", len(content)) + content + bytes(4)
    (folder / "model.safetensors").write_bytes(weights)


def infinite_shape(folder: Path) -> None:
    header(folder, INFINITE)


def enormous_shape(folder: Path) -> None:
    header(folder, ENORMOUS)


def segfault(folder: Path) -> None:
    import zipfile

    (folder / "model.safetensors").unlink()
    with zipfile.ZipFile(folder / "pytorch_model.bin", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", b"\x80\x02})" + b"\x85" * 300_000 + b"K\x01s.")


def long_shard(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    index = {"weight_map": {"a": "x" * 300 + ".safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def changed(**values: object):
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, **values}))

    return change


def pipe(folder: Path) -> None:
    (folder / "config.json").unlink()
    os.mkfifo(folder / "config.json")


def loop(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").symlink_to("model.safetensors")


BAD = {
    "infinite-shape": infinite_shape,
    "enormous-shape": enormous_shape,
    "segfault": segfault,
    "long-shard": long_shard,
    "enormous-layers": changed(num_hidden_layers=10**400),
    "many-layers": changed(num_hidden_layers=10**1300),
    "half-a-character": changed(model_type="\ud800"),
    "two-lines": changed(model_type="a\nb\x1b[2J" + "c" * 100_000),
    "pipe": pipe,
}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it has no such files")


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("good") / "good")


@pytest.fixture
def library(tmp_path, good):
    """A folder for every fault, and all of them in a cache; a good one in each."""
    for name, damage in BAD.items():
        for folder in (tmp_path / name, snapshot(tmp_path, name)):
            shutil.copytree(good, folder)
            damage(folder)
    shutil.copytree(good, tmp_path / "good")
    shutil.copytree(good, snapshot(tmp_path, "good"))
    # What main points to may be no file, and no name of a folder.
    refs = tmp_path / "hub" / "models--o--good" / "refs"
    refs.mkdir()
    os.mkfifo(refs / "main")
    return tmp_path


def snapshot(root: Path, name: str) -> Path:
    return root / "hub" / f"models--o--{name}" / "snapshots" / "0a"


def listed(library: Path, *arguments: str) -> str:
    folders = [str(library / name) for name in (*BAD, "good")]
    ended = subprocess.run(
        [sys.executable, "main.py", "models", *folders, *arguments],
        cwd=ROOT,
        env={**os.environ, "HF_HUB_CACHE": str(library / "hub")},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr.decode()[-2000:]
    assert b"Traceback" not in ended.stderr
    return ended.stdout.decode("utf-8")


def test_every_other_row_is_listed_by_the_command(library):
    rows = {row["id"]: row for row in json.loads(listed(library, "--json"))}
    for good in (str(library / "good"), "o/good", "bert-miniature"):
        assert rows[good]["problem"] == ""
        assert "masked_tokens" in rows[good]["operations"]
    for name in BAD:
        problem = rows[str(library / name)]["problem"]
        assert problem.endswith(".")
        assert "\n" not in problem
        assert len(problem) < 400
        assert "plugin bert" not in problem  # nobody's fault but the checkpoint's


def test_a_row_is_a_line(library):
    lines = listed(library).splitlines()
    rows = json.loads(listed(library, "--json"))
    assert len(lines) == len(rows) + 1
    assert not any(not c.isprintable() for line in lines for c in line)


def test_every_other_row_is_listed_in_the_window_and_painted(library, monkeypatch, qtbot):
    from explorer.app import Running
    from explorer.program import Program
    from explorer.settings import Settings, SettingsFile
    from explorer.tour.hands import wait_until
    from explorer.ui.library.panel.tree import CHECKPOINT

    monkeypatch.setenv("HF_HUB_CACHE", str(library / "hub"))
    paths = Paths.profile(library / "profile", {"HF_HUB_CACHE": str(library / "hub")})
    folders = tuple(str(library / name) for name in (*BAD, "good"))
    SettingsFile(paths.settings).save(Settings(recent_folders=folders))
    running = Running(Program(paths))
    try:
        checkpoints = running.bench.checkpoints
        running.show()
        wait_until(lambda: bool(checkpoints.all), "the library")
        rows = {row.id: row for row in checkpoints.all}
        for name in BAD:
            assert rows[str(library / name)].problem.endswith(".")
        assert not rows[str(library / "good")].problem
        assert not rows["o/good"].problem
        running.window.open_library()
        tree = running.window.library.tree
        model = tree.model()
        for group in range(model.rowCount()):
            place = model.index(group, 0)
            for row in range(model.rowCount(place)):
                index = model.index(row, 0, place)
                assert index.data()
                running.window.library.choose(index.data(CHECKPOINT).id)
                tree.grab()  # whatever painting raises is logged, and fails the test
    finally:
        running.close()


def test_a_vocabulary_numbered_far_beyond_its_length_is_refused(tmp_path, capsys):
    folder = tiny.save_bert(tmp_path / "far")
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text("utf-8"))
    tokenizer["model"]["vocab"]["cat"] = 10**9
    path.write_text(json.dumps(tokenizer), "utf-8")
    profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
    status = cli.main([*profile, "fill", "the [MASK] .", "--model", str(folder), "--no-log"])
    complaint = capsys.readouterr().err
    assert status == cli.FAULT
    assert "1,000,000,000" in complaint
    assert "Traceback" not in complaint
    with pytest.raises(CheckpointFault, match="numbers a piece 1,000,000,000"):
        tiny.load(folder)
