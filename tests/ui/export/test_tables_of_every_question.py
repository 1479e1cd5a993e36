"""Every question's table in files: what a program reads is a table and nothing else."""

import csv
import io
import math
from pathlib import Path

import pytest

from explorer.api.question import Table
from explorer.sessions.export.bulk import export_many
from explorer.sessions.export.tables import safe_cell, table_to_csv
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.export.files import table_to_tabs
from tests.ui.pages import kind_of

STORED = Path(__file__).parents[2] / "stored_runs" / "every-question-schema-4.db"
READER = SessionReader(STORED)
RUNS = {f"{run.operation} {n}": READER.run(run.id) for n, run in enumerate(READER.runs())}


def tables_of(name: str) -> dict[str, Table]:
    """What a view can export of a recorded answer."""
    stored = RUNS[name]
    shown = Shown(stored.result, stored.document, stored.document)
    made: dict[str, Table] = kind_of(stored.summary.operation).declared.tables(shown)
    return made


def check(rows: list[list[str]], table: Table) -> None:
    """The header and as many rows with as many cells, numbers as numbers."""
    header, *body = rows
    assert header == [safe_cell(one) for one in table.columns]
    assert len(set(header)) == len(header)
    assert len(body) == len(table.rows)
    assert {len(row) for row in body} <= {len(header)}
    for written, row in zip(body, table.rows, strict=True):
        for text, cell in zip(written, row, strict=True):
            if isinstance(cell, int | float) and not isinstance(cell, bool):
                assert float(text) == cell or math.isnan(cell)
    for number, name in enumerate(table.columns):
        kinds = {type(row[number]) for row in table.rows} - {type(None)}
        assert kinds <= {int, float} or len(kinds) <= 1, f"{name} has {kinds}"


@pytest.mark.parametrize("name", RUNS)
def test_the_csv_of_every_question_is_a_table(name):
    for table in tables_of(name).values():
        text = table_to_csv(table)
        assert text.startswith("\ufeff")
        assert "" not in text.split("\r\n")[:-1]
        check(list(csv.reader(io.StringIO(text[1:], newline=""), strict=True)), table)


@pytest.mark.parametrize("name", RUNS)
def test_what_is_copied_of_every_question_is_a_table(name):
    for table in tables_of(name).values():
        lines = table_to_tabs(table).splitlines()
        assert len(lines) == 1 + len(table.rows)
        assert {line.count("\t") for line in lines} == {len(table.columns) - 1}


@pytest.mark.parametrize("name", RUNS)
def test_pandas_reads_the_csv_of_every_question(name, tmp_path):
    pandas = pytest.importorskip("pandas")
    for table in tables_of(name).values():
        path = tmp_path / "x.csv"
        path.write_text(table_to_csv(table, "By whom."), encoding="utf-8", newline="")
        frame = pandas.read_csv(path, skiprows=1)
        assert frame.shape == (len(table.rows), len(table.columns))
        for number, name_of in enumerate(table.columns):
            cells = {type(row[number]) for row in table.rows} - {type(None)}
            if cells and cells <= {int, float}:
                assert frame[name_of].dtype.kind in "if"


def test_the_whole_log_in_one_file_is_a_table(tmp_path):
    target = tmp_path / "runs.csv"
    export_many(STORED, RunFilter(), target)
    text = target.read_bytes().decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert all(rows)
    assert {len(row) for row in rows} == {len(rows[0])}
    assert len(set(rows[0])) == len(rows[0])


def test_of_attention_the_matrix_is_one_table_and_the_measures_another():
    every = next(
        n for n, run in RUNS.items() if n.startswith("attention") and not run.request.heads
    )
    tables = tables_of(every)
    assert list(tables) == ["Weights", "Measures of every head"]
    result = RUNS[every].result
    weights = tables["Weights"]
    assert weights.columns == (
        *("layer", "head", "from_position", "from", "to_position", "to", "weight"),
    )
    assert len(weights.rows) == result.overview.size
    found = {(*row[:3], row[4]): row[-1] for row in weights.rows}
    place = (1, 2, result.queries[3].first, result.keys[4].first)
    assert found[place] == result.overview[1, 2, 3, 4]
    assert len(tables["Measures of every head"].rows) == result.layers * result.heads


def test_heads_in_full_are_told_by_two_numbers():
    few = next(n for n, run in RUNS.items() if n.startswith("attention") and run.request.heads)
    tables = tables_of(few)
    assert list(tables) == ["Weights"]
    assert tables["Weights"].rows[0][:2] == (0, 0)


def test_of_bertviz_every_weight_is_a_row():
    name = next(n for n in RUNS if n.startswith("bertviz"))
    (table,) = tables_of(name).values()
    result = RUNS[name].result
    count = len(result.tokens)
    assert len(table.rows) == sum(result.layers) * result.heads * count * count
    assert all(0 <= row[-1] <= 1 for row in table.rows)
