"""What a logged run costs: the caller, the writer, and a reader, as the database grows.

    python -m benchmarks.logging [--runs 0 10000 100000]

"caller" is the time record() takes, "on disk" from that call until on_written. Beside them
stands what a user would write instead: one JSON line appended to a file and brought to the disk.
"""

import argparse
import json
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.row import Row
from explorer.api.question import MaskPredictions, ModelStamp, Prediction, Token
from explorer.document import Document
from explorer.questions.masking.masked_tokens import question as fill_mask
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)
from explorer.serialise import to_builtins
from explorer.sessions.log.identity import Ulids, iso_time, now_milliseconds
from explorer.sessions.log.log import SessionLog
from explorer.sessions.log.rows import rows_of
from explorer.sessions.read.listing import RunFilter
from explorer.sessions.read.reader import SessionReader
from explorer.sessions.records import LoggedRun
from explorer.sessions.schema.database import connect_for_writing

SAMPLES = 300
AT_MOST = 0.005
STAMP = ModelStamp("bert-miniature", "bert", "0123456789abcdef" * 2, "cpu", "float32")
VERSIONS = {"python": "3.11", "torch": "2.13", "transformers": "5.23", "plm-explorer": "0.1"}


@dataclass(frozen=True)
class Cost:
    """What a run costs with so many there already, in seconds unless said otherwise."""

    runs: int
    caller: list[float]
    written: list[float]
    lines: list[float]
    listed: float
    searched: float
    megabytes: float

    def __str__(self) -> str:
        own, theirs = median(self.written), median(self.lines)
        return (
            f"{self.runs:>10,}  {_ms(median(self.caller)):>10} {_ms(worst(self.caller)):>7}"
            f"  {_ms(own):>11} {_ms(worst(self.written)):>7}  {_ms(theirs):>13}"
            f"  {own / theirs:>5.2f}  {_ms(self.listed):>7}  {_ms(self.searched):>7}"
            f"  {self.megabytes:>6.1f}"
        )


HEADER = (
    f"milliseconds, {SAMPLES} runs one after the other\n"
    f"{'runs there':>10}  {'caller p50':>10} {'p99':>7}  {'on disk p50':>11} {'p99':>7}"
    f"  {'JSON line p50':>13}  {'ratio':>5}  {'list':>7}  {'search':>7}  {'MB':>6}"
)


def measure() -> list[Row]:
    """The rows of the benchmark page."""
    with tempfile.TemporaryDirectory() as folder:
        cost = cost_of(Path(folder), 10_000)
    how = "10,000 runs there already, median of 300"
    line = "; theirs: one JSON line appended and synchronised"
    return [
        Row("logging a run, the asking thread", median(cost.caller), None, AT_MOST, how),
        Row("logging a run, until it is on disk", median(cost.written), None, AT_MOST, how),
        Row(
            "the same, against a JSON file", median(cost.written), median(cost.lines), 1, how + line
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="What a logged run costs.")
    parser.add_argument("--runs", type=int, nargs="+", default=[0, 10_000])
    sizes = parser.parse_args().runs
    print(HEADER)
    within = True
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            cost = cost_of(Path(folder), size)
            print(cost)
            within = within and max(median(cost.caller), median(cost.written)) <= AT_MOST
    return 0 if within else 1


def cost_of(folder: Path, size: int) -> Cost:
    """Measure with so many runs in the database."""
    database = folder / f"{size}.db"
    fill(database, size)
    caller, written = log_times(database)
    lines = line_times(folder / "runs.jsonl")
    reader = SessionReader(database)
    return Cost(
        size,
        caller,
        written,
        lines,
        listed=seconds(reader.runs),
        searched=seconds(lambda: reader.runs(RunFilter("nowhere to be found"))),
        megabytes=database.stat().st_size / 1e6,
    )


def fill(database: Path, size: int) -> None:
    """Put runs into the database in one transaction."""
    ulids = Ulids()
    session = ulids.next(now_milliseconds())
    connection = connect_for_writing(database)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO sessions VALUES (?, '', '', '', '', '')", (session,))
    for number in range(size):
        now = now_milliseconds()
        run = sample(f"{number} filled")
        rows_of(run, ulids.next(now), session, iso_time(now)).insert(connection)
    connection.execute("COMMIT")
    connection.close()


def log_times(database: Path) -> tuple[list[float], list[float]]:
    """Seconds of record(), and from there until the run is on disk."""
    caller: list[float] = []
    written: list[float] = []
    with SessionLog(database) as log:
        for number in range(SAMPLES + 5):
            run = sample(f"{number} logged")
            done = threading.Event()
            ends: list[float] = []

            def on_written(
                sentence: str | None,
                done: threading.Event = done,
                ends: list[float] = ends,
            ) -> None:
                ends.append(time.perf_counter())
                if sentence is not None:
                    raise RuntimeError(sentence)
                done.set()

            start = time.perf_counter()
            log.record(run, on_written)
            returned = time.perf_counter()
            if not done.wait(30):
                raise RuntimeError("a run was not written")
            if number >= 5:  # the first ones open the database
                caller.append(returned - start)
                written.append(ends[0] - start)
    return caller, written


def line_times(path: Path) -> list[float]:
    """Seconds of appending a run as one JSON line."""
    times: list[float] = []
    for number in range(SAMPLES):
        run = sample(f"{number} appended")

        def append(run: LoggedRun = run) -> None:
            kept = {**vars(run), "question": run.operation, "table": run.table}
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(to_builtins(kept)) + "\n")
                file.flush()
                os.fsync(file.fileno())

        times.append(seconds(append))
    return times


def sample(text: str) -> LoggedRun:
    """A question about a sentence of sixteen words, with ten predictions."""
    text += " the cook of the village liked the soup that she made for the guests"
    words = text.split()
    tokens = tuple(
        Token(word, i, text.index(word), text.index(word) + len(word), special=False)
        for i, word in enumerate(words)
    )
    document = Document(text).with_mask(len(text) - 6, len(text))
    predictions = tuple(Prediction(w, i, 0.5 / (i + 1), w, i + 1) for i, w in enumerate(words[:10]))
    result = MaskedTokensResult(
        STAMP, tokens, (MaskPredictions(len(words), predictions, predictions[0], 1.5),)
    )
    return LoggedRun(
        fill_mask.QUESTION,
        document,
        MaskedTokensRequest.of(document),
        result,
        {"model": STAMP},
        versions=VERSIONS,
    )


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def median(times: list[float]) -> float:
    return statistics.median(times)


def worst(times: list[float]) -> float:
    """The 99th percentile."""
    return statistics.quantiles(times, n=100)[98]


def _ms(duration: float) -> str:
    return f"{duration * 1000:.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
