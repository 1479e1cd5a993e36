"""The surprisal of a file's sentences at BERT base size: ours with its rows kept, and minicons."""

import math
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.rival import at_base_size, medians
from benchmarks.row import Row

SENTENCES, WORDS = 24, (5, 16)
REPEATS = 3
WHAT = (
    f"surprisal of every token of a file of {SENTENCES} sentences, BERT base size, engine to UI "
    "included, against minicons 0.3"
)


def measure() -> Row:
    """Time both in turns on the same random weights; both must find the same sums."""
    return Row(
        WHAT,
        *medians(_turns()),
        1.0,
        f"median of {REPEATS} files in turns, {WORDS[0]} to {WORDS[1]} words a sentence, random "
        "weights, float32, CPU; each token hidden alone, ranks included; ours reads the file and "
        "keeps every row on disk; minicons gets all sentences in one call, and batch_encode_plus, "
        "which it needs, under its name in transformers 5",
    )


def _turns() -> Iterator[tuple[float, float]]:
    with (
        tempfile.TemporaryDirectory() as temporary,
        at_base_size("minicons", WHAT) as (ours, theirs, words),
    ):
        # What was asked once is only read again, so every turn has sentences of its own.
        for turn in range(REPEATS + 1):
            sentences = _sentences(words, turn)
            file = Path(temporary) / f"{turn}.txt"
            file.write_text("\n".join(sentences), encoding="utf-8")
            request = _request(file)
            start = time.perf_counter()
            result = ours(request)
            mine = time.perf_counter() - start
            other, surprisals = theirs(sentences)
            _check(result, surprisals)
            yield mine, other


def _sentences(words: list[str], turn: int) -> list[str]:
    """Sentences of several lengths, others in every turn."""
    least, most = WORDS
    lengths = [least + n % (most - least + 1) for n in range(SENTENCES)]
    return [
        " ".join(words[(37 * turn + 11 * n + place) % len(words)] for place in range(length))
        for n, length in enumerate(lengths)
    ]


def _request(file: Path) -> Any:
    from explorer.questions.many.file_of_sentences.question import FileOfSentencesRequest

    return FileOfSentencesRequest(str(file), "surprisal")


def _check(result: Any, surprisals: list[list[float]]) -> None:
    from explorer.files_of_sentences.rows import ResultsReader

    rows = list(ResultsReader(Path(result.results)).cells(["pseudo-log-likelihood"]))
    sums = [math.fsum(one) for one in surprisals]
    if len(rows) != len(sums) or not all(
        math.isclose(-float(str(row[0])), theirs, rel_tol=1e-4)
        for row, theirs in zip(rows, sums, strict=True)
    ):
        raise RuntimeError("The two found different surprisals.")
