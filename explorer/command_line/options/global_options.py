"""The options that may stand before or after any command."""

import argparse
import os
import re
from collections.abc import Sequence
from pathlib import Path

from explorer.paths import own_resources
from explorer.text import _
from explorer.text import language as languages


def add_global_options(parser: argparse.ArgumentParser) -> None:
    """Add them to a parser: the program's, a command's, or that of a command's action."""
    group = parser.add_argument_group(_("everywhere"))
    # SUPPRESS: an option that is absent after the command must not undo one before it.
    group.add_argument(
        "--device",
        type=_device,
        default=argparse.SUPPRESS,
        metavar="auto|cpu|cuda[:N]|mps|offload",
        help=_(
            "where models run (auto: the fastest there is; offload: layers for which there is no "
            "room lie in memory or on the disk until they are at work)"
        ),
    )
    group.add_argument(
        "--dtype",
        choices=("auto", "float32", "float16", "bfloat16", "8bit", "4bit"),
        default=argparse.SUPPRESS,
        help=_(
            "the numbers that models are loaded as (8bit, 4bit: the layers' weights are rounded, "
            "which takes the extra plm-explorer[quantised]; of one model alone: NAME:8bit)"
        ),
    )
    group.add_argument(
        "--offline",
        action="store_true",
        default=argparse.SUPPRESS,
        help=_("make it impossible to reach the network"),
    )
    group.add_argument(
        "--language",
        default=argparse.SUPPRESS,
        metavar="CODE",
        help=_("the language of texts and numbers, as en (the system's where none is given)"),
    )
    group.add_argument(
        "--profile",
        type=Path,
        default=argparse.SUPPRESS,
        metavar="DIR",
        help=_("keep everything the program writes in one folder"),
    )
    group.add_argument(
        "--safe-mode",
        action="store_true",
        default=argparse.SUPPRESS,
        help=_("load no plugins but the bundled ones"),
    )


def options_anywhere(arguments: Sequence[str] | None) -> argparse.Namespace:
    """These options alone, wherever they stand; none where they can't be read.

    What is wrong with them is told when everything is parsed.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    add_global_options(parser)
    try:
        return parser.parse_known_args(arguments)[0]
    except argparse.ArgumentError:
        return argparse.Namespace()


def _device(text: str) -> str:
    if not re.fullmatch(r"auto|cpu|mps|offload|cuda(:\d+)?", text):
        raise argparse.ArgumentTypeError(
            _("{given} is not auto, cpu, cuda, cuda:N, mps or offload", given=repr(text))
        )
    return text


def choose_language(arguments: Sequence[str]) -> None:
    """Speak the language that the arguments or the environment ask for.

    Looked at before all other options, whose help is already told in it.

    Raises:
        UserMistake: There are no texts in it.
    """
    folder = own_resources() / "locale"
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    early.add_argument("--language")
    try:
        wanted: str | None = early.parse_known_args(arguments)[0].language
    except argparse.ArgumentError:  # without a value: the whole parser says so
        wanted = None
    if wanted is None:
        languages.use(languages.of_environment(os.environ, folder))
        return
    found = languages.find(wanted, folder)
    if found is None:
        from explorer.api.question import UserMistake

        raise UserMistake(
            _("There are no texts in the language {given}.", given=repr(wanted)),
            _("Choose one of {codes}.", codes=", ".join(languages.available(folder))),
        )
    languages.use(found)
