"""What another process costs before it answers: its start, as long as it took here, and memory."""

import contextlib
import json
import statistics
import threading
from pathlib import Path

from explorer.api.question import MachineFault
from explorer.files.foreign import json_of, read_bytes
from explorer.files.private import make_folder
from explorer.files_of_sentences.runners.worth import COPY_START, START
from explorer.sessions.schema.atomic import write_atomically
from explorer.text import N_, Phrase
from explorer.text.formatting.quantities import bytes_precisely

KEPT = 5
"""Starts that are kept: what else a machine does changes how long one takes."""
LARGEST = 10_000
_WRITING = threading.Lock()


def note_start(cache: Path | None, seconds: float) -> None:
    """Keep how long a process took to be ready.

    Args:
        cache: The folder of what can be made again; None for none.
        seconds: By the clock.
    """
    if cache is None:
        return
    # It is told and nothing stands on it: a run goes on where it can't be kept.
    with _WRITING, contextlib.suppress(MachineFault, OSError):
        make_folder(cache)
        kept = [*_starts(cache), round(seconds, 2)][-KEPT:]
        write_atomically(_place(cache), json.dumps(kept).encode())


def seconds_here(cache: Path | None) -> float | None:
    """The median of the last starts on this machine; None where there was none."""
    starts = _starts(cache) if cache is not None else []
    return statistics.median(starts) if starts else None


def cost_told(needed: int, cache: Path | None, *, copies: bool) -> Phrase:
    """What each further process costs, in a sentence.

    Args:
        needed: Bytes that one takes.
        cache: Where starts are kept.
        copies: They are copies of this one.
    """
    memory, seconds = bytes_precisely(needed), seconds_here(cache)
    if copies:
        return Phrase(
            N_(
                "Each further process is a copy of this one: it is ready after about {seconds} s, "
                "and takes at most {memory} of memory, for it shares the model."
            ),
            seconds=COPY_START if seconds is None else seconds,
            memory=memory,
        )
    if seconds is None:
        return Phrase(
            N_(
                "Each further process takes about {seconds} s of a core to start, and {memory} of "
                "memory with its own copy of the model."
            ),
            seconds=START,
            memory=memory,
        )
    return Phrase(
        N_(
            "Each further process takes {seconds} s to start, as measured on this machine, and "
            "{memory} of memory with its own copy of the model."
        ),
        seconds=seconds,
        memory=memory,
    )


def _place(cache: Path) -> Path:
    return cache / "process_starts.json"


def _starts(cache: Path) -> list[float]:
    with contextlib.suppress(OSError, ValueError):
        found = json_of(read_bytes(_place(cache), LARGEST))
        if isinstance(found, list) and all(isinstance(one, int | float) for one in found):
            return [float(one) for one in found]
    return []
