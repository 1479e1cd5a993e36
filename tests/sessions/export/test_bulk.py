"""Many runs in one file, in three forms that say the same."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet

from explorer.api.question import UserMistake
from explorer.sessions.export.bulk import LEADING, export_many
from explorer.sessions.log.log import SessionLog
from explorer.sessions.read.listing import RunFilter


@pytest.fixture
def filled(database, samples, answers):
    with SessionLog(database, "a morning") as log:
        for run in (samples.fill_mask_run(), samples.tokenize_run("=1+1"), samples.failed_run()):
            log.record(run, answers)
    assert answers.take(3) == [None] * 3
    return database


def test_every_row_of_every_answer_is_a_row(filled, tmp_path, samples):
    target = tmp_path / "all.csv"
    written = export_many(filled, RunFilter(), target)
    rows = list(csv.DictReader(target.read_text("utf-8-sig").splitlines()))
    expected = [
        len(samples.fill_mask_run().table.rows),
        len(samples.tokenize_run("=1+1").table.rows),
        1,
    ]
    assert written == {"file": str(target), "runs": 3, "rows": sum(expected), "skipped": 0}
    assert [row["operation"] for row in rows].count("masked_tokens") == expected[0] + 1
    first = rows[0]
    assert (first["text"], first["session"], first["word"]) == (
        "I liked the soup",
        "a morning",
        "soup",
    )
    assert float(first["probability"]) == 0.31
    assert rows[expected[0]]["text"] == "'=1+1"
    assert (rows[-1]["failed"], rows[-1]["headline"]) == ("TRUE", "Nothing is masked.")


def test_the_three_forms_say_the_same(filled, tmp_path):
    for ending in ("csv", "json", "parquet"):
        export_many(filled, RunFilter(operation="masked_tokens"), tmp_path / f"all.{ending}")
    stored = json.loads((tmp_path / "all.json").read_text("utf-8"))["rows"]
    table = parquet.read_table(tmp_path / "all.parquet").to_pylist()
    assert [name for name in table[0] if name in LEADING] == list(LEADING)
    assert [{k: v for k, v in row.items() if v is not None} for row in table] == [
        {k: v for k, v in row.items() if v is not None} for row in stored
    ]
    lines = list(csv.DictReader((tmp_path / "all.csv").read_text("utf-8-sig").splitlines()))
    assert [row["run"] for row in lines] == [row["run"] for row in stored]


def test_each_row_tells_how_its_run_came_about(database, samples, answers, tmp_path):
    usual = samples.fill_mask_run()
    other = replace(usual, request=replace(usual.request, top_k=50))
    with SessionLog(database) as log:
        for run in (usual, other):
            log.record(run, answers)
    assert answers.take(2) == [None] * 2
    for ending in ("csv", "json", "parquet"):
        target = tmp_path / f"all.{ending}"
        export_many(database, RunFilter(), target)
        if ending == "csv":
            rows = list(csv.DictReader(target.read_text("utf-8-sig").splitlines()))
        elif ending == "json":
            rows = json.loads(target.read_text("utf-8"))["rows"]
        else:
            rows = parquet.read_table(target).to_pylist()
        asked = [json.loads(row["options"])["top_k"] for row in rows]
        assert (asked[0], asked[-1]) == (10, 50)
        assert len({row["options"] for row in rows}) == 2
        for row in rows:
            assert row["role"] == "model"
            assert row["fingerprint"] == samples.STAMP.fingerprint
            assert not row["second_model"]
            assert json.loads(row["masks"]) == [{"start": 12, "end": 16, "part": 0}]
            assert json.loads(row["versions"])["torch"] == "2.13.0"


def test_both_models_of_an_answer_are_in_its_rows(tmp_path):
    target = tmp_path / "all.json"
    stored = Path(__file__).parents[2] / "stored_runs" / "every-question-schema-4.db"
    export_many(stored, RunFilter(operation="soft_targets"), target)
    row = json.loads(target.read_text("utf-8"))["rows"][0]
    assert (row["role"], row["second_role"]) == ("teacher", "student")
    assert row["model"] == "bert-miniature"
    assert row["second_model"].endswith("miniature")
    assert len(row["fingerprint"]) == len(row["second_fingerprint"]) == 32
    assert row["fingerprint"] != row["second_fingerprint"]


def test_another_ending_is_refused(filled, tmp_path):
    with pytest.raises(UserMistake, match="xlsx"):
        export_many(filled, RunFilter(), tmp_path / "all.xlsx")


def test_an_empty_log_is_an_empty_table(tmp_path):
    target = tmp_path / "none.parquet"
    assert export_many(tmp_path / "no.db", RunFilter(), target)["runs"] == 0
    assert parquet.read_table(target).num_rows == 0
