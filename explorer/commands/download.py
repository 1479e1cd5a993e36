"""`download`: fetch a published checkpoint, or its tokenizer alone, into the Hugging Face cache."""

import argparse
import sys

from explorer.api.family.checkpoint import Checkpoint
from explorer.headless import print_json
from explorer.printing.progress import TerminalProgress
from explorer.program import Program
from explorer.text import N_, _, said
from explorer.text.formatting.quantities import bytes_precisely

NAME = "download"
HELP = N_("fetch a checkpoint, or its tokenizer alone")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is fetched."""
    parser.add_argument("name", help=_("its id on the hub: google-bert/bert-base-uncased"))
    parser.add_argument(
        "--tokenizer",
        action="store_true",
        help=_("its tokenizer alone, without the weights: for `ask side_by_side`"),
    )
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: argparse.Namespace, program: Program) -> int:
    """Fetch it; what has come is kept where it is stopped with Ctrl-C, and gone on with.

    Raises:
        ExplorerError: As `download`; or no plugin knows what came.
    """
    from explorer.engine.downloads.download import download

    catalogue = program.catalogue(program.plugin_host())
    tell = TerminalProgress()

    def progress(stage: str, done: float, total: float, detail: str) -> None:
        tell(_so_far(stage, done, total, detail), done, total)

    try:
        folder = download(
            args.name,
            program.paths.hub_cache,
            progress,
            lambda: False,
            offline=program.offline,
            tokenizer_only=args.tokenizer,
        )
    except KeyboardInterrupt:
        tell.end()
        sys.stderr.write(
            _("Stopped. What has come is kept: the same command goes on from there.\n")
        )
        raise
    finally:
        tell.end()
    row = catalogue.find(args.name)
    if args.json:
        from explorer.serialise import to_builtins

        print_json(to_builtins(row))
    else:
        print(_came(row, str(folder), tokenizer=args.tokenizer))
    return 0


def _so_far(stage: str, done: float, total: float, detail: str) -> str:
    if not total:
        return f"{said(stage)} …"
    amount = _(
        "{done} of {total}", done=bytes_precisely(int(done)), total=bytes_precisely(int(total))
    )
    return ", ".join(part for part in (said(stage), amount, detail) if part)


def _came(row: Checkpoint, folder: str, *, tokenizer: bool) -> str:
    """What is here now, and where."""
    if tokenizer:
        return _(
            "The tokenizer of {title} is on this computer: {folder}", title=row.title, folder=folder
        )
    return _("{title} is on this computer: {folder}", title=row.title, folder=folder)
