"""Training in a process of its own, which ends at once when the question is cancelled."""

import json
import queue
import tempfile
import threading
from collections.abc import Iterator, Mapping
from typing import IO, Any

from explorer.api.question import Context, MachineFault
from explorer.processes.piped import last_line, piped
from explorer.text import N_

WORKER = "explorer.questions.tokenizers.train_tokenizer.trainer.worker"
LOOK_EVERY = 0.05
"""Seconds between two looks whether somebody cancelled, or waits."""


def messages(wanted: Mapping[str, Any], context: Context) -> Iterator[dict[str, Any]]:
    """What the process says that is to train.

    Other questions are answered meanwhile.

    Raises:
        MachineFault: It could not be started, or ended before it was done.
        Cancelled: The run was cancelled; the process is gone then.
    """
    with tempfile.TemporaryFile() as errors:
        try:
            process = piped(WORKER, errors, RUST_BACKTRACE="0")
        except OSError as error:
            raise MachineFault(
                N_("No process could be started to train in ({why})."),
                N_("Close other programs and try again."),
                why=error.strerror or error,
            ) from error
        said: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        assert process.stdin is not None
        assert process.stdout is not None
        reader = threading.Thread(target=_read, args=(process.stdout, said), daemon=True)
        reader.start()
        try:
            try:
                process.stdin.write(json.dumps(wanted).encode())
                process.stdin.close()
            except OSError:
                pass  # it has ended; what it left says why
            while line := _next(said, context):
                yield json.loads(line)
            if process.wait() != 0:
                raise MachineFault(
                    N_("The process that trains ended before it was done ({why})."),
                    N_("Try again, or with less text."),
                    why=last_line(errors) or process.returncode,
                )
        finally:
            process.kill()
            process.wait()
            reader.join()
            process.stdout.close()


def _read(pipe: IO[bytes], said: "queue.SimpleQueue[bytes]") -> None:
    """Pass lines on; an empty one at the end."""
    for line in pipe:
        said.put(line)
    said.put(b"")


def _next(said: "queue.SimpleQueue[bytes]", context: Context) -> bytes:
    while True:
        context.check()
        context.give_way()
        try:
            return said.get(timeout=LOOK_EVERY)
        except queue.Empty:
            continue
