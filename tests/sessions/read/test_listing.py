"""The list of runs: who played in each."""

import sqlite3

from explorer.sessions.read.listing import played_in


def test_models_of_more_runs_than_a_statement_takes_values():
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE run_models (run_id TEXT, ordinal INTEGER, model_id TEXT)")
    played = [("a", 1, "student"), ("a", 0, "teacher"), ("b", 0, "bert"), ("other", 0, "gpt2")]
    connection.executemany("INSERT INTO run_models VALUES (?, ?, ?)", played)
    most = connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 5)
    assert most > 5
    run_ids = ["a", "b", *(f"none {number}" for number in range(10))]
    assert played_in(connection, run_ids) == {"a": ["teacher", "student"], "b": ["bert"]}
    assert played_in(connection, []) == {}
    connection.close()
