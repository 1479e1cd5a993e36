"""A file of pairs judged by the headless program, from its start to its end."""

import csv
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.row import Row

PAIRS = 600
ROOT = Path(__file__).resolve().parents[1]


def measure() -> Row:
    """`main.py over FILE --ask sentence_pair` in a process of its own, with what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pairs.csv"
        _write(file)
        command = (
            *(sys.executable, str(ROOT / "main.py"), "--profile", str(Path(folder) / "profile")),
            *("--device", "cpu", "over", str(file), "--ask", "sentence_pair"),
            *("--model", "bert-miniature", "--json"),
        )
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - start
    told = json.loads(done.stdout)
    if (told["done"], told["failed"], told["pooled"]["pairs"]) != (PAIRS, 0, PAIRS):
        raise RuntimeError("Some pairs have no answer.")
    return Row(
        f"{PAIRS} pairs of a file judged by BERT's miniature, headless",
        seconds,
        None,
        10.0,
        "the whole command in a process of its own, its start, the model and the rows on disk "
        "included; half of the pairs follow each other in the small world",
    )


def _write(file: Path) -> None:
    """Sentences of the small world with what follows them, every other one with any other."""
    from explorer.world.tasks.continuations import continuations

    generator, known = random.Random(0), continuations()
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("text", "pair", "label"))
        for number in range(PAIRS):
            first, second = generator.choice(known)
            if number % 2:
                writer.writerow((first, generator.choice(known)[1], "is not next"))
            else:
                writer.writerow((first, second, "is next"))
