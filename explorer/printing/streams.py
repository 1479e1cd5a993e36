"""Standard output and error that let no file, model, token or exception move the cursor."""

import contextlib
import errno
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO, cast

from explorer.api.question import MachineFault
from explorer.text import N_
from explorer.text.printable import printable


class PrintableStream:
    """A stream that writes control characters out, but for new lines and tabs.

    Everything but writing is the stream's own.

    Args:
        own: The stream.
        may_be_lost: What can't be written is left out: there is no other place to tell of that.

    Attributes:
        own: The stream; the program itself moves a terminal's cursor through it.
    """

    def __init__(self, own: TextIO, *, may_be_lost: bool = False) -> None:
        self.own = own
        self._may_be_lost = may_be_lost

    def write(self, text: str) -> int:
        """Write a text that nothing in it turns into something else.

        Raises:
            BrokenPipeError: Whoever read it has had enough.
            MachineFault: It can't be written.
        """
        with self._told():
            self.own.write(printable(text))
        return len(text)

    def flush(self) -> None:
        """Write what was kept until there is more of it; raises as `write` does."""
        with self._told():
            self.own.flush()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            if not self._may_be_lost:
                raise _unwritable(error.strerror or str(error)) from error

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts likewise."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)


@contextlib.contextmanager
def printable_output() -> Iterator[None]:
    """Let whatever is printed inside be printable."""
    out, err = sys.stdout, sys.stderr
    with contextlib.ExitStack() as meanwhile:
        if err is None and os.name == "posix":  # it was closed (2>&-)
            err = meanwhile.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
        # A window may be started without a console.
        if out is not None:
            meanwhile.enter_context(
                contextlib.redirect_stdout(cast("TextIO", PrintableStream(out)))
            )
        if err is not None:
            other = cast("TextIO", PrintableStream(err, may_be_lost=True))
            meanwhile.enter_context(contextlib.redirect_stderr(other))
        yield


def refuse_closed_output() -> None:
    """Refuse to begin what nobody would see.

    Raises:
        MachineFault: Standard output was closed. On Windows a program without a console has none.
    """
    if sys.stdout is None and os.name == "posix":
        raise _unwritable(os.strerror(errno.EBADF))


def give_up_output() -> None:
    """Drop what is left to be written where it can't be; Python would complain at its end."""
    try:
        sys.stdout.flush()
    except (OSError, MachineFault):
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except AttributeError:
        pass  # there is none


def _unwritable(why: str) -> MachineFault:
    return MachineFault(
        N_("The answer can't be printed: standard output can't be written ({why})."),
        N_("Send it to a terminal, or into a file where there is room."),
        why=why,
    )


def terminal() -> TextIO:
    """Standard error as it is, for what the program draws on a terminal by itself."""
    return cast("TextIO", getattr(sys.stderr, "own", sys.stderr))
