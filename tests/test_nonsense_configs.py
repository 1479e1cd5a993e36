"""What a config.json can't mean is told in one line, with the field and its value."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from explorer import cli
from explorer.hf.family.tiny import write_tiny
from tests.hf import tiny


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    host = tiny.families()
    return {name: write_tiny(host.family(name), folder / name) for name in ("bert", "gpt2", "t5")}


@pytest.fixture
def changed(sound, tmp_path):
    """A copy of a sound folder with other values in its config; ... takes a field out."""

    def change(name: str, **values: Any) -> Path:
        folder = shutil.copytree(sound[name], tmp_path / f"changed-{name}")
        config = {**json.loads((folder / "config.json").read_text("utf-8")), **values}
        kept = {key: value for key, value in config.items() if value is not ...}
        (folder / "config.json").write_text(json.dumps(kept), encoding="utf-8")
        return folder

    return change


@pytest.fixture
def main(tmp_path, capsys):
    def call(*words):
        capsys.readouterr()
        profile = ["--profile", str(tmp_path / "profile"), "--device", "cpu"]
        status = cli.main([*profile, *map(str, words)])
        out, err = capsys.readouterr()
        assert "Traceback" not in err, err
        return status, out, err

    return call


NONSENSE = (
    ("bert", {"architectures": 7}, "architectures is 7"),
    ("bert", {"architectures": [7]}, "architectures is [7]"),
    ("bert", {"model_type": 7}, "model_type is 7"),
    ("gpt2", {"n_embd": 0}, "n_embd is 0"),
    ("bert", {"pad_token_id": 2**63}, "pad_token_id is 9223372036854775808"),
    ("bert", {"num_attention_heads": 5}, "num_attention_heads is 5"),
    ("bert", {"num_attention_heads": 64}, "num_attention_heads is 64"),
    ("gpt2", {"n_head": 5}, "n_head is 5"),
    ("bert", {"hidden_act": "soup"}, 'hidden_act is "soup"'),
    ("t5", {"dense_act_fn": True}, "dense_act_fn is true"),
    ("bert", {"hidden_dropout_prob": 1.5}, "hidden_dropout_prob is 1.5"),
    ("gpt2", {"resid_pdrop": -1}, "resid_pdrop is -1"),
    ("bert", {"layer_norm_eps": "small"}, 'layer_norm_eps is "small"'),
    ("bert", {"hidden_size": "wide"}, 'hidden_size is "wide"'),
    ("bert", {"id2label": 7}, "id2label is 7"),
    ("bert", {"num_labels": 10**40}, "num_labels is 1000000000000000"),
)


@pytest.mark.parametrize(("name", "values", "words"), NONSENSE)
def test_the_field_and_its_value_are_named_and_the_checkpoint_is_at_fault(
    main, changed, name, values, words
):
    folder = changed(name, **values)
    status, _, err = main("fill", "the [MASK] sat", "--model", folder, "--no-log")
    (line,) = err.splitlines()
    assert status == cli.FAULT
    assert words in line
    assert "plugin" not in line
    assert "Correct config.json" in line


@pytest.mark.parametrize(("name", "values", "words"), NONSENSE)
def test_its_anatomy_says_the_same(main, changed, name, values, words):
    folder = changed(name, **values)
    (folder / "model.safetensors").unlink()
    status, _, err = main("anatomy", folder / "config.json", "--no-log")
    (line,) = err.splitlines()
    assert status == cli.FAULT
    assert words in line


@pytest.mark.parametrize(("name", "values", "words"), NONSENSE)
def test_its_row_in_the_library_blames_no_plugin(main, changed, name, values, words):
    status, out, _ = main("models", changed(name, **values), "--json")
    assert status == cli.DONE
    row = next(one for one in json.loads(out) if "changed" in one["id"])
    assert "plugin" not in row["problem"]


def test_a_decoder_that_is_not_told_what_it_starts_with(main, changed):
    words = ("the [MASK] sat", "--no-log", "--json")
    folder = changed("t5")
    _, sound, _ = main("fill", *words, "--model", folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    del config["decoder_start_token_id"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    status, out, err = main("fill", *words, "--model", folder)
    assert status == cli.DONE, err
    assert json.loads(out)["masks"] == json.loads(sound)["masks"]


def test_a_vocabulary_without_its_unknown_piece(main, changed):
    folder = changed("bert")
    tokenizer = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    pieces = ["[unused]" if piece == "[UNK]" else piece for piece in tokenizer["model"]["vocab"]]
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    status, _, err = main("fill", "the [MASK] sat ☃", "--model", folder, "--no-log")
    (line,) = err.splitlines()
    assert status == cli.FAULT
    assert "tokenizer" in line.lower()


def test_how_a_model_is_run_is_the_program_s_own_business(main, changed):
    """Least of all may a config name attention code on the hub."""
    words = ("the [MASK] sat", "--no-log", "--json")
    folder = changed("bert")
    _, sound, _ = main("fill", *words, "--model", folder)
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config |= {
        "attn_implementation": "somebody/their-kernel",
        "_attn_implementation": "somebody/their-kernel",
        "_attn_implementation_internal": "flash_attention_2",
        "torch_dtype": "soup",
        "return_dict": False,
        "output_hidden_states": 1.5,
        "output_attentions": True,
        "chunk_size_feed_forward": 7,
    }
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    status, out, err = main("fill", *words, "--model", folder)
    assert status == cli.DONE, err
    assert json.loads(out)["masks"] == json.loads(sound)["masks"]
