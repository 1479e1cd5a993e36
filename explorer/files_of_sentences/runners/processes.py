"""Sentences answered by several processes of this machine, this one among them.

Each other process loads the same checkpoints through the same plugins, and is given a block when it
is done with the one before. One that ends loses nothing: what it had not answered is given to
another, or answered here.
"""

import functools
import logging
import queue
import threading
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

from explorer.api.question import Context
from explorer.api.worker_context import WorkerContext
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.runners.blocks import LOOK_EVERY, Pending, SentenceBlock
from explorer.files_of_sentences.runners.forked import can_be_copied, copied
from explorer.files_of_sentences.runners.here import Row, rows_of
from explorer.files_of_sentences.runners.messages import BlockRows, Done, Fault, RunnerJob
from explorer.files_of_sentences.runners.other_process import OtherProcess, started
from explorer.files_of_sentences.runners.start_cost import note_start
from explorer.files_of_sentences.runners.worth import COPY_START, START, pays
from explorer.serialise import to_json

WAITING = 2048
"""Rows that may wait to be written, while another question is answered here. They are lost where
this process is killed, and answered again."""

COPY_READY = 20.0
"""Seconds in which a copy of this process has to show that it can answer."""

ENDING = 10.0
"""Seconds that a process which was killed may take to be gone."""


