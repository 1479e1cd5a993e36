"""A file of sentences answered by two processes, against one: `over` without the window.

`python -m benchmarks.processes [--start]` prints what was measured, without touching the page:
with --start, what another process takes to be ready.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.row import Row

MODEL = "bert-miniature"
SENTENCES = 10_000
REPEATS = 3
PROCESSES = 2
WHAT = (
    f"surprisal of {SENTENCES:,} sentences of the small world, {MODEL}, by {PROCESSES} processes, "
    "against one with all cores"
)


def measure(sentences: int = SENTENCES, repeats: int = REPEATS) -> Row:
    """Time both in turns; every process that is started is in the time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sentences.txt"
        file.write_text("\n".join(_sentences(sentences)), encoding="utf-8")
        times: dict[int, list[float]] = {PROCESSES: [], 1: []}
        for turn in range(repeats):
            for count, taken in times.items():
                taken.append(_seconds(file, count, Path(folder) / f"{count}-{turn}"))
    return Row(
        WHAT,
        statistics.median(times[PROCESSES]),
        statistics.median(times[1]),
        0.6,
        f"median of {repeats} in turns, the start of the other process included, each token hidden "
        "alone, rows on disk, float32, CPU",
    )


def _sentences(count: int) -> list[str]:
    from explorer.world.corpus import documents

    found: list[str] = []
    for document in documents(7):
        found += document.sentences
        if len(found) >= count:
            break
    return found[:count]


def _seconds(file: Path, processes: int, profile: Path) -> float:
    from explorer.api.question import Context
    from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest

    runner = _runner(profile, processes)
    request = FileOfSentencesRequest(str(file), "surprisal")
    start = time.perf_counter()
    result = runner.ask(request, {"model": "A"}, Context(results=profile / "results"))
    taken = time.perf_counter() - start
    if result.done != result.count or result.failed:
        raise RuntimeError("Not every sentence was answered.")
    return taken


def _runner(profile: Path, processes: int) -> Any:
    from explorer.api.family import LoadOptions
    from explorer.api.question import Context
    from explorer.api.worker_context import Parallelism
    from explorer.engine.process.surroundings import prepare_environment
    from explorer.paths import Paths
    from explorer.program import Program

    prepare_environment()
    runner = Program(Paths.profile(profile)).runner(Parallelism(processes))
    runner.load("A", MODEL, LoadOptions(device="cpu"), Context())
    return runner


def start() -> tuple[float, float]:
    """Seconds, of the clock and of a core, until another process is ready to answer."""
    import psutil

    from explorer.api.question import Context
    from explorer.files_of_sentences.runners.messages import RunnerJob
    from explorer.files_of_sentences.runners.other_process import started
    from explorer.questions.masking.surprisal.question import SurprisalRequest
    from explorer.serialise import to_json

    with tempfile.TemporaryDirectory() as profile:
        elsewhere = _runner(Path(profile), 2).with_models({"model": "A"}, Context()).elsewhere
        assert elsewhere is not None
        begun = time.perf_counter()
        process = started(RunnerJob(elsewhere, "surprisal", to_json(SurprisalRequest("")), 1))
        assert process is not None
        if not process.is_ready():
            raise RuntimeError(process.problem)
        taken = time.perf_counter() - begun
        (child,) = psutil.Process().children()
        used = child.cpu_times()
        process.end()
    return taken, used.user + used.system


if __name__ == "__main__":
    if "--start" in sys.argv:
        clock, core = start()
        sys.stdout.write(f"ready after {clock:.1f} s, {core:.1f} s of a core; ")
    else:
        count = next((int(one) for one in sys.argv[1:] if one.isdecimal()), SENTENCES)
        row = measure(count, 1 if "--once" in sys.argv else REPEATS)
        assert row.theirs is not None
        sys.stdout.write(f"{row.theirs:.1f} s / {row.ours:.1f} s = {row.theirs / row.ours:.2f} x; ")
    sys.stdout.write(f"load {', '.join(f'{one:.1f}' for one in os.getloadavg())}\n")
