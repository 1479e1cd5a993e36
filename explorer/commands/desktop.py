"""`desktop`: the program among the desktop's programs: its entry, its icon, its kinds of files."""

import argparse
import sys

from explorer.api.question import UserMistake
from explorer.command_line.options.global_options import add_global_options
from explorer.headless import print_json
from explorer.program import Program
from explorer.text import N_, _

NAME = "desktop"
HELP = N_("write or remove the program's desktop entry")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    install = actions.add_parser(
        "install", help=_("write its entry, its icon and the kinds of files it opens")
    )
    remove = actions.add_parser("remove", help=_("remove what install wrote"))
    for subparser in (install, remove):
        subparser.add_argument("--json", action="store_true", help=_("print one JSON object"))
        add_global_options(subparser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Do it, for this user alone; says which files.

    Raises:
        UserMistake: This system has no such files.
        MachineFault: One can't be written.
    """
    from explorer.desktop.installing import Desktop, data_folder
    from explorer.desktop.launching import command

    if not sys.platform.startswith("linux"):
        raise UserMistake(
            N_("Only Linux desktops keep such files."),
            N_("docs/installers.md says what to do on Windows and macOS."),
        )
    desktop = Desktop(data_folder())
    if args.action == "install":
        files = desktop.install(command(), program.paths)
        said = N_("Written: {path}")
    else:
        files = desktop.remove()
        said = N_("Removed: {path}")
    if args.json:
        print_json({"files": [str(path) for path in files]})
        return 0
    for path in files:
        print(_(said, path=path))
    if not files:
        print(_("Nothing of the program's was there."))
    return 0
