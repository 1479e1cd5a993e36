import hashlib
import shutil

import pytest

from explorer.engine.library.inspection import inspect_folder
from explorer.hf.loading import fingerprint as module
from explorer.hf.loading.fingerprint import fingerprint
from tests.hf import tiny


@pytest.fixture
def folder(tmp_path):
    return tiny.save_bert(tmp_path / "bert")


def test_it_is_what_it_says(folder):
    names = ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]
    total = hashlib.blake2b(digest_size=16)
    for name in names:
        content = hashlib.blake2b((folder / name).read_bytes(), digest_size=16).digest()
        total.update(name.encode() + b"\0" + content)
    assert fingerprint(inspect_folder(folder)) == total.hexdigest()
    assert len(total.hexdigest()) == 32


def test_a_copy_has_the_same_and_any_change_another(folder, tmp_path):
    first = fingerprint(inspect_folder(folder))
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    (copy / "README.md").write_text("Not part of the model.")
    assert fingerprint(inspect_folder(copy)) == first
    seen = {first}
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        content = bytearray((copy / name).read_bytes())
        content += b" " if name.endswith("json") else b""
        if name == "model.safetensors":
            content[-1] ^= 1
        (copy / name).write_bytes(content)
        seen.add(fingerprint(inspect_folder(copy)))
    assert len(seen) == 4


def test_files_are_read_once(folder, monkeypatch):
    files = inspect_folder(folder)
    first = fingerprint(files)

    def never(*_args):
        raise AssertionError("read again")

    monkeypatch.setattr(module.hashlib, "file_digest", never)
    assert fingerprint(files) == first
