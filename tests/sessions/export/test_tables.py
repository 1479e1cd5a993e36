"""Tables in files: what a spreadsheet and a program read is what was in the table."""

import csv
import io
import json
import math
from datetime import datetime

import pytest

from explorer.api import ModelStamp, Table
from explorer.document import Document
from explorer.sessions.export.tables import (
    caption,
    caption_file,
    caption_of,
    safe_cell,
    table_to_csv,
    table_to_json,
    write_csv,
)
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.reader import SessionReader

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


def test_a_caption_says_where_the_numbers_come_from():
    document = Document("I liked the soup", "It was\nhot").with_mask(12, 16).with_mask(7, 10, 1)
    stamp = ModelStamp("bert-miniature", "bert", "0123456789abcdef" * 2, "cuda:0", "float16")
    found = caption(
        "masked_tokens",
        document,
        stamp,
        {"python": "3.11", "torch": "2.13"},
        "2025-01-02T03:04:05Z",
        3,
    )
    assert found == (
        "Masked tokens."
        " Model: bert-miniature (family bert, fingerprint 0123456789ab, float16 on cuda:0)."
        " Text: “I liked the soup”. Second text: “It was hot”. Masked: “soup”, “hot”."
        " Seed 3. python 3.11, torch 2.13. 2025-01-02T03:04:05Z."
    )


def test_a_caption_that_is_read_has_its_moment_in_the_readers_language(speak):
    created = "2025-11-03T13:05:09.123Z"
    asked = ("masked_tokens", None, None, {}, created, 3)
    local = datetime.fromisoformat(created).astimezone()
    english = caption(*asked, in_file=False)
    assert english.endswith(f" Seed 3. {local:%d} Nov 2025 {local:%H:%M}.")
    speak("ko")
    korean = caption(*asked, in_file=False)
    assert korean.endswith(f" 2025년 11월 {local.day}일 {local:%H:%M}.")
    assert caption(*asked).endswith(f" {created}.")


@pytest.mark.parametrize(("text", "said"), [("It was hot.", "“It was hot.” "), ("Hot", "“Hot”. ")])
def test_a_caption_has_one_full_stop_after_a_text(text, said):
    found = caption("masked_tokens", Document(text, text), None, {}, "2025-01-02T03:04:05Z")
    assert f"Text: {said}Second text: {said}" in found


def test_a_caption_is_one_paragraph_for_any_run():
    found = caption("gone", Document("line\n" * 500), None, {}, "2025-01-02T03:04:05Z")
    assert found.startswith("gone. No model. Text: “line line")
    assert "\n" not in found
    assert len(found) < 600


def test_a_stored_run_has_its_caption(database, samples, answers):
    with SessionLog(database) as log:
        run_id = log.record(samples.fill_mask_run(), answers)
    stored = SessionReader(database).run(run_id)
    run = samples.fill_mask_run()
    assert caption_of(stored) == caption(
        "masked_tokens", run.document, run.model, run.versions, stored.summary.created_at, 7
    )