class Processes:
    """Answers blocks in this process and in others.

    Args:
        answering: What this process itself does.
        elsewhere: How the others are made.
        count: How many processes, this one among them.
        left: Sentences without a row, where the others are started only once it is seen that they
            are worth while; 0 starts them at once.
    """

    def __init__(
        self, answering: Answering, elsewhere: WorkerContext, count: int, *, left: int = 0
    ) -> None:
        self._answering = answering
        self._elsewhere = elsewhere
        self._count = count
        self._left = left

    def rows(self, pending: Pending, context: Context) -> Generator[Sequence[Row], None, None]:
        """Every pending sentence's row."""
        import torch

        threads = torch.get_num_threads()
        share = max(1, threads // self._count)
        question = self._answering.question.name
        job = RunnerJob(self._elsewhere, question, to_json(self._answering.template), share)
        copies = can_be_copied(share)
        copying = functools.partial(copied, self._answering, context) if copies else no_copy
        others = Others(job, self._count - 1, pending, context.cache, copying)
        start = COPY_START if copies else START
        begun, done = time.monotonic(), 0
        try:
            if not self._left:
                torch.set_num_threads(share)
                others.start()
            while not pending.all_done:
                block = pending.take()
                if block is None:
                    context.check()
                    yield others.rows(LOOK_EVERY)
                    continue
                for some in rows_of(self._answering, block, context):
                    yield [*some, *others.rows()]
                    done += len(some)
                pending.done()
                seconds = time.monotonic() - begun
                if self._left and pays(self._left - done, done, seconds, start):
                    self._left = 0
                    torch.set_num_threads(share)
                    others.start()
            while some := others.rows():
                yield some
        finally:
            others.end()
            torch.set_num_threads(threads)


def no_copy() -> None:
    """A process that can't be copied has none."""


class Others:
    """The other processes, each with a thread here that gives it blocks and takes its rows.

    Args:
        job: What one that is started anew is to do.
        count: How many there are.
        pending: What is to be answered.
        cache: Where it is kept how long a start takes; None for nowhere.
        copying: Makes a copy of this process, which is ready at once; None of it where that can't
            be.
    """

    def __init__(
        self,
        job: RunnerJob,
        count: int,
        pending: Pending,
        cache: Path | None = None,
        copying: Callable[[], OtherProcess | None] = no_copy,
    ) -> None:
        self._job = job
        self._copying = copying
        self._cache = cache
        self._count = count
        self._pending = pending
        self._arrived: queue.SimpleQueue[Sequence[Row] | Exception] = queue.SimpleQueue()
        self._fault: Exception | None = None
        self._waiting = 0
        self._lock = threading.Lock()
        self._room = threading.Event()
        self._room.set()
        self._ended = False
        self._threads: list[threading.Thread] = []
        self._processes: list[OtherProcess] = []

    def start(self) -> None:
        """Start them; returns at once."""
        # This thread is doing nothing else now, so that its copies find everything in order.
        copies = [self._copying() for _ in range(self._count)]
        for number, copy in enumerate(copies, start=2):
            thread = threading.Thread(
                target=self._serve, args=(copy,), name=f"process {number}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def rows(self, timeout: float = 0.0) -> list[Row]:
        """What has arrived from them.

        Args:
            timeout: Seconds to wait for something, where nothing has.

        Raises:
            Exception: What one of them met, and the next sentence would meet as well.
        """
        found: list[Row] = []
        while self._fault is None:
            try:
                arrived = self._arrived.get(timeout > 0 and not found, timeout)
            except queue.Empty:
                break
            if isinstance(arrived, Exception):
                self._fault = arrived
            else:
                found += arrived
        if self._fault is not None and not found:
            raise self._fault
        with self._lock:
            self._waiting -= len(found)
            self._set_room()
        return found

    def end(self) -> None:
        """End them all; what they were at is let go."""
        with self._lock:
            self._ended = True
            for process in self._processes:
                process.kill()
        self._pending.close()
        for thread in self._threads:
            thread.join(ENDING)

    def _set_room(self) -> None:
        if self._waiting < WAITING:
            self._room.set()
        else:
            self._room.clear()

    def _serve(self, copy: OtherProcess | None) -> None:
        """One process from its start to its end."""
        begun = time.monotonic()
        if copy is not None and self._is_ready(copy):
            note_start(self._cache, time.monotonic() - begun)
            self._serve_with(copy)
            return
        begun = time.monotonic()
        # The kernel ends a process with the thread that started it: this one, which outlives it.
        with self._lock:
            process = None if self._ended else started(self._job)
            if process is not None:
                self._processes.append(process)
        if process is None:
            return
        if process.is_ready():
            note_start(self._cache, time.monotonic() - begun)
        self._serve_with(process)

    def _is_ready(self, copy: OtherProcess) -> bool:
        """Whether a copy of this process shows soon enough that it can answer; else it is ended."""
        with self._lock:
            self._processes.append(copy)
        watch = threading.Timer(COPY_READY, copy.kill)
        watch.start()
        try:
            if copy.is_ready():
                return True
        finally:
            watch.cancel()
        with self._lock:
            self._processes.remove(copy)
        copy.end()
        return False

    def _serve_with(self, process: OtherProcess) -> None:
        try:
            if not process.problem:
                self._give_blocks(process)
        except Exception:
            # The file can't be read on, which whoever takes the next block here meets as well.
            logging.getLogger(__name__).debug("no more blocks", exc_info=True)
        finally:
            process.end()
            if not self._ended and process.problem:
                logging.getLogger(__name__).warning(
                    "a process that answered sentences is gone: %s", process.problem
                )

    def _give_blocks(self, process: OtherProcess) -> None:
        while (block := self._pending.wait_for_one(self._room)) is not None:
            left = self._answered(process, block)
            if left is not None:
                self._pending.give_back(left)
                return
            self._pending.done()

    def _answered(self, process: OtherProcess, block: SentenceBlock) -> SentenceBlock | None:
        """What is left of a block after a process has gone; None where it is done."""
        process.give(block)
        place = block.first
        while True:
            message: Any = process.next()
            if isinstance(message, BlockRows):
                rows = [*enumerate(message.outcomes, start=place)]
                place += len(rows)
                with self._lock:
                    self._waiting += len(rows)
                    self._set_room()
                self._arrived.put(rows)
            elif isinstance(message, Fault):
                self._arrived.put(message.error)
                return None
            elif isinstance(message, Done):
                return None
            else:
                return block.after(place - block.first)
