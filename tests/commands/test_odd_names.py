"""Names and words that are no text, no file, or far too long get one line that is true."""

import json
import os
import sys
from pathlib import Path

import pytest

from explorer import cli
from tests import warm_program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="arguments are always text there")


@pytest.fixture
def main(tmp_path):
    def call(*arguments):
        done = warm_program.run("--profile", tmp_path / "p", *arguments)
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout, done.stderr

    return call


@pytest.fixture
def inside(tmp_path, capsys):
    """The same in this process, which holds torch already; for names that are text."""

    def call(*arguments):
        status = cli.main(["--profile", str(tmp_path / "p"), *arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err, err
        return status, out, err

    return call


@pytest.fixture
def logged(main):
    assert main("fill", "the chef cooked the [MASK].")[0] == 0


def test_words_that_are_no_text_find_what_is_left_of_them(main, logged):
    status, out, _ = main("sessions", "search", b"chef\xff", "--json")
    assert status == 0
    assert len(json.loads(out)["runs"]) == 1
    for name in ("--model", "--operation"):
        status, out, _ = main("sessions", "list", name, b"\xff", "--json")
        assert (status, json.loads(out)["runs"]) == (0, [])


def test_a_folder_whose_name_is_no_text_is_listed(main, tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff"
    Path(os.fsdecode(folder)).mkdir()
    status, out, _ = main("models", folder, "--json")
    assert status == 0
    told = [row["problem"] for row in json.loads(out)]
    assert any("characters that are none" in problem for problem in told)
    assert main("models", folder)[0] == 0


def test_a_name_that_is_too_long_is_the_user_s_mistake(main):
    status, _, err = main("fill", "[MASK]", "--model", "a" * 5000)
    assert status == 2
    assert "longer than this system allows" in err
    # A folder that can't be listed costs the others nothing.
    status, out, _ = main("models", "a" * 5000)
    assert status == 0
    assert "longer than this system allows" in out
    assert "bert-miniature" in out


@pytest.mark.parametrize("place", ["/", ".", "/tmp/"])
def test_a_table_is_not_written_in_the_place_of_a_folder(inside, place):
    status, _, err = inside("fill", "the [MASK].", "--no-log", "--csv", place)
    assert status == 1
    assert "can't be written: it is a folder. Name a file." in err


@pytest.mark.parametrize("name", ["some.txt", "some.csv"])
def test_a_pipe_is_no_file_of_sentences(inside, tmp_path, name):
    os.mkfifo(tmp_path / name)
    status, _, err = inside("over", str(tmp_path / name), "--ask", "tokens", "--no-log")
    assert status == 2
    assert f"{name} is not a file." in err


def limit_files():
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


def test_a_limit_on_the_size_of_files_is_named(tmp_path):
    words = ("fill", "the chef cooked the [MASK].", "--json")
    done = warm_program.run("--profile", tmp_path / "p", *words, first=limit_files)
    assert done.returncode == 0
    assert json.loads(done.stdout)["masks"]
    assert "Not logged: The session database" in done.stderr
    assert "No file may grow beyond 100,000 bytes here, which may be why." in done.stderr
    assert "Raise the limit (ulimit -f)" in done.stderr
