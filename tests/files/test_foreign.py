"""The door for files of other people: what it lets through, what it refuses, and how soon."""

import json
import os
import time

import pytest

from explorer.files.foreign import MOST_DEPTH, Unfit, clause_of, json_of, read_bytes, toml_of
from tests.processor import a_pass


def deep(depth):
    return "[" * depth + "]" * depth


def test_what_is_meant_to_be_read_is_read():
    assert json_of(b'{"a": [1, null]}') == {"a": [1, None]}
    assert json_of(deep(MOST_DEPTH)) == json.loads(deep(MOST_DEPTH))
    long = ".".join("a" * 200)
    toml = f"""
# {long}
a.b.c = 1
"d e".'f' = [{"0.5, " * 300}]
text = "{long} \\" {long}"
plain = '{long}'
whole = \"\"\"
{long} " {long}
\"\"\"
"""
    found = toml_of(toml)
    assert found["a"]["b"]["c"] == 1
    assert found["d e"]["f"] == [0.5] * 300
    assert found["text"] == f'{long} " {long}'
    assert (found["plain"], found["whole"]) == (long, f'{long} " {long}\n')


@pytest.mark.parametrize(
    ("read", "written", "problem"),
    [
        (json_of, deep(MOST_DEPTH + 1), "it is nested too deeply"),
        (json_of, deep(900), "it is nested too deeply"),
        (json_of, "[" * 1_000_000, "it is nested too deeply"),
        (json_of, '{"a":' * 200_000, "it is nested too deeply"),
        (toml_of, f"a = {deep(400)}", "it is nested too deeply"),
        (toml_of, "a = " + "{a = " * 100_000, "it is nested too deeply"),
        (toml_of, "a" + ".a" * 200_000 + " = 1", "a key in it has more than 20 parts"),
        (toml_of, "[" + "a . " * 30 + "a]", "a key in it has more than 20 parts"),
        (toml_of, "x = {" + "'a'.\"b\"." * 30 + "a = 1}", "a key in it has more than 20 parts"),
    ],
    ids=range(9),
)
def test_what_is_built_to_cost_is_refused_in_words(read, written, problem):
    before = time.process_time()
    with pytest.raises(Unfit) as found:
        read(written)
    assert clause_of(found.value) == problem
    assert time.process_time() - before < 12 * a_pass()


@pytest.mark.parametrize(
    "written",
    ["", "{", "9" * 5000, b"\xff\xfe\xfd"],
    ids=range(4),
)
def test_what_is_no_json_is_a_value_error(written):
    with pytest.raises(ValueError) as found:  # noqa: PT011 - the library's own words
        json_of(written)
    assert not isinstance(found.value, Unfit)


@pytest.mark.parametrize(
    "written",
    ["a" * 1_000_000, "a " * 400_000, '"' * 900_000, 'x = """' + 'a"' * 400_000, "[" * 900_000],
    ids=range(5),
)
def test_a_megabyte_of_nonsense_is_soon_refused(written):
    before = time.process_time()
    with pytest.raises(ValueError):  # noqa: PT011 - whatever is wrong with it
        toml_of(written)
    assert time.process_time() - before < 24 * a_pass()


def test_bytes_are_read_up_to_a_limit(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"x" * 100)
    assert read_bytes(file, 100) == b"x" * 100
    with pytest.raises(Unfit, match="it takes more than 1 MB"):
        read_bytes(file, 99)
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path / "nothing", 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_pipes_and_what_the_system_makes_up_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for name in ("pipe", "link"):
        with pytest.raises(Unfit, match="a pipe, a device"):
            read_bytes(tmp_path / name, 10)
