"""Paths that no file can have: unknown users' folders, and characters that end a name."""

import pytest

from explorer import cli
from explorer.command_line.parsing import DONE, FAULT, MISTAKE

UNKNOWN = "~nobody-of-this-name"
NUL = "a\0b"
TEXT = "The teacher reads a [MASK] ."


@pytest.fixture
def main(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*words):
        capsys.readouterr()
        done = cli.main(["--profile", str(tmp_path / "profile"), *words])
        return (done, *capsys.readouterr())

    return call


@pytest.mark.parametrize("path", [UNKNOWN, f"{UNKNOWN}/of-nobody", NUL])
@pytest.mark.parametrize(
    "words",
    [
        ("fill", TEXT, "--model", "{}"),
        ("fill", TEXT, "--model", "bert-miniature", "--csv", "{}/x.csv"),
        ("ask", "tokens", TEXT, "--csv", "{}/x.csv"),
        ("over", "{}", "--ask", "tokens"),
        ("ask", "file_of_sentences", "{}", "tokens"),
        ("ask", "layer_similarity", "--path", "{}"),
        ("ask", "probe", "--label", "file", "--path", "{}"),
        ("ask", "tuned_lens", TEXT, "--sentences", "{}"),
        ("check", "{}"),
        ("anatomy", "{}"),
        ("ask", "compare_architectures", "--first", "{}", "--second", "bert-miniature"),
        ("--profile", "{}", "models"),
        ("sessions", "merge", "{}"),
        ("sessions", "rescue", "{}"),
        ("sessions", "export", "all", "{}/x.csv"),
    ],
    ids=lambda words: "-".join(one.strip("-") for one in words[:3] if one != TEXT),
)
def test_one_sentence_tells(main, tmp_path, words, path):
    done, out, err = main(*(word.format(path) for word in words))
    assert done in (MISTAKE, FAULT)
    assert out == ""
    assert "Traceback" not in err
    assert "inside the program" not in err
    # On a busy machine it may say how far it is before.
    assert len([line for line in err.splitlines() if not line.endswith("…")]) == 1
    assert "nobody" in err or r"a\u0000b" in err or "x.csv" in err
    assert {file.name for file in tmp_path.iterdir()} <= {"home", "profile"}


@pytest.mark.parametrize("path", [UNKNOWN, NUL])
def test_a_folder_that_can_not_be_is_listed_with_its_problem(main, path):
    done, out, err = main("models", path, "--json")
    assert (done, err) == (DONE, "")
    assert "is no path on this machine" in out or "There is nothing at" in out


@pytest.mark.parametrize("name", ["HF_HOME", "HF_HUB_CACHE"])
def test_a_cache_of_an_unknown_user_is_as_the_hub_library_takes_it(main, monkeypatch, name):
    monkeypatch.setenv(name, UNKNOWN)
    done, out, err = main("models")
    assert (done, err) == (DONE, "")
    assert "bert-miniature" in out
