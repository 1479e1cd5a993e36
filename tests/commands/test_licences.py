"""`licences`: what the program is made of."""

import json

from explorer import cli


def said(capsys, *arguments):
    status = cli.main(["licences", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_all_in_a_table(capsys):
    status, out, _ = said(capsys)
    lines = out.splitlines()
    assert status == 0
    assert lines[0].split() == ["NAME", "VERSION", "LICENCE"]
    assert lines[1].startswith("PLM Explorer ")
    assert any(line.startswith("torch ") for line in lines)


def test_one_in_full_however_it_is_typed(capsys):
    status, out, _ = said(capsys, "pyside6")
    assert status == 0
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in out
    assert "transformers" not in out


def test_all_as_json(capsys):
    status, out, _ = said(capsys, "--json")
    found = {one["name"]: one for one in json.loads(out)}
    assert status == 0
    assert found["numpy"]["licence"].startswith("BSD-3-Clause")
    assert found["numpy"]["texts"][0][0] == "LICENSE.txt"


def test_what_is_not_there_is_said_in_a_line(capsys):
    status, out, err = said(capsys, "cobol")
    assert status == 2
    assert out == ""
    assert err == "The program is not made of cobol. Type `licences` alone for all there is.\n"
