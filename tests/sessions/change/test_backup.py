import sqlite3
from contextlib import closing

from explorer.sessions.change.backup import copy_database


def test_a_copy_is_whole_while_another_connection_writes(tmp_path):
    source, target = tmp_path / "a.db", tmp_path / "b.db"
    with closing(sqlite3.connect(source)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE t (n)")
        writer.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(100)])
        writer.commit()
        writer.execute("INSERT INTO t VALUES (100)")  # not committed: not in the copy
        copy_database(source, target)
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT count(*), max(n) FROM t").fetchone() == (100, 99)
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert not (tmp_path / "b.db-wal").exists()


def test_an_older_copy_is_replaced(tmp_path):
    source, target = tmp_path / "a.db", tmp_path / "b.db"
    target.write_bytes(b"something older")
    with closing(sqlite3.connect(source)) as writer:
        writer.execute("CREATE TABLE t (n)")
        writer.commit()
    copy_database(source, target)
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT count(*) FROM t").fetchone() == (0,)
