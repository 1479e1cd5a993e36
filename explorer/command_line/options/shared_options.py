"""Options that several commands have: which model answers, and how its answer comes out."""

import argparse
from pathlib import Path
from typing import Any

from explorer.headless import DEFAULT_MODEL
from explorer.text import _

PROGRAM_FORMS = ("ipynb", "py", "md")
"""As `explorer.as_code.notebook` writes them; named here so that no help waits for it."""


def add_model_option(parser: argparse.ArgumentParser, default: str = DEFAULT_MODEL) -> None:
    """Which checkpoint answers."""
    parser.add_argument(
        "--model",
        "-m",
        default=default,
        metavar="M",
        help=_("an id from `models` or a folder (default: %(default)s)"),
    )
    add_consent(parser)


def add_consent(parser: argparse.ArgumentParser) -> None:
    """Whether pickled weights may be opened."""
    parser.add_argument(
        "--allow-pickle",
        action="store_true",
        help=_("agree to open weights kept in a pickle (read with weights_only)"),
    )


def add_output_options(
    parser: argparse.ArgumentParser, *, absent: Any = False, below: bool = False
) -> None:
    """How the answer comes out, and whether it is logged.

    Args:
        parser: A command's, or that of its action.
        absent: What --json is where it is left out; argparse.SUPPRESS behind another --json.
        below: A caption may stand below a picture, too.
    """
    parser.add_argument(
        "--json", action="store_true", default=absent, help=_("print one JSON object")
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help=_("write the table as CSV"))
    add_caption_option(parser, below=below)
    parser.add_argument("--no-log", action="store_true", help=_("keep it out of the session log"))


def add_form_option(parser: argparse.ArgumentParser) -> None:
    """What is written as a program: a notebook, a script or a document."""
    parser.add_argument(
        "--as",
        dest="form",
        choices=PROGRAM_FORMS,
        default="",
        help=_(
            "what is written: a notebook, a script or a document (default: as the file ends); "
            "with - as the file it goes to the standard output"
        ),
    )


def form_of_programs(args: argparse.Namespace) -> str:
    """The form that was named, else the one that the file ends as; "" where that is no program."""
    ending = args.file.suffix.lower().removeprefix(".")
    return args.form or (ending if ending in PROGRAM_FORMS else "")


def is_standard_output(args: argparse.Namespace) -> bool:
    """Programs go where a sentence about them would stand among them."""
    return str(args.file) == "-"


def add_caption_option(parser: argparse.ArgumentParser, *, below: bool = False) -> None:
    """Where a table's caption is written, and whether one stands below a picture."""
    from explorer.sessions.export.tables import CAPTION_PLACES

    if below:
        from explorer.command_line.options.picture_options import BELOW

        parser.add_argument(
            "--caption",
            nargs="?",
            const=BELOW,
            choices=(BELOW, *CAPTION_PLACES),
            default="none",
            help=_(
                "how the answer came about: below a picture (--caption alone); of a CSV table"
                " in a FILE.caption.txt next to it (file), or in its first line, after # "
                "(comment)"
            ),
        )
        return
    parser.add_argument(
        "--caption",
        choices=CAPTION_PLACES,
        default="none",
        help=_(
            "of a CSV table: write how it came about into a FILE.caption.txt next to it "
            "(file), or into its first line, after # (comment)"
        ),
    )
