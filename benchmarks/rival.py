"""Another program's way to the same numbers, in a process of its own that waits between asks.

What the program never needs is no dependency of it. Install these where a Python of their own
finds them beside torch and transformers, and name that Python:

    python -m venv --system-site-packages FOLDER
    FOLDER/bin/pip install -c constraints.txt interpkit==0.7.0 minicons==0.3.39
    PLM_EXPLORER_BENCHMARK_PYTHON=FOLDER/bin/python python -m benchmarks lens file_of_sentences
"""

import importlib
import importlib.metadata
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.child import ROOT
from benchmarks.engine import engine_with
from benchmarks.random_bert import save_bert_base
from benchmarks.row import NotMeasured

PYTHON = "PLM_EXPLORER_BENCHMARK_PYTHON"
"""Names the Python that finds the other programs; without it, the one that measures."""

Asking = Callable[[Any], tuple[float, Any]]
"""From what is asked to the seconds it took the other program, and its answer."""


@contextmanager
def rival(name: str, folder: Path, what: str) -> Iterator[Asking]:
    """Another program with a model loaded.

    Args:
        name: Of the program: interpkit or minicons.
        folder: The model's.
        what: The row that can't be measured without it.

    Raises:
        NotMeasured: It can't be started.
    """
    python = os.environ.get(PYTHON, sys.executable)
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    with tempfile.TemporaryFile("w+") as told:
        child = subprocess.Popen(
            [python, "-m", __name__, name, str(folder)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        answers, asks = child.stdout, child.stdin

        def read() -> Any:
            line = answers.readline()
            if not line:
                child.wait()
                told.seek(0)
                last = (told.read().strip().splitlines() or ["it ended"])[-1]
                raise NotMeasured(what, f"{name} can't be run by {PYTHON}: {last}")
            return json.loads(line)

        def ask(asked: Any) -> tuple[float, Any]:
            asks.write(json.dumps(asked) + "\n")
            asks.flush()
            seconds, answer = read()
            return float(seconds), answer

        try:
            read()
            yield ask
        finally:
            asks.close()
            answers.close()
            child.wait()


def _interpkit(folder: str) -> Callable[[Any], Any]:
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    interpkit = importlib.import_module("interpkit")
    _check("interpkit", "0.7")
    model = interpkit.load(
        # By its name alone, a BERT would be read as a model that sees only what comes before.
        AutoModelForMaskedLM.from_pretrained(folder).eval(),
        tokenizer=AutoTokenizer.from_pretrained(folder),
    )

    def lens(text: str) -> list[list[float]]:
        layers = model.lens(text)
        return [[float(one["top1_prob"]) for one in layer["positions"]] for layer in layers]

    return lens


def _minicons(folder: str) -> Callable[[Any], Any]:
    scorer = importlib.import_module("minicons.scorer")
    _check("minicons", "0.3")
    model = scorer.MaskedLMScorer(folder, "cpu")
    kind = type(model.tokenizer)
    if not hasattr(kind, "batch_encode_plus"):
        # transformers 5 has it under another name alone.
        kind.batch_encode_plus = kind.__call__

    def surprisals(sentences: list[str]) -> list[list[float]]:
        scores = model.token_score(sentences, surprisal=True, rank=True)
        return [[float(one[1]) for one in sentence] for sentence in scores]

    return surprisals


def _check(package: str, version: str) -> None:
    found = importlib.metadata.version(package)
    if not found.startswith(version):
        raise RuntimeError(f"{package} {version} is compared with, and {found} is installed")


def _serve(name: str, folder: str) -> None:
    """In the child: load, say so, then answer line by line."""
    # What the program itself prints is part of its work, but must not get among the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    work = {"interpkit": _interpkit, "minicons": _minicons}[name](folder)

    def say(content: Any) -> None:
        answers.write(json.dumps(content) + "\n")
        answers.flush()

    say("ready")
    for line in sys.stdin:
        asked = json.loads(line)
        start = time.perf_counter()
        answer = work(asked)
        say((time.perf_counter() - start, answer))


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2])


@contextmanager
def at_base_size(package: str, what: str) -> Iterator[tuple[Any, Any, list[str]]]:
    """Our engine and a rival on the same random weights of BERT base size.

    Args:
        package: The rival's.
        what: The row, for the reason why there is no number.

    Yields:
        What asks ours, what asks theirs, and words that the model knows.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert-base-random"
        words = save_bert_base(folder)
        with rival(package, folder, what) as theirs, engine_with(folder) as ours:
            yield ours, theirs, words


def medians(turns: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """What both sides took, in the middle of their turns; the first turn warms both up."""
    (_warming, *counted) = turns
    ours, theirs = zip(*counted, strict=True)
    return statistics.median(ours), statistics.median(theirs)
