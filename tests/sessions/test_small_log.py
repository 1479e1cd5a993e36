"""The log stays small: arrays once, few rows; and what can't be rebuilt is told."""

import json
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import ModelStamp, Table, Token, UserMistake
from explorer.document import Document
from explorer.questions import former_names
from explorer.questions.attention.query_key import question as query_key
from explorer.sessions import commands
from explorer.sessions.change.merging import merge
from explorer.sessions.change.rescue import rescue
from explorer.sessions.export.bulk import export_many
from explorer.sessions.log.log import SessionLog
from explorer.sessions.log.rows import MOST_ROWS, as_stored
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import LoggedRun

STAMP = ModelStamp("bert-miniature", "bert", "0123456789abcdef" * 2, "cpu", "float32")
BASE = 128
"""Tokens that a model of BERT's base size is asked about."""
LARGEST = 200_000
"""Bytes of a run about every pair of them; its arrays alone are 131,072."""


def pairs_run(tokens=BASE, width=64):
    """Queries and keys as a head of BERT's base size has them."""
    draw = np.random.default_rng(7)
    words = tuple(Token(f"word{n}", n, 5 * n, 5 * n + 4, special=False) for n in range(tokens))
    queries, keys = (draw.normal(size=(tokens, width)).astype(np.float32) for _ in range(2))
    weights = np.exp(queries @ keys.T / 8)
    result = query_key.QueryKeyResult(
        STAMP, words, words, "encoder", 3, 5, (("encoder", 12, 12),), queries, keys, 0.125, None,
        (weights / weights.sum(-1, keepdims=True)).astype(np.float32),
    )  # fmt: skip
    text = " ".join(word.text for word in words)
    return LoggedRun(
        query_key.QUESTION,
        Document(text),
        query_key.QueryKeyRequest(text),
        result,
        {"model": STAMP},
    )


@pytest.fixture
def log_of(database, answers):
    """Logs runs and returns their ids."""

    def log(*runs):
        with SessionLog(database) as opened:
            ids = [opened.record(run, answers) for run in runs]
        assert answers.take(len(runs)) == [None] * len(runs)
        return ids

    return log


def asked(database, query, *values):
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute(query, values).fetchall()
        connection.commit()
    return found


def test_a_run_about_every_pair_of_128_tokens_takes_little_space(database, log_of, samples):
    log_of(samples.fill_mask_run())
    asked(database, "PRAGMA wal_checkpoint(TRUNCATE)")
    before = database.stat().st_size
    log_of(pairs_run())
    asked(database, "PRAGMA wal_checkpoint(TRUNCATE)")
    assert database.stat().st_size - before < LARGEST


def test_it_is_read_back_whole_with_every_row(database, log_of):
    run = pairs_run()
    (run_id,) = log_of(run)
    stored = SessionReader(database).run(run_id)
    assert stored.unreadable == ""
    for name in ("queries", "keys", "attention"):
        np.testing.assert_array_equal(getattr(stored.result, name), getattr(run.result, name))
    assert stored.result.bias is None
    assert stored.table == as_stored(run.question.table(run.result))
    assert len(stored.table.rows) == BASE * BASE
    assert stored.summary_row == run.summary
    # Its words are found although its rows are not kept.
    found = SessionReader(database).runs(RunFilter("word127 word126"))
    assert [one.id for one in found] == [run_id]


def test_what_is_kept_can_be_read_as_the_page_says(database, log_of):
    run = pairs_run()
    (run_id,) = log_of(run)
    ((dtype, shape, packed),) = asked(
        database, "SELECT dtype, shape, packed FROM result_arrays WHERE ordinal = 2"
    )
    read = np.frombuffer(zlib.decompress(packed), dtype).reshape(json.loads(shape))
    np.testing.assert_array_equal(read, run.result.attention)
    summed = dict(asked(database, "SELECT name, value FROM summaries WHERE run_id = ?", run_id))
    assert summed == run.summary


def exported(path):
    return path.read_bytes().split(b"\r\n\r\n")[0]


