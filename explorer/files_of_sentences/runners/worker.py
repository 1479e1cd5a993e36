"""The process that answers blocks of sentences for another one, until that one ends it."""

import os
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from explorer.files_of_sentences.results import SentenceOutcome
from explorer.files_of_sentences.runners.blocks import SentenceBlock
from explorer.files_of_sentences.runners.copied import Copy, portable
from explorer.files_of_sentences.runners.messages import (
    BlockRows,
    Done,
    Fault,
    RunnerJob,
    RunnerReady,
    receive,
    send,
)
from explorer.files_of_sentences.sentences import FileSentence
from explorer.processes.piped import PipedMessages, own_messages


def main(messages: PipedMessages) -> None:
    """Load the models, then answer what comes."""
    from explorer.engine.process import surroundings

    surroundings.ignore_interrupts()
    job: RunnerJob = receive(messages)
    surroundings.prepare_environment()
    surroundings.keep_freed_memory()
    copy = Copy(job.elsewhere, job.operation, job.template)
    answer_blocks(messages, lambda: copy.load(job.threads), copy.steps)


def answer_blocks(
    messages: PipedMessages,
    load: Callable[[], None],
    steps: Callable[[Sequence[FileSentence]], Iterator[list[SentenceOutcome]]],
) -> None:
    """Answer what comes, until the other process ends this one.

    Args:
        messages: To and from it.
        load: What has to be done before; what it raises is told, and that is the end.
        steps: What comes of sentences, as many at a time as are answered together.
    """
    given: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(messages, given), daemon=True).start()
    try:
        load()
    except Exception as error:  # noqa: BLE001 - the other process goes on without this one
        send(messages, Fault(portable(error)))
        return
    send(messages, RunnerReady())
    while True:
        block: SentenceBlock = given.get()
        try:
            for outcomes in steps(block.sentences):
                send(messages, BlockRows(outcomes))
        except Exception as error:  # noqa: BLE001 - told to who asked, which ends this one
            send(messages, Fault(portable(error)))
            return
        send(messages, Done())


def _read(messages: PipedMessages, given: "queue.SimpleQueue[Any]") -> None:
    """Pass blocks on; end with the process that sends them, whatever is under way."""
    while (block := receive(messages)) is not None:
        given.put(block)
    os._exit(0)


if __name__ == "__main__":
    main(own_messages())
