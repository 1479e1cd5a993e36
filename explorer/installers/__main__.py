"""``python -m explorer.installers NAME`` builds an installer, or tries one."""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from explorer import installers
from explorer.installers.failures import BuildFailure

DONE, FAULT = 0, 1


class InstallerCommand(Protocol):
    """What a file of this folder holds that is a command."""

    NAME: str
    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare what the command takes."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it; returns the exit status.

        Raises:
            BuildFailure: A step that needs somebody to do something.
        """


def all_commands() -> Mapping[str, InstallerCommand]:
    """The commands by name, in alphabetical order."""
    modules = [
        importlib.import_module(f"{installers.__name__}.{found.name}")
        for found in pkgutil.iter_modules(installers.__path__)
        if found.name != "__main__"
    ]
    commands = [cast("InstallerCommand", module) for module in modules if hasattr(module, "NAME")]
    return {command.NAME: command for command in sorted(commands, key=lambda one: one.NAME)}


def make_parser(available: Mapping[str, InstallerCommand]) -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.installers",
        description="Build what runs PLM Explorer where no Python is, and try it.",
    )
    subparsers = parser.add_subparsers(dest="command", metavar="NAME", required=True)
    for name, command in available.items():
        command.add_arguments(
            subparsers.add_parser(name, help=command.HELP, description=command.HELP)
        )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns the exit status: 0 done, 1 failed, 2 a mistake in the command."""
    available = all_commands()
    args = make_parser(available).parse_args(arguments)
    try:
        return available[args.command].run(args)
    except BuildFailure as failure:
        sys.stderr.write(f"{failure}\n")
        return FAULT


if __name__ == "__main__":
    sys.exit(main())
