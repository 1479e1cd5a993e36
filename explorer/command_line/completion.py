"""Completion of what is typed in a shell: commands, questions, options, values, models.

The program itself is asked at every Tab, by argcomplete: what can be typed depends on plugins, on
other words (`over --ask`) and on the models that are there, and options are declared only when
their command is typed. Nothing here imports what runs models.
"""

import argparse
import os
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explorer.command_line.parsing import Parser

if TYPE_CHECKING:
    from explorer.program import Program

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "plm-explorer"
"""What is completed: the script that is installed."""
_ASKED = "_ARGCOMPLETE"
"""What a shell sets when it asks."""

Complete = Callable[..., Iterable[str] | Mapping[str, str]]


def is_asked(environment: Mapping[str, str]) -> bool:
    """Whether a shell asks how a line goes on."""
    return _ASKED in environment


def script(shell: str) -> str:
    """What a shell reads at its start."""
    from argcomplete.shell_integration import shellcode

    return str(shellcode([PROGRAM], shell=shell))


def typed_so_far(environment: Mapping[str, str]) -> list[str]:
    """The whole words before the cursor, without the program's name."""
    line = environment.get("COMP_LINE", "")
    before = line.encode()[: int(environment.get("COMP_POINT", len(line)))].decode(errors="ignore")
    lexer = shlex.shlex(before, posix=True, punctuation_chars="")
    lexer.whitespace_split, lexer.commenters = True, ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:  # the last word has a quotation mark that is still open
        return words[1:]
    return words[1:] if before[-1:].isspace() else words[1:-1]


def complete(parser: Parser, program: Callable[[], "Program"], **to: Any) -> None:
    """Tell the shell that asks how its line goes on, and end the process.

    Args:
        parser: The program's.
        program: Reads the options that stand anywhere.
        to: Where argcomplete writes, and how it ends.
    """
    import argcomplete

    former = declare_along(parser, typed_so_far(os.environ), _completers(program))
    argcomplete.autocomplete(parser, exclude=former, **to)


def declare_along(
    parser: Parser, words: Sequence[str], completers: Mapping[str, Complete]
) -> frozenset[str]:
    """Declare the arguments of a parser and of the commands that are typed.

    Args:
        parser: The program's.
        words: That are typed.
        completers: What an option's value may be, by what help calls it.

    Returns:
        Names that commands and questions had formerly: understood, and not offered.
    """
    parser.declare(words)
    for action in parser.arguments:
        if action.choices is None:
            _offer(action, completers)
    inner = parser.subcommands
    former = {name for name, one in inner.items() if one.prog.rpartition(" ")[2] != name}
    at = next((place for place, word in enumerate(words) if word in inner), None)
    if at is not None:
        former |= declare_along(inner[words[at]], words[at + 1 :], completers)
    return frozenset(former)


def _offer(action: argparse.Action, completers: Mapping[str, Complete]) -> None:
    called = action.metavar if isinstance(action.metavar, str) else ""
    if called.startswith("{"):
        vars(action)["completer"] = _offering(called.strip("{}").split(","))
    elif called in completers:
        vars(action)["completer"] = completers[called]


def _offering(offered: Iterable[str] | Mapping[str, str]) -> Complete:
    return lambda **_asked: offered


def _completers(program: Callable[[], "Program"]) -> Mapping[str, Complete]:
    """By what help calls a value: models, families, questions."""

    def models(**_asked: Any) -> Iterable[str]:
        known = program()
        return (one.id for one in known.catalogue(known.plugin_host()).list() if not one.problem)

    def families(**_asked: Any) -> Iterable[str]:
        return (record.id for record in program().plugin_host().records)

    def questions(**_asked: Any) -> Iterable[str]:
        from explorer.questions import all_questions

        return all_questions()

    def runs(**_asked: Any) -> Iterable[str]:
        from explorer.learning.runs.run_folder import runs_in

        return (one.name for one in runs_in(program().paths.training))

    return {"M": models, "M,N": models, "F": families, "Q": questions, "RUN": runs}
