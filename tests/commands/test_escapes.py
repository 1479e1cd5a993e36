"""What files, models, tokens and errors say moves no cursor and turns no words round."""

import json
import re
import shutil

import pytest

from explorer import cli
from tests.hf import tiny

EVIL = "\x1b[2J\x9b31m\u202ecat\u2066\x07\x7f"
RAW = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066\u2067]")
WRITTEN_OUT = r"\u001b[2J\u009b31m\u202ecat\u2066\u0007\u007f"


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A checkpoint in a folder of such a name, with such a piece."""
    folder = tiny.save_bert(tmp_path_factory.mktemp("odd") / f"odd{EVIL}")
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text("utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary[EVIL] = vocabulary.pop("mat")
    path.write_text(json.dumps(tokenizer), encoding="utf-8")
    return folder


@pytest.fixture
def main(tmp_path, capsys):
    def call(*words, status=cli.DONE):
        capsys.readouterr()
        done = cli.main(["--profile", str(tmp_path / "profile"), *map(str, words)])
        out, err = capsys.readouterr()
        assert done == status, err
        assert not RAW.search(out + err), out + err
        return out, err

    return call


def test_the_name_of_a_model(main, odd):
    assert WRITTEN_OUT in main("models", odd)[0]
    # Titles have a sign in the place of what can't be printed.
    assert main("fill", "the [MASK] sat", "--model", odd)[0].startswith("odd\ufffd[2J\ufffd31m")
    assert main("anatomy", odd)[0]


def test_a_text_and_its_tokens(main, odd):
    text = f"the {EVIL} [MASK] sat"
    assert WRITTEN_OUT in main("fill", text)[0]
    assert main("ask", "tokens", text)[0]
    assert WRITTEN_OUT in main("sessions", "list")[0]
    # The piece is one of all that a masked token may be.
    assert WRITTEN_OUT in main("fill", "the [MASK] sat", "--model", odd, "--top", "100")[0]


def test_a_file_of_sentences(main, tmp_path):
    file = tmp_path / f"file{EVIL}.txt"
    file.write_text(f"the {EVIL} sat\nthe dog sat\n", encoding="utf-8")
    main("over", file, "--ask", "tokens")


def test_errors(main, odd, tmp_path):
    assert WRITTEN_OUT in main("fill", "[MASK]", "--model", f"no{EVIL}", status=cli.MISTAKE)[1]
    assert WRITTEN_OUT in main("fill", "[MASK]", f"--{EVIL}", status=cli.MISTAKE)[1]
    broken = shutil.copytree(odd, tmp_path / f"broken{EVIL}")
    config = json.loads((broken / "config.json").read_text("utf-8"))
    config["hidden_act"] = EVIL
    (broken / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert "hidden_act is " in main("fill", "[MASK]", "--model", broken, status=cli.FAULT)[1]


def test_json_says_the_same_as_before(main, odd):
    text = f"the {EVIL} [MASK] sat"
    out, _ = main("fill", text, "--json", "--model", odd, "--top", "100")
    answer = json.loads(out)
    assert answer["model"]["id"] == str(odd)
    words = {one["token"] for mask in answer["masks"] for one in mask["predictions"]}
    assert EVIL in words
