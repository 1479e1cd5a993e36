"""The command line's parser: one line for a mistake, arguments declared when they are needed."""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from explorer.command_line.argparse_texts import translate_argparse
from explorer.printing.columns import wrapped
from explorer.text import _

DONE, FAULT, MISTAKE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: done, a fault, the user's mistake, stopped by Ctrl-C."""
FEW, NEAR = 8, 0.6
"""Names that are all told where one is mistyped, and how like one of more must be to be meant."""

translate_argparse()

Declare = Callable[[argparse.ArgumentParser], None]


class Help(argparse.HelpFormatter):
    """argparse's help, in lines as wide as the terminal whatever the letters are."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(f"{indent}{line}" for line in wrapped(text, width - len(indent)))


class Parser(argparse.ArgumentParser):
    """argparse with one line for a mistake, and its help in any letters.

    Args:
        declare: Adds the arguments when something is parsed; a command that is not typed, and a
            question that is not asked, costs nothing.

    Attributes:
        typed: What is parsed, while the arguments are declared: some depend on others.
    """

    def __init__(self, *args: Any, declare: Declare | None = None, **options: Any) -> None:
        super().__init__(*args, **{"formatter_class": Help, **options})
        self._declare = declare
        self.typed: tuple[str, ...] = ()

    @property
    def arguments(self) -> Sequence[argparse.Action]:
        """What is declared."""
        return self._actions

    @property
    def subcommands(self) -> Mapping[str, "Parser"]:
        """What stands for itself behind what this one parses, by its names."""
        found: dict[str, Parser] = {}
        for one in self._actions:
            if isinstance(one.choices, dict):
                found.update(one.choices)
        return found

    def declare(self, typed: Iterable[str]) -> None:
        """Declare the arguments, unless they are.

        Args:
            typed: What is parsed.
        """
        declare, self._declare = self._declare, None
        if declare is not None:
            self.typed = tuple(typed)
            declare(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, with the arguments declared."""
        self.declare(args or ())
        return super().parse_known_args(args, namespace)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Name the nearest of many names in the place of all of them."""
        names = [*(action.choices or ())]
        if isinstance(value, str) and names and value not in names and len(names) > FEW:
            written = value.casefold().replace("_", "-")
            near = get_close_matches(written, [one for one in names if "_" not in one], 1, NEAR)
            if near:
                told = _("There is no {name}. Did you mean {near}?", name=value, near=near[0])
                raise argparse.ArgumentError(None, told)
        super()._check_value(action, value)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line and end."""
        see = f"{self.prog} --help"
        told = _("{prog}: {message} (see {command})", prog=self.prog, message=message, command=see)
        self.exit(MISTAKE, f"{told}\n")