def test_exports_have_the_rows_that_were_kept_before(database, log_of, tmp_path):
    """Kept row by row or made from the result, a table is the same to the last byte."""
    run = pairs_run(tokens=9)
    assert BASE * BASE > MOST_ROWS > len(run.table.rows)
    table = run.table
    twice = Table((*table.columns, "none"), tuple((*row, float("nan")) for row in table.rows))
    many = Table(twice.columns, twice.rows * (MOST_ROWS // len(twice.rows) + 1))
    few = replace(run, question=replace(run.question, table=lambda _: twice))
    (small, large) = log_of(few, replace(run, question=replace(run.question, table=lambda _: many)))
    known = replace(run.question, table=lambda _: many)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(former_names, "all_questions", lambda: {"query_key": known})
        for ending in ("csv", "json"):
            names = [tmp_path / f"{name}.{ending}" for name in ("small", "large")]
            for run_id, name in zip((small, large), names, strict=True):
                commands.export_run(database, run_id, name)
        short, long = (exported(tmp_path / f"{name}.csv") for name in ("small", "large"))
        heading, *rows = short.splitlines()
        assert long.splitlines() == [heading, *rows * (MOST_ROWS // len(rows) + 1)]
        assert commands.compare_runs(database, large, large).same
        for ending in ("csv", "json", "parquet"):
            target = tmp_path / f"all.{ending}"
            written = export_many(database, RunFilter(), target)
            assert written["rows"] == len(twice.rows) + len(many.rows)
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(tmp_path / "all.parquet").num_rows == written["rows"]


def test_merging_and_rescuing_take_the_arrays_along(database, log_of, tmp_path):
    run = pairs_run()
    (run_id,) = log_of(run)
    asked(database, "PRAGMA wal_checkpoint(TRUNCATE)")
    for take, name in ((merge, "merged.db"), (None, "rescued.db")):
        target = tmp_path / name
        taken = rescue(database, target) if take is None else take(target, database).runs
        assert taken == 1
        stored = SessionReader(target).run(run_id)
        np.testing.assert_array_equal(stored.result.attention, run.result.attention)
        assert len(stored.table.rows) == BASE * BASE
        assert SessionReader(target).runs(RunFilter("word127"))


def test_forgetting_a_run_forgets_its_arrays(database, log_of):
    (run_id,) = log_of(pairs_run())
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
        assert connection.execute("SELECT count(*) FROM result_arrays").fetchone() == (0,)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        ("DELETE FROM result_arrays WHERE ordinal = 1", "its array 1 is lost"),
        ("UPDATE result_arrays SET packed = x'00' WHERE ordinal = 1", "its array 1 is damaged"),
        ("UPDATE result_arrays SET dtype = 'O' WHERE ordinal = 1", "its array 1 is damaged"),
        ("UPDATE result_arrays SET shape = '[3]' WHERE ordinal = 1", "its array 1 is damaged"),
        ("UPDATE result_arrays SET shape = '[-1]' WHERE ordinal = 1", "its array 1 is damaged"),
        ("UPDATE result_arrays SET packed = 'text' WHERE ordinal = 1", "its array 1 is damaged"),
    ],
)
def test_a_lost_array_costs_the_result_and_is_told(
    database, log_of, samples, tmp_path, spoil, told
):
    run = pairs_run()
    ids = log_of(run, samples.fill_mask_run())
    asked(database, spoil)
    stored = SessionReader(database).run(ids[0])
    assert stored.unreadable == f"What is stored of this answer is damaged: {told}."
    assert (stored.result, stored.table) == (None, None)
    assert stored.summary_row == run.summary
    with pytest.raises(UserMistake, match=told):
        commands.export_run(database, ids[0], tmp_path / "one.csv")
    assert export_many(database, RunFilter(), tmp_path / "all.csv")["rows"] == 1 + 4


def test_an_answer_that_makes_no_table_is_kept_as_failed(database, log_of, samples):
    def fails(_result):
        raise ValueError("rows that do not fit")

    run = samples.fill_mask_run()
    (run_id,) = log_of(replace(run, question=replace(run.question, table=fails)))
    stored = SessionReader(database).run(run_id)
    assert stored.summary.failed
    assert "rows that do not fit" in stored.failure.message
    assert (stored.result, stored.table) == (None, None)
