"""A process of the program's own code that is told something and answers, through pipes."""

import contextlib
import os
import struct
import subprocess
from io import FileIO
from typing import IO, cast

from explorer.processes.own_processes import command_line, environment

NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Of the system's on Windows, which would show one for every process."""

_LENGTH = struct.Struct("<Q")


def piped(
    module: str,
    errors: IO[bytes] | None,
    *arguments: str,
    buffering: int = -1,
    **variables: str,
) -> "subprocess.Popen[bytes]":
    """Start a process that reads what it is told and writes what it answers.

    Args:
        module: What it runs.
        errors: A file for what it writes beside that, such as the reason of its end; None leaves
            it where this process writes such things.
        *arguments: Of its command line.
        buffering: Of its pipes, as in `open`; 0 for `PipedMessages`.
        **variables: Of its environment, beside this process's.

    Raises:
        OSError: The system starts no further process.
    """
    return subprocess.Popen(
        command_line(module, *arguments),
        bufsize=buffering,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environment(**variables),
        creationflags=NO_WINDOW,
    )


def last_line(errors: IO[bytes]) -> str:
    """The last line of what a process wrote, where the reason of its end stands; "" for none."""
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""


class PipedMessages:
    """Messages through two pipes, one a direction: bytes, and before them how many.

    One thread may read while another one writes; those that read, or write, take turns.

    Args:
        read: What the other end writes, unbuffered.
        written: What the other end reads, unbuffered.
    """

    def __init__(self, read: FileIO, written: FileIO) -> None:
        self._read = read
        self._written = written

    @staticmethod
    def with_process(process: "subprocess.Popen[bytes]") -> "PipedMessages":
        """This end of the pipes to a process that was started with them unbuffered."""
        return PipedMessages(cast("FileIO", process.stdout), cast("FileIO", process.stdin))

    def write(self, payload: bytes) -> None:
        """Write a message.

        Raises:
            OSError: Nobody is at the other end.
        """
        self._written.write(_LENGTH.pack(len(payload)))
        rest = memoryview(payload)
        while rest:
            # A pipe takes what it has room for; a file is cut at 2 GiB.
            rest = rest[self._written.write(rest) :]

    def read(self) -> bytearray:
        """Wait for the next message.

        Raises:
            EOFError: No whole one comes any more.
            OSError: The pipe is broken.
            MemoryError: There is no room for it.
        """
        (length,) = _LENGTH.unpack(self._filled(_LENGTH.size))
        return self._filled(length)

    def _filled(self, length: int) -> bytearray:
        buffer = bytearray(length)
        rest = memoryview(buffer)
        while rest:
            count = self._read.readinto(rest)
            if not count:
                raise EOFError
            rest = rest[count:]
        return buffer

    def close(self) -> None:
        """Let go of both pipes."""
        for pipe in (self._read, self._written):
            with contextlib.suppress(OSError):
                pipe.close()


def own_messages() -> PipedMessages:
    """In such a process: its end. From now on nothing that a library prints comes between."""
    ends = PipedMessages(FileIO(os.dup(0), "rb"), FileIO(os.dup(1), "wb"))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        # On Windows a program without a console has no standard error.
        os.dup2(nothing, 1)
    os.close(nothing)
    return ends
