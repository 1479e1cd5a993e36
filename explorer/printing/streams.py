"""Standard output and error that let no file, model, token or exception move the cursor."""

import contextlib
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO, cast

from explorer.text.printable import printable


class PrintableStream:
    """A stream that writes control characters out, but for new lines and tabs.

    Everything but writing is the stream's own.

    Attributes:
        own: The stream; the program itself moves a terminal's cursor through it.
    """

    def __init__(self, own: TextIO) -> None:
        self.own = own

    def write(self, text: str) -> int:
        """Write a text that nothing in it turns into something else."""
        self.own.write(printable(text))
        return len(text)

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
    if out is None or err is None:  # a window that was started without a console
        yield
        return
    one = cast("TextIO", PrintableStream(out))
    other = cast("TextIO", PrintableStream(err))
    with contextlib.redirect_stdout(one), contextlib.redirect_stderr(other):
        yield


def terminal() -> TextIO:
    """Standard error as it is, for what the program draws on a terminal by itself."""
    return cast("TextIO", getattr(sys.stderr, "own", sys.stderr))
