"""Files of checkpoints that nobody's program would write: one sentence each, and nothing hangs."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from explorer import cli
from explorer.hf.family.tiny import write_tiny
from tests.hf import tiny

GENERATION = "generation_config.json"


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    host = tiny.families()
    found = {name: write_tiny(host.family(name), folder / name) for name in ("bert", "gpt2")}
    sys.modules[type(host.family("xlm")).__module__].tiny(folder / "xlm")
    return {**found, "xlm": folder / "xlm"}


@pytest.fixture
def copied(sound, tmp_path):
    def copy(name: str) -> Path:
        return Path(shutil.copytree(sound[name], tmp_path / f"odd-{name}"))

    return copy


@pytest.fixture
def main(tmp_path, capsys):
    """Runs a command; what it says of a fault is a sentence and never a bug of the program's."""

    def call(*words: object) -> tuple[int, str]:
        capsys.readouterr()
        profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu", "--offline"]
        status = cli.main([*profile, *map(str, words)])
        _, err = capsys.readouterr()
        assert "Traceback" not in err, err
        assert "report it" not in err, err
        return status, err

    return call


def put(path: Path, **values: Any) -> None:
    content = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**content, **values}), "utf-8")


# ---- generation_config.json ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [b"[" * 1_000_000, b'{"a":' * 1_000_000, b"[]," * 2_000_000, b"[1]", b"\xff"],
    ids=["deep list", "deep table", "long", "a list", "no text"],
)
def test_an_odd_generation_config_is_told(copied, main, content):
    folder = copied("gpt2")
    (folder / GENERATION).write_bytes(content)
    status, err = main("ask", "surprisal", "the cat", "--model", folder)
    assert status == 1
    assert f"{GENERATION} can't be read." in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_in_its_place_is_not_waited_for(copied, main):
    folder = copied("gpt2")
    (folder / GENERATION).unlink(missing_ok=True)
    os.mkfifo(folder / GENERATION)
    status, err = main("ask", "surprisal", "the cat", "--model", folder)
    assert status == 1
    assert f"{GENERATION} can't be read." in err


# ---- config.json --------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [("fill", "the [MASK]"), ("ask", "architecture")])
def test_lists_in_lists_in_any_field(copied, main, command):
    folder = copied("bert")
    deep: list[Any] = []
    for _ in range(900):
        deep = [deep]
    put(folder / "config.json", id2label=deep)
    status, err = main(*command, "--model", folder)
    assert status == 1
    assert "config.json is not valid JSON (it is nested too deeply)." in err


@pytest.mark.parametrize(
    "values", [{"lang2id": 0.5}, {"lang2id": {"en": "x"}}, {"lang2id": ["en"]}, {"lang_id": "en"}]
)
def test_languages_without_numbers(copied, main, values):
    folder = copied("xlm")
    put(folder / "config.json", **values)
    status, err = main("fill", "the [MASK] sat", "--model", folder)
    assert status == 1
    assert f"config.json describes no model: {next(iter(values))} is " in err


def test_a_config_that_only_fails_deep_in_a_library(copied, main, monkeypatch):
    """What nobody foresaw is the checkpoint's, with what failed behind it."""
    from explorer.hf.family.base import TransformersFamily

    def fail(*_: object) -> None:
        raise AttributeError("'NoneType' object has no attribute 'weight'")

    monkeypatch.setattr(TransformersFamily, "finish", fail)
    status, err = main("fill", "the [MASK] sat", "--model", copied("bert"))
    assert status == 1
    assert "No model can be made of the files of odd-bert ('NoneType' object has no" in err


# ---- tokenizers ---------------------------------------------------------------------------------


def test_a_tokenizer_that_pads_to_a_thousand_million_pieces(copied, main):
    import resource

    folder = copied("bert")
    padding = {
        "strategy": {"Fixed": 1_000_000_000},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    put(folder / "tokenizer.json", padding=padding)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert main("fill", "the [MASK] sat", "--model", folder) == (0, "")
    # Kilobytes: such a text would have taken 8 million.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000


@pytest.mark.parametrize("command", [("fill",), ("ask", "side_by_side")])
def test_a_tokenizer_whose_unknown_piece_is_not_in_its_vocabulary(copied, main, command):
    folder = copied("bert")
    path = folder / "tokenizer.json"
    content = json.loads(path.read_text("utf-8"))
    content["model"]["unk_token"] = "[NOPE]"
    # What is tried at loading has pieces; other texts have none.
    for piece in "\N{SNOWMAN}\N{LINEAR B SYLLABLE B008 A}":
        content["model"]["vocab"].setdefault(piece, len(content["model"]["vocab"]))
        content["model"]["vocab"].setdefault(f"##{piece}", len(content["model"]["vocab"]))
    path.write_text(json.dumps(content), "utf-8")
    put(folder / "tokenizer_config.json", tokenizer_class="PreTrainedTokenizerFast")
    status, err = main(*command, "the [MASK] \N{ETHIOPIC SYLLABLE HA}", "--model", folder)
    assert status == 1
    assert "This checkpoint's tokenizer can't split the text" in err


# ---- weights ------------------------------------------------------------------------------------


def test_a_shard_whose_name_is_no_text(copied, main):
    folder = copied("bert")
    name = "\udcff.safetensors"
    try:
        (folder / "model.safetensors").rename(folder / name)
    except (OSError, UnicodeEncodeError):
        pytest.skip("no file can be called so here")
    index = {"weight_map": {"a": name}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")
    status, err = main("fill", "the [MASK] sat", "--model", folder)
    assert status == 1
    assert "index.json names a file whose name is no text in UTF-8." in err


@pytest.mark.parametrize("content", [b".", b"\x80\x02.", b"PK\x03\x04", b""])
def test_a_pickle_of_nothing(copied, main, content):
    folder = copied("bert")
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(content)
    status, _ = main("fill", "the [MASK] sat", "--model", folder, "--allow-pickle")
    assert status == 1


def test_sentences_deep_in_lists(copied, main, tmp_path):
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 200_000, "utf-8")
    for command in (
        ("over", deep, "--model", copied("bert")),
        ("ask", "train_tokenizer", "the cat", "--path", deep),
    ):
        status, err = main(*command)
        assert status != 0
        assert "deep.json is no file of questions as SQuAD has them." in err
