"""Asks one question about every sentence of a file, and writes down what comes of it."""

import hashlib
import heapq
import itertools
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api.question import MODEL, Context, LayersFrom0, ModelStamp, Question, UserMistake
from explorer.files.typed_paths import unreadable
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.repeated import Repeats, RowsOfAll
from explorer.files_of_sentences.results import ResultsKey, ResultsWriter, SentenceOutcome
from explorer.files_of_sentences.rows import ResultsReader
from explorer.files_of_sentences.runners.blocks import Pending, blocks
from explorer.files_of_sentences.runners.choice import runner_of
from explorer.files_of_sentences.runners.here import Row
from explorer.files_of_sentences.sentences import FileSentence, FileSurvey, read_sentences
from explorer.serialise import to_json
from explorer.text import N_, _
from explorer.text.formatting.quantities import left_of_work

PATIENCE = 0.5
"""Seconds after which rows are written: with the sentences under way, the most a kill costs."""


@dataclass(frozen=True)
class FileOfSentences:
    """A file whose sentences are asked about.

    Attributes:
        path: The file.
        column: Of a table.
        count: How many sentences it has.
        seen: `state_of` the file, from before its content was first looked at.
        pair_column: Of a table: that of second sentences.
    """

    path: Path
    column: str
    count: int
    seen: tuple[int, ...]
    pair_column: str = ""

    def ask(
        self,
        model: Any,
        question: Question[Any, Any],
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
        count = max(self.count, writer.count)

        def every() -> Iterator[FileSentence]:
            return itertools.islice(read_sentences(self.path, self.column, self.pair_column), count)

        numbered = question.pool is not None and question.pool.numbered is not None
        repeats = Repeats.of(every(), apart=numbered)
        asked = repeats.asked(writer.count)
        pending = Pending(blocks(repeats.once(every()), asked, context.models))
        answering = Answering(model, question, template)
        runner = runner_of(answering, context, len(repeats.first) - asked)
        first, started = writer.count, time.monotonic()
        arrived, written = _InOrder(asked), started
        all_rows = RowsOfAll(repeats, every(), first, ResultsReader(writer.path))
        ready = [*all_rows.add(())]  # the last sentences may all be answered already
        done = first + len(ready)

        def keep() -> None:
            self._check_unchanged()
            writer.append(ready)
            ready.clear()

        rows = runner.rows(pending, context)
        try:
            for some in rows:
                arrived.add(some)
                made = [*all_rows.add(arrived.ready)]
                arrived.ready.clear()
                ready += made
                done += len(made)
                now = time.monotonic()
                if ready and now - written > PATIENCE:
                    keep()
                    written = now
                if some:
                    # Of sentences that come again nothing is left to ask.
                    far = done + arrived.early
                    left = (self.count - far) * (now - started) / max(1, far - first)
                    told = _(
                        "{done} of {count} sentences, {left_of_work}",
                        done=far,
                        count=self.count,
                        left_of_work=left_of_work(left),
                    )
                    context.progress(told, float(far), float(self.count))
                context.give_way(keep)
        finally:
            rows.close()
            if ready and state_of(self.path) == self.seen:
                writer.append(ready)
        self._check_unchanged()

    def _check_unchanged(self) -> None:
        if state_of(self.path) != self.seen:
            raise UserMistake(
                N_("{name} changed while it was read."),
                N_("Run again: the changed file gets results of its own."),
                name=self.path.name,
            )


class _InOrder:
    """Rows that come in any order, each ready to be written once all before it are.

    Attributes:
        ready: In the order of what was asked, without those that were taken out.
    """

    def __init__(self, first: int) -> None:
        self.ready: list[SentenceOutcome] = []
        self._count = 0
        self._next = first
        self._early: list[tuple[int, int, SentenceOutcome]] = []

    @property
    def early(self) -> int:
        """Rows that have come and wait for others."""
        return len(self._early)

    def add(self, rows: Iterable[Row]) -> None:
        """Take rows."""
        for place, outcome in rows:
            self._count += 1
            heapq.heappush(self._early, (place, self._count, outcome))
        while self._early and self._early[0][0] == self._next:
            self.ready.append(heapq.heappop(self._early)[-1])
            self._next += 1


def state_of(path: Path) -> tuple[int, ...]:
    """What of a file is another as soon as its content is."""
    try:
        found = path.stat()
    except OSError:
        return ()
    # The time of the last change can be set back by whoever writes; that of the inode can't.
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def digest_of(path: Path) -> str:
    """blake2b of a file, 32 hexadecimal digits.

    Raises:
        UserMistake: It can't be read.
    """
    digest = hashlib.blake2b(digest_size=16)
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise unreadable(path, error, N_("Try again.")) from error
    return digest.hexdigest()


def asked_about(
    path: Path,
    told: FileSurvey,
    question: Question[Any, Any],
    template: Any,
    stamps: Mapping[str, ModelStamp],
) -> ResultsKey:
    """What a results file is named by.

    Args:
        path: The file of sentences.
        told: What is in it.
        question: The question.
        template: It, its text empty.
        stamps: Who plays which role.
    """
    return ResultsKey(
        digest_of(path),
        told.column,
        question.name,
        to_json(template),
        tuple(_played(role, stamp) for role, stamp in stamps.items()),
        told.pair_column if told.columns else "",
        any(isinstance(one, LayersFrom0) for one in question.upgrades),
    )


def _played(role: str, stamp: ModelStamp) -> str:
    """Who plays a role, as a results file is named by it."""
    who = f"{stamp.fingerprint} {stamp.dtype}"
    return who if role == MODEL else f"{role} {who}"
