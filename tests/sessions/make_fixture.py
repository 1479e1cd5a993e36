"""Writes fixtures/schema-<n>.db: a database as this version makes it, for later migration tests.

Run it once for each schema, before the next step is added, and never again for an older one:

    PYTHONPATH=. python tests/sessions/make_fixture.py
"""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import sample_runs

from explorer.sessions.log.log import SessionLog
from explorer.sessions.schema import migrations

TARGET = Path(__file__).parent / "fixtures" / f"schema-{len(migrations.STEPS)}.db"


def main() -> int:
    """Make the file, unless it is there."""
    if TARGET.exists():
        print(f"{TARGET.name} exists and is kept.", file=sys.stderr)
        return 2
    refused: list[str] = []

    def on_written(sentence: str | None) -> None:
        if sentence is not None:
            refused.append(sentence)

    with SessionLog(TARGET, "A session to remember") as log:
        for run in (
            sample_runs.fill_mask_run(),
            sample_runs.tokenize_run(),
            sample_runs.failed_run(),
        ):
            log.record(run, on_written)
    if refused:
        print(*refused, sep="\n", file=sys.stderr)
        return 1
    with closing(sqlite3.connect(TARGET)) as connection:
        # The machine it was made on does not matter.
        connection.execute("UPDATE sessions SET platform = 'Linux-6.1-x86_64'")
        connection.commit()
        connection.execute("VACUUM")
    return 0


if __name__ == "__main__":
    sys.exit(main())
