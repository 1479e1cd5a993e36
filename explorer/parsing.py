"""The command line's parser: one line for a mistake, arguments declared when they are needed."""

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

DONE, FAULT, MISTAKE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: done, a fault, the user's mistake, stopped by Ctrl-C."""

Declare = Callable[[argparse.ArgumentParser], None]


class Parser(argparse.ArgumentParser):
    """argparse with one line for a mistake.

    Args:
        declare: Adds the arguments when something is parsed; a command that is not typed, and a
            question that is not asked, costs nothing.

    Attributes:
        typed: What is parsed, while the arguments are declared: some depend on others.
    """

    def __init__(self, *args: Any, declare: Declare | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._declare = declare
        self.typed: tuple[str, ...] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, with the arguments declared."""
        declare, self._declare = self._declare, None
        if declare is not None:
            self.typed = tuple(args or ())
            declare(self)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line and end."""
        self.exit(MISTAKE, f"{self.prog}: {message} (see {self.prog} --help)\n")
