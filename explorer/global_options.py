"""The options that may stand before or after any command."""

import argparse
import re
from pathlib import Path


def add_global_options(parser: argparse.ArgumentParser) -> None:
    """Add them to a parser: the program's, a command's, or that of a command's action."""
    group = parser.add_argument_group("everywhere")
    # SUPPRESS: an option that is absent after the command must not undo one before it.
    group.add_argument(
        "--device",
        type=_device,
        default=argparse.SUPPRESS,
        metavar="auto|cpu|cuda[:N]|mps",
        help="where models run (auto: the fastest there is)",
    )
    group.add_argument(
        "--offline",
        action="store_true",
        default=argparse.SUPPRESS,
        help="make it impossible to reach the network",
    )
    group.add_argument(
        "--profile",
        type=Path,
        default=argparse.SUPPRESS,
        metavar="DIR",
        help="keep everything the program writes in one folder",
    )
    group.add_argument(
        "--safe-mode",
        action="store_true",
        default=argparse.SUPPRESS,
        help="load no plugins but the bundled ones",
    )


def _device(text: str) -> str:
    if not re.fullmatch(r"auto|cpu|mps|cuda(:\d+)?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not auto, cpu, cuda, cuda:N or mps")
    return text
