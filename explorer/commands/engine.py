"""`engine`: the packages that run models, where the program came without them."""

import argparse
import sys

from explorer.api.question import Cancelled, UserMistake
from explorer.command_line.options.global_options import add_global_options
from explorer.headless import print_json
from explorer.printing.progress import TerminalProgress
from explorer.program import Program
from explorer.text import N_, _
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.quantities import bytes_precisely

NAME = "engine"
HELP = N_("see or install the packages that run models")
VARIANTS = ("cpu", "cuda", "mps")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do; without a word, say how it stands."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    status = actions.add_parser("status", help=_("what is installed, and what there is"))
    install = actions.add_parser("install", help=_("install it, where the program lacks it"))
    install.add_argument(
        "--for",
        dest="variant",
        choices=VARIANTS,
        help=_("what models run on (the fastest that this machine has)"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))
    for subparser in (status, install):
        subparser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
        add_global_options(subparser)


def run(args: argparse.Namespace, program: Program) -> int:
    """Do it.

    Raises:
        UserMistake: The program has no such variant, or may not use the network.
        MachineFault: It did not work.
    """
    from explorer.engine.environment import PackagesFolder, bundle
    from explorer.engine.environment.machine import fitting

    came_in, place = bundle(), PackagesFolder(program.paths.engine)
    if came_in is None:
        if args.json:
            print_json({"installed": "whole", "folder": None, "variants": {}})
        else:
            print(
                _("This program came whole: the packages that run models were installed with it.")
            )
        return 0
    if args.action == "install":
        wanted = args.variant or fitting(came_in.variants)
        variant = came_in.variants.get(wanted)
        if variant is None:
            raise UserMistake(
                N_("This bundle has nothing for {wanted}."),
                N_("Choose one of {names}."),
                wanted=wanted,
                names=", ".join(came_in.variants),
            )
        _install(program, wanted)
    installed = place.ready(came_in)
    sizes = {name: one.size for name, one in came_in.variants.items()}
    if args.json:
        print_json({"installed": installed, "folder": place.folder, "variants": sizes})
        return 0
    print(
        _("Installed for {name} in {folder}.", name=installed, folder=place.folder)
        if installed
        else _("The packages that run models are not installed yet.")
    )
    for name, size in sizes.items():
        print(_("  {name}: {size} to download", name=name, size=bytes_precisely(size)))
    return 0


def _install(program: Program, wanted: str) -> None:
    from explorer.engine.environment import PackagesFolder, bundle
    from explorer.engine.environment.making import InstallStep, make

    came_in = bundle()
    assert came_in is not None
    if program.offline:
        raise UserMistake(
            N_(
                "The packages that run models are not installed yet, and --offline keeps them from "
                "coming."
            ),
            N_("Start once without --offline."),
        )
    progress = TerminalProgress()

    def tell(step: InstallStep) -> None:
        share = percent(step.done / step.total) if step.total else ""
        progress(f"{_(step.stage, name=step.name)} {share}", float(step.done), float(step.total))

    try:
        make(came_in, PackagesFolder(program.paths.engine), came_in.variants[wanted], tell)
    except (KeyboardInterrupt, Cancelled):
        progress.end()
        sys.stderr.write(
            _("Stopped. What has come is kept: the same command goes on from there.\n")
        )
        raise
    finally:
        progress.end()
