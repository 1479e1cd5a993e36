"""Asks one question about every sentence of a file, and writes down what comes of it."""

import dataclasses
import itertools
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api import (
    Cancelled,
    Cell,
    CheckpointFault,
    Context,
    Failure,
    Operation,
    PluginFault,
    Token,
    Unavailable,
    UserMistake,
)
from explorer.questions.many.file_of_sentences.results import Outcome, ResultsWriter
from explorer.questions.many.file_of_sentences.rows import MOSTLY_UNKNOWN, NOT_COUNTED, UNKNOWN
from explorer.questions.many.file_of_sentences.sentences import Sentence, read_sentences
from explorer.text import N_, _
from explorer.text.quantities import left_of_work

AT_ONCE = 256
"""Sentences that are answered together, at most, where an operation can."""

PATIENCE = 0.5
"""Seconds after which rows are written: with the sentences under way, the most a kill costs."""

TOGETHER = 2.0
"""Seconds that sentences which are answered together should take. More of them have lengths in
common and share passes through the model; but whoever asks something else meanwhile waits."""

GROWTH = 32
"""How many times as many may come next: the first ones say little of the others' lengths."""


@dataclass(frozen=True)
class FileOfSentences:
    """A file whose sentences are asked about.

    Attributes:
        path: The file.
        column: Of a table.
        count: How many sentences it has.
        seen: `state_of` the file, from before its content was first looked at.
    """

    path: Path
    column: str
    count: int
    seen: tuple[int, ...]

    def ask(
        self,
        model: Any,
        operation: Operation[Any, Any],
        template: Any,
        writer: ResultsWriter,
        context: Context,
    ) -> None:
        """Ask about every sentence that has no row yet.

        Rows are written only while the file is still the one they belong to: what was asked of
        a file that has changed since is let go.

        Raises:
            UserMistake: The file changes meanwhile.
            MachineFault: The rows can't be written.
            Cancelled: The run was cancelled; what is done is written.
        """
        asking = _Asking(model, operation, template)
        every = read_sentences(self.path, self.column)
        sentences = itertools.islice(every, writer.count, max(self.count, writer.count))
        first, started = writer.count, time.monotonic()
        size, written = 1, started
        waiting: list[Outcome] = []

        def keep() -> None:
            self._check_unchanged()
            writer.append(waiting)
            waiting.clear()

        try:
            while some := list(itertools.islice(sentences, size)):
                begun = time.monotonic()
                waiting.extend(asking.outcomes(some, context))
                now = time.monotonic()
                if operation.run_many is not None:
                    size = next_size(len(some), now - begun)
                if now - written > PATIENCE:
                    keep()
                    written = now
                done = writer.count + len(waiting)
                left = (self.count - done) * (now - started) / (done - first)
                told = _(
                    "{done} of {count} sentences, {left_of_work}",
                    done=done,
                    count=self.count,
                    left_of_work=left_of_work(left),
                )
                context.progress(told, float(done), float(self.count))
                context.give_way(keep)
        finally:
            if waiting and state_of(self.path) == self.seen:
                writer.append(waiting)
        self._check_unchanged()

    def _check_unchanged(self) -> None:
        if state_of(self.path) != self.seen:
            raise UserMistake(
                N_("{name} changed while it was read."),
                N_("Run again: the changed file gets results of its own."),
                name=self.path.name,
            )


def next_size(count: int, seconds: float) -> int:
    """How many sentences to answer together after so many have taken so long."""
    fits = int(TOGETHER * count / max(seconds, 1e-6))
    return max(1, min(AT_ONCE, GROWTH * count, fits))


def _of_unknown(answer: Any, cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """How much of a sentence an answer is about.

    A sentence of unknown words has few tokens that anything can be said of, and looks perfect:
    its row says so and stays out of the means. A question that counts unknown tokens needs none
    of this.
    """
    tokens = getattr(answer, "tokens", ())
    own = [one for one in tokens if isinstance(one, Token) and not one.special]
    if not own or "unknown" in cells:
        return {}
    unknown = sum(one.unknown for one in own)
    found: dict[str, Cell] = {UNKNOWN: unknown}
    return found | {NOT_COUNTED: MOSTLY_UNKNOWN} if unknown > len(own) / 2 else found


class _Asking:
    """One question, for any number of sentences."""

    def __init__(self, model: Any, operation: Operation[Any, Any], template: Any) -> None:
        self.model = model
        self.operation = operation
        self.template = template

    def outcomes(self, sentences: list[Sentence], context: Context) -> Iterator[Outcome]:
        """What comes of each; a sentence that can't be answered costs no other its answer."""
        context.check()
        inner = dataclasses.replace(context, progress=lambda *_unused: None)
        requests = [self._request(sentence) for sentence in sentences]
        if self.operation.run_many is not None:
            answers = self.operation.run_many(self.model, requests, inner)
            for sentence, answer in zip(sentences, answers, strict=True):
                yield self._outcome(sentence, answer)
            return
        for sentence, request in zip(sentences, requests, strict=True):
            yield self._outcome(sentence, self._answer(request, inner))

    def _answer(self, request: Any, context: Context) -> Any:
        try:
            return self.operation.run(self.model, request, context)
        except Cancelled:
            raise
        except Exception as error:
            if ends_all(error):
                raise
            return error

    def _request(self, sentence: Sentence) -> Any:
        changes: dict[str, Any] = {"text": sentence.text}
        second = self.operation.second
        if hasattr(self.template, second):
            # What the template has is what a request without a second sentence has.
            changes[second] = sentence.pair or getattr(self.template, second)
        if hasattr(self.template, "expected"):
            changes["expected"] = sentence.expected
        return numbered(
            self.operation, dataclasses.replace(self.template, **changes), sentence.number
        )

    def _outcome(self, sentence: Sentence, answer: Any) -> Outcome:
        if isinstance(answer, Exception):
            failure = Failure.of(answer)
            return Outcome(sentence, failure=f"{failure.message} {failure.hint}".strip())
        assert self.operation.summary is not None
        pool = self.operation.pool
        more = pool.cells(answer) if pool is not None else {}
        cells = {**self.operation.summary(answer), **more}
        return Outcome(sentence, {**cells, **_of_unknown(answer, cells)})


def numbered(operation: Operation[Any, Any], request: Any, line: int) -> Any:
    """A request for the sentence at a line of a file."""
    pool = operation.pool
    return request if pool is None or pool.numbered is None else pool.numbered(request, line)


def ends_all(error: Exception) -> bool:
    """Whether an error is one that the next sentence would meet as well."""
    told = str(error)
    # What torch says, in English wherever it runs.
    signs = ("device-side assert", "CUDA error:", "HIP error:")
    is_gpu_lost = any(sign in told for sign in signs)
    return is_gpu_lost or isinstance(error, CheckpointFault | PluginFault | Unavailable)


def state_of(path: Path) -> tuple[int, ...]:
    """What of a file is another as soon as its content is."""
    try:
        found = path.stat()
    except OSError:
        return ()
    # The time of the last change can be set back by whoever writes; that of the inode can't.
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
