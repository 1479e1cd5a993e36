"""Tables in files: what a spreadsheet and a program read is what was in the table."""

import csv
import io
import json
import math

import pytest

from explorer.api.question import Table
from explorer.sessions.export.tables import (
    caption_file,
    safe_cell,
    table_to_csv,
    table_to_json,
    write_csv,
)

ODD = Table(
    ("word", "probability", "is_original", "note"),
    (
        ('say "soup", please', 0.1, True, None),
        ("two\r\nlines", -2.5, False, "국수"),
        ("=1+1", -3, True, "@home"),
        ("", 1e-30, False, "-5.5"),
    ),
)


def first_block(text):
    """What a reader sees; a line without a cell would be a fault."""
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert all(rows)
    return rows


def test_a_program_reads_the_table_back():
    header, *rows = first_block(table_to_csv(ODD))
    assert tuple(header) == ODD.columns
    assert rows == [
        ['say "soup", please', "0.1", "TRUE", ""],
        ["two\r\nlines", "-2.5", "FALSE", "국수"],
        ["'=1+1", "-3", "TRUE", "'@home"],
        ["", "1e-30", "FALSE", "-5.5"],
    ]
    assert [float(row[1]) for row in rows] == [row[1] for row in ODD.rows]


def test_the_bytes_are_what_spreadsheets_expect():
    content = table_to_csv(Table(("a", "b"), ((1, "x,y"),))).encode("utf-8")
    assert content == b"\xef\xbb\xbfa,b\r\n" + b'1,"x,y"\r\n'


def test_a_caption_on_request_is_one_line_behind_a_number_sign():
    table = Table(("a", "b"), ((1, "x"),))
    content = table_to_csv(table, "One.\nTwo, three.")
    assert content == "\ufeff# One. Two, three.\r\na,b\r\n1,x\r\n"


@pytest.mark.parametrize("inside", ["a,=1+1", "a; =1+1", 'a,"b', "a,\t@x", "a,＝1"])
def test_no_part_of_a_caption_can_run_as_a_formula(inside):
    """A program that cuts at commas or semicolons finds one cell, which begins with a #."""
    line, header, row = first_block(table_to_csv(Table(("a", "b"), ((1, 2),)), inside))
    assert line == [f"# {' '.join(inside.split())}"]
    assert (header, row) == (["a", "b"], ["1", "2"])


@pytest.mark.parametrize(
    ("place", "files", "first"),
    [
        ("none", {"x.csv"}, "a"),
        ("file", {"x.csv", "x.caption.txt"}, "a"),
        ("comment", {"x.csv"}, "# By whom, when."),
    ],
)
def test_a_caption_goes_where_it_is_wanted(tmp_path, place, files, first):
    path = tmp_path / "out" / "x.csv"
    path.parent.mkdir()
    write_csv(path, Table(("a",), ((1,),)), "By whom, when.", place)
    assert {one.name for one in path.parent.iterdir()} == files
    written = path.read_text(encoding="utf-8-sig").splitlines()
    assert written == [first, *(["a"] if place == "comment" else []), "1"]
    if place == "file":
        said = caption_file(path).read_text(encoding="utf-8")
        assert said == "By whom, when.\n"


def test_one_column_of_empty_cells_is_not_taken_for_the_end():
    table = Table(("word",), (("",), (None,), ("a",)))
    assert first_block(table_to_csv(table)) == [["word"], [""], [""], ["a"]]


def test_without_a_caption_there_is_the_table_alone():
    assert table_to_csv(Table(("a",), ())) == "\ufeffa\r\n"


@pytest.mark.parametrize(
    "text",
    [
        "=HYPERLINK(1)",
        "+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(1)",
        "\tx",
        "\rx",
        "\n=1",
        "  =1",
        "＝1+1",
        "=",
        "-",
        "+1+1",
        "-5 apples",
    ],
)
def test_no_text_can_run_as_a_formula(text):
    assert safe_cell(text) == "'" + text
    assert first_block(table_to_csv(Table((text,), ((text,),)))) == [["'" + text]] * 2


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (-5, "-5"),
        (-0.25, "-0.25"),
        (1e-7, "1e-07"),
        (0.1 + 0.2, "0.30000000000000004"),
        ("-5", "-5"),
        ("+1.5e-3", "+1.5e-3"),
        ("##ing", "##ing"),
        ("a=b", "a=b"),
        ("'quoted'", "'quoted'"),
        (True, "TRUE"),
        (None, ""),
        ("", ""),
        (float("nan"), "nan"),
    ],
)
def test_everything_else_stays_as_it_is(value, expected):
    assert safe_cell(value) == expected


def test_json_is_read_back():
    odd = Table(("a", "b"), ((1, '국 "x"'), (math.nan, None), (-math.inf, True)))
    assert json.loads(table_to_json(odd, "A caption.")) == {
        "caption": "A caption.",
        "columns": ["a", "b"],
        "rows": [[1, '국 "x"'], [None, None], [None, True]],
    }
    empty = {"caption": "", "columns": ["a"], "rows": []}
    assert json.loads(table_to_json(Table(("a",), ()))) == empty


@pytest.mark.parametrize("place", ["comment", "file"])
def test_the_caption_says_where_a_formulas_guard_changed_a_text(tmp_path, place):
    path = tmp_path / "signs.csv"
    for rows, is_told in (((("=",), ("+",)), True), (((-3,), ("soup",)), False)):
        write_csv(path, Table(("token",), rows), "A caption.", place)
        said = (caption_file(path) if place == "file" else path).read_text(encoding="utf-8-sig")
        assert ("apostrophe" in said) is is_told
        cells = [row[0] for row in csv.reader(io.StringIO(path.read_text("utf-8-sig")))]
        assert any(cell.startswith("'") for cell in cells) is is_told
