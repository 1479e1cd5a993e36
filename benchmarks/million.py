"""A log of a million runs: the newest page, a search, one run opened.

    python -m benchmarks.million [--runs 1000000]

Filling it takes some minutes and four gigabytes.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.logging import median, sample, seconds
from benchmarks.row import Row
from explorer.sessions.log.identity import Ulids, iso_time, now_milliseconds
from explorer.sessions.log.rows import RunRows, rows_of
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.schema.database import connect_for_writing

RUNS = 1_000_000
AT_MOST = 0.1
REPEATS = 7
MODELS = ("bert-miniature", "roberta-miniature", "google-bert/bert-base-uncased")
SEARCHES = {
    "a word in every text": RunFilter("soup"),
    "a word in one text": RunFilter("number777"),
    "two words, one of them rare": RunFilter("guests number4321"),
    "a word in no text": RunFilter("nowhere"),
    "one model of three, a word in every text": RunFilter("soup", model_id=MODELS[1]),
    "one question": RunFilter(operation="masked_tokens"),
    "one day": RunFilter(since="2020-01-01", until="2100-01-01"),
    "with a star": RunFilter(starred=True),
}


def measure() -> list[Row]:
    """The rows of the benchmark page: the slowest of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        times = times_of(Path(folder), RUNS)
    how = f"{RUNS:,} runs, median of {REPEATS}; "
    listed, opened = times.pop("the newest 200"), times.pop("one run, whole")
    slowest = max(times, key=lambda name: times[name])
    return [
        Row("a million runs: the newest 200", listed, None, AT_MOST, how + "the log's first page"),
        Row("a million runs: the slowest search", times[slowest], None, AT_MOST, how + slowest),
        Row("a million runs: one opened", opened, None, AT_MOST, how + "from the middle"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="How quick a long log is.")
    parser.add_argument("--runs", type=int, default=RUNS)
    size = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        times = times_of(Path(folder), size)
    for name, taken in times.items():
        print(f"{taken * 1000:9.2f} ms  {name}")
    return 0 if max(times.values()) <= AT_MOST else 1


def times_of(folder: Path, size: int) -> dict[str, float]:
    """Median seconds by what is asked, with so many runs in the database."""
    database = folder / "sessions.db"
    middle = fill(database, size)
    reader = SessionReader(database)
    asked = {
        "the newest 200": reader.runs,
        "the 200 before the middle": lambda: reader.runs(before=middle),
        "one run, whole": lambda: reader.run(middle),
    }
    for name, wanted in SEARCHES.items():
        asked[name] = lambda wanted=wanted: reader.runs(wanted)  # type: ignore[misc]
    return {name: median([seconds(call) for _ in range(REPEATS)]) for name, call in asked.items()}


def fill(database: Path, size: int) -> str:
    """Put runs into the database, a millisecond apart; returns the id of the middle one."""
    ulids, start = Ulids(), now_milliseconds() - size
    session = ulids.next(start)
    connection = connect_for_writing(database)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO sessions VALUES (?, '', '', '', '', '')", (session,))
    template = rows_of(sample("number0"), ulids.next(start), session, iso_time(start))
    for number in range(size):
        copied(template, ulids.next(start + number), number).insert(connection)
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    (middle,) = connection.execute(
        "SELECT id FROM runs ORDER BY id LIMIT 1 OFFSET ?", (size // 2,)
    ).fetchone()
    connection.close()
    return str(middle)


def copied(template: RunRows, run_id: str, number: int) -> RunRows:
    """A run like the template with a text of its own."""
    text = f"number{number} " + str(template.document[1]).partition(" ")[2]
    document = (f"{number:032x}", text, *template.document[2:])
    _, session, _, created_at, question, headline, fingerprint, _, *rest = template.run
    model = MODELS[number % len(MODELS)]
    run = (run_id, session, document[0], created_at, question, headline, fingerprint, model, *rest)
    return replace(
        template,
        document=document,
        run=run,
        details=(run_id, *template.details[1:]),
        rows=tuple((run_id, *row[1:]) for row in template.rows),
        found_by=(text, template.found_by[1]),
    )


if __name__ == "__main__":
    raise SystemExit(main())
